package io.deli.tools.command;

import io.deli.client.Explanation;
import io.deli.client.Explanation.Access;
import io.deli.client.Explanation.Estimate;
import io.deli.client.Explanation.Reads;
import io.deli.client.Explanation.ServerReads;
import io.deli.client.Explanation.Step;
import io.deli.entry.Buckets;
import io.deli.query.Condition.OnIndex;
import io.deli.query.TokenRange;
import io.deli.strategy.Lookup;
import io.deli.tools.output.RowWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;

/** An explanation as {@code deli query --explain} prints it: a row for each step, then the rest. */
final class ExplanationRows {
  static final List<String> COLUMNS =
      List.of(
          "index",
          "strategy",
          "reads",
          "table",
          "start_row",
          "stop_row",
          "parts",
          "tokens",
          "order",
          "verified_by",
          "tested");

  private ExplanationRows() {}

  static void print(Explanation explanation, RowWriter out) {
    explanation.steps().forEach(step -> out.row(values(step)));
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("page_rows", explanation.pageRows());
    facts.put("reads_ahead", explanation.readsAhead());
    facts.put("sorts", explanation.sorts());
    explanation.limit().ifPresent(limit -> facts.put("limit", limit));
    facts.put("continues", explanation.continues());
    explanation.estimates().forEach(each -> facts.put(each.condition().toString(), text(each)));
    put(explanation.reads(), facts);
    out.end(facts);
  }

  private static String text(Estimate estimate) {
    return "%d%s entries%s"
        .formatted(
            estimate.entries(),
            estimate.all() ? "" : " or more",
            estimate.chosen() ? ", chosen" : "");
  }

  private static void put(Reads reads, Map<String, Object> facts) {
    facts.put("scan_requests", reads.scanRequests());
    facts.put("get_requests", reads.getRequests());
    facts.put("entries", reads.entries());
    facts.put("stale", reads.stale());
    facts.put("hits", reads.hits());
    facts.put("bytes", reads.bytes());
    ServerReads servers = reads.servers();
    facts.put("rows_scanned", servers.rows());
    facts.put("rows_filtered", servers.rowsFiltered());
    facts.put("blocks_read", servers.blocksRead());
    facts.put("blocks_skipped", servers.blocksSkipped());
    facts.put("blocks_from_files", servers.blocksFromFiles());
    facts.put("bytes_from_files", servers.bytesFromFiles());
    facts.put("bytes_from_cache", servers.bytesFromCache());
    facts.put("bytes_from_memory", servers.bytesFromMemory());
  }

  private static List<?> values(Step step) {
    Lookup lookup = step.lookup();
    return Arrays.asList(
        step.condition().index(),
        step.strategy(),
        step.access().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        lookup.table().getNameAsString(),
        bound(lookup.startRow()),
        bound(lookup.stopRow()),
        lookup.parts().size(),
        tokens(lookup.tokens()),
        order(step),
        verifiedBy(step.access()),
        step.tested().isEmpty()
            ? null
            : step.tested().stream().map(OnIndex::toString).collect(Collectors.joining(", ")));
  }

  private static String bound(byte[] row) {
    return row.length == 0 ? null : Bytes.toStringBinary(row);
  }

  private static String tokens(TokenRange tokens) {
    return tokens.isSingle() ? Bytes.toStringBinary(tokens.first()) : tokens.toString();
  }

  private static String order(Step step) {
    Buckets buckets = step.lookup().buckets();
    return orderOfRows(step)
        + (buckets.areSalted() ? ", merged of %d buckets".formatted(buckets.count()) : "");
  }

  private static String orderOfRows(Step step) {
    if (step.lookup().newestFirst()) {
      return step.reversed() ? "oldest first" : "newest first";
    }
    return step.reversed() ? "by row, descending" : "by row";
  }

  private static String verifiedBy(Access access) {
    return switch (access) {
      case INDEX_ROW, INDEX_RANGE -> "multi-Get";
      case BASE_TABLE -> "the row scanned";
      case NOTHING -> null;
    };
  }
}
