package io.deli.client.internal.read;

import io.deli.client.ValueHit;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.client.internal.read.HitPage.PositionedHit;
import io.deli.entry.Entry;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads the base rows of entries, and decides by these alone what is a hit. */
record Verifier(BaseRows rows, Decision decision) {
  /** Turns entries into hits. Not thread-safe: pages are decided one after the other. */
  interface Decision {
    /**
     * Adds the hits that an entry group leads to.
     *
     * @param row the base row of the group, as it was read after its entries
     */
    void decide(int conjunction, EntryGroup group, Result row, List<PositionedHit> hits);
  }

  /**
   * The hits and suspects of a page of entries.
   *
   * @param suspects entries that the base row, as far as the query sees it, does not justify
   */
  record Verdict(List<PositionedHit> hits, List<Entry> suspects) {}

  CompletableFuture<Verdict> verify(EntryPage page) {
    return rows.read(page).thenApply(found -> decide(page, found));
  }

  private Verdict decide(EntryPage page, Map<byte[], Result> found) {
    Verdict verdict = new Verdict(new ArrayList<>(), new ArrayList<>());
    Conjunction conjunction = rows.plan().conjunctions().get(page.conjunction());
    for (EntryGroup group : page.groups()) {
      if (!group.entries().isEmpty()) {
        Result row = found.get(group.entries().get(0).key());
        for (Entry entry : group.entries()) {
          // Entries that base rows themselves amount to are not stale.
          if (page.bases().isEmpty() && justification(conjunction.index(), entry, row).isEmpty()) {
            verdict.suspects().add(entry);
          }
        }
        decision.decide(page.conjunction(), group, row, verdict.hits());
      }
    }
    return verdict;
  }

  /** Returns the base version of an entry. */
  static Optional<Cell> justification(Index index, Entry entry, Result row) {
    // Another value may have won at this very timestamp.
    return index.key().versions(row).stream()
        .filter(version -> index.isOf(entry, version))
        .findFirst();
  }

  /**
   * Each version of a row is a hit of its own, among as many of the newest as the query asks for.
   *
   * <p>A hit is a version that the base row has at exactly the entry's timestamp and whose value
   * satisfies the condition. A value may have several tokens in the range scanned; only the entry
   * of the one that the scan meets first counts, so each version comes once though nothing is
   * remembered.
   */
  static Decision byVersion(BaseRows rows) {
    QueryPlan plan = rows.plan();
    Conjunction only = plan.conjunctions().get(0);
    return (conjunction, group, row, hits) -> {
      long decided = Position.WHOLE_ROW;
      for (Entry entry : group.entries()) {
        Optional<Cell> version = justification(only.index(), entry, row);
        // Entries of one version in one group are one hit.
        if (version.isPresent() && entry.timestamp() != decided) {
          byte[] value = CellUtil.cloneValue(version.get());
          if (only.driver().matches(value) && isFirstToken(plan, entry.token(), value)) {
            decided = entry.timestamp();
            ValueHit hit = new ValueHit(entry.key(), value, entry.timestamp(), rows.projected(row));
            hits.add(new PositionedHit(hit, group.behind(entry)));
          }
        }
      }
    };
  }

  private static boolean isFirstToken(QueryPlan plan, byte[] token, byte[] value) {
    Conjunction only = plan.conjunctions().get(0);
    for (byte[] other : only.index().storedTokens(value)) {
      int order = Bytes.compareTo(other, token);
      boolean before = plan.options().reversed() ? order > 0 : order < 0;
      if (before && only.lookup().tokens().contains(other)) {
        return false;
      }
    }
    return true;
  }
}
