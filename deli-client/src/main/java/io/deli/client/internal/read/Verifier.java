package io.deli.client.internal.read;

import io.deli.client.ValueHit;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.entry.Entry;
import io.deli.index.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Decides which entries are hits, by the base table alone.
 *
 * <p>A hit is a version that the base row has at exactly the entry's timestamp and whose value
 * satisfies the condition. A value may have several tokens in the range scanned; only the entry of
 * the one that the scan meets first counts, so each version comes once though nothing is
 * remembered.
 */
final class Verifier {
  private final QueryPlan plan;
  private final BaseRows rows;

  Verifier(QueryPlan plan, BaseRows rows) {
    this.plan = plan;
    this.rows = rows;
  }

  /**
   * What became of a page of entries.
   *
   * @param suspects entries that the base row, as far as the query sees it, does not justify
   */
  record Verdict(List<PlacedHit> hits, List<Entry> suspects) {}

  CompletableFuture<Verdict> verify(EntryPage page) {
    return rows.read(page).thenApply(found -> decide(page, found));
  }

  private Verdict decide(EntryPage page, Map<byte[], Result> found) {
    Verdict verdict = new Verdict(new ArrayList<>(), new ArrayList<>());
    Conjunction conjunction = plan.conjunctions().get(page.conjunction());
    for (EntryGroup group : page.groups()) {
      long decided = Position.WHOLE_ROW;
      for (Entry entry : group.entries()) {
        Result base = found.get(entry.key());
        Optional<byte[]> value = justification(conjunction.driver(), entry, base);
        if (value.isEmpty()) {
          verdict.suspects().add(entry);
        } else if (entry.timestamp() != decided
            && isHit(page.conjunction(), entry, value.get(), base)) {
          // Entries of one version in one group are one hit.
          decided = entry.timestamp();
          verdict.hits().add(hit(group, entry, value.get(), base));
        }
      }
    }
    return verdict;
  }

  /** The value of the version that the entry stands for. */
  private static Optional<byte[]> justification(IndexTest driver, Entry entry, Result base) {
    Column column = driver.index().column();
    for (Cell version : base.getColumnCells(column.family(), column.qualifier())) {
      if (version.getTimestamp() == entry.timestamp()) {
        // Another value may have won at this very timestamp.
        byte[] value = CellUtil.cloneValue(version);
        return driver.index().hasToken(value, entry.token())
            ? Optional.of(value)
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private boolean isHit(int number, Entry entry, byte[] value, Result base) {
    Conjunction conjunction = plan.conjunctions().get(number);
    return conjunction.driver().matches(value)
        && isFirstToken(conjunction, entry.token(), value)
        && conjunction.othersHold(base)
        && plan.conjunctions().subList(0, number).stream().noneMatch(c -> c.holds(base));
  }

  private boolean isFirstToken(Conjunction conjunction, byte[] token, byte[] value) {
    for (byte[] other : conjunction.driver().index().storedTokens(value)) {
      int order = Bytes.compareTo(other, token);
      boolean before = plan.options().reversed() ? order > 0 : order < 0;
      if (before && conjunction.lookup().tokens().contains(other)) {
        return false;
      }
    }
    return true;
  }

  private PlacedHit hit(EntryGroup group, Entry entry, byte[] value, Result base) {
    Position behind = plan.options().versions() == 1 ? group.end() : group.behind(entry);
    return new PlacedHit(
        new ValueHit(entry.key(), value, entry.timestamp(), rows.projected(base)), behind);
  }
}
