package io.deli.tools.command;

import io.deli.client.AsyncDeliTable;
import io.deli.client.Continuation;
import io.deli.client.DeliTable;
import io.deli.client.Explanation;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.tools.ExitCode;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.RowWriter;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "query",
    description = {"Find rows by value.", ConditionOptions.ESCAPES},
    footer = {
      "",
      "Conditions on further indexes are written INDEX=VALUE, INDEX^=PREFIX, INDEX<VALUE, <=, > or",
      ">=, and are combined from left to right: the first --and or --or with the index named"
          + " first.",
      "",
      "Examples:",
      "  deli query airports by_country --equal Iceland --project d:name,d:altitude",
      "  deli query airports by_altitude --from 3000 --before 4000 --reverse --limit 10",
      "  deli query airports by_country --equal Bolivia --and 'by_altitude>=4000'",
      "  deli query airports by_country --equal Iceland --explain"
    })
public final class QueryCommand extends Subcommand {
  private static final Logger LOG = LoggerFactory.getLogger(QueryCommand.class);

  /** Hits between two looks whether the output is still read; each look flushes it. */
  private static final int LOOK_EVERY = 500;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Mixin private Arguments.OfIndex index;

  @Mixin private ConditionOptions conditions;

  @Mixin private ResultOptions results;

  @Option(
      names = "--explain",
      description = "Print how the query is answered and what that read, instead of its hits.")
  private boolean explain;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    TableName name = index.table();
    conditions.check();
    results.check();
    try (Session session = deli.open();
        DeliTable rows = session.indexed().getTable(name)) {
      TableDescriptor table = session.table(name);
      ColumnTypes columns = results.columns(table);
      QueryIndexes indexes = new QueryIndexes(table, columns);
      List<Column> projected = results.projected(columns);
      ValueQuery query = results.apply(conditions.query(index.name(), indexes), projected);
      if (explain) {
        Explanation explanation = rows.explain(query);
        ExplanationRows.print(explanation, format.writer(deli, "steps", ExplanationRows.COLUMNS));
      } else {
        AsyncDeliTable rest = session.indexed().getAsyncTable(name);
        print(rows, rest, query, new HitColumns(indexes.types(query), columns, projected));
      }
    }
    return ExitCode.OK;
  }

  private void print(DeliTable rows, AsyncDeliTable rest, ValueQuery query, HitColumns shown)
      throws IOException {
    long start = System.nanoTime();
    try (ValueScanner scanner = rows.readValue(query)) {
      Optional<ValueHit> hit = scanner.next();
      RowWriter out = format.writer(deli, "hits", shown.names());
      for (long hits = 1; hit.isPresent(); hits++) {
        out.row(shown.values(hit.get()));
        if (hits % LOOK_EVERY == 0 && deli.terminal().out().checkError()) {
          // The root command tells of it.
          return;
        }
        hit = scanner.next();
      }
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("milliseconds", (System.nanoTime() - start) / 1_000_000);
      Optional<Continuation> next = scanner.continuation();
      if (query.options().limit().isPresent()
          && next.isPresent()
          && goesOn(rest.readValue(query.from(next.get()).limit(1)), PATIENCE)) {
        facts.put("continuation", next.get().toString());
      }
      out.end(facts);
    }
  }

  /**
   * A continuation tells only that there may be more hits; so it is given if that stays unknown, or
   * if whoever has the hits already would have to wait for it.
   */
  static boolean goesOn(CompletableFuture<ValuePage> next, Duration patience) {
    return next.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .handle(
            (page, error) -> {
              if (error != null) {
                LOG.debug("whether there are more hits stays unknown", error);
              }
              return error != null || !page.hits().isEmpty();
            })
        .join();
  }

  private record HitColumns(
      Optional<List<ValueType>> types, ColumnTypes columns, List<Column> projected) {
    List<String> names() {
      List<String> names = new ArrayList<>(List.of("row", "value", "timestamp"));
      projected.forEach(column -> names.add(column.toString()));
      return names;
    }

    List<?> values(ValueHit hit) {
      List<Object> values = new ArrayList<>();
      values.add(Texts.format(hit.row()));
      values.add(Texts.value(types.orElse(List.of(ValueType.STRING)), hit.value()));
      values.add(Instant.ofEpochMilli(hit.timestamp()));
      for (Column column : projected) {
        byte[] value = hit.projected().getValue(column.family(), column.qualifier());
        values.add(value == null ? null : columns.decode(column, value));
      }
      return values;
    }
  }
}
