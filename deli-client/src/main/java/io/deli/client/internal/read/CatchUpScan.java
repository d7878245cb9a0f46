package io.deli.client.internal.read;

import io.deli.client.internal.read.HitPage.PositionedHit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Scans entries, and then reads the rows that moved past the scan.
 *
 * <p>Requests of one scan see the index at different moments. A row that moves from ahead of the
 * scan to a place behind it is met no more once the entry that was ahead is deleted: at once by
 * strategy {@code in-place}, by a compaction otherwise. But each place that it moves to has an
 * entry, which was written behind the scan, hence after the query began. So when the scan has
 * ended, what was written since then is read once more, and the rows are looked at that are not
 * known by then. While such rows turn up, others may have moved past that reading, and it is
 * repeated, a few times at most.
 *
 * <p>None of that is needed, or done, where one request has read all entries, for it saw one
 * moment; nor where rows have one place; nor for what a limit leaves unread, or what is older than
 * the most recent hits. One scan of one region may take several requests, and HBase's client opens
 * it anew, at another moment, if the region moves in between.
 *
 * <p>Whether an entry was written since is told by its timestamp, with a margin for clocks and for
 * writers that are slow. An older timestamp that the application gave is passed over.
 */
final class CatchUpScan implements HitPages {
  private static final int MOST_PASSES = 3;

  private final QueryPlan plan;
  private final Source scan;
  private final RowDecision decision;
  private final PageSizing sizing;
  private final LongFunction<ChangedRows> changedSince;
  private final long since;

  private ChangedRows changed;
  private int passes;
  private boolean news;

  /** The scan of entries. */
  interface Source extends HitPages {
    /** The place behind what was read so far. */
    Position end();

    /** Whether no row can have moved past it, once it has ended. */
    boolean metAllRows();
  }

  /**
   * @param decision since the time that counts as the query's beginning
   * @param changedSince reads rows anew that were written since a time
   */
  CatchUpScan(
      Source scan,
      RowDecision decision,
      PageSizing sizing,
      LongFunction<ChangedRows> changedSince) {
    this.plan = decision.plan();
    this.scan = scan;
    this.decision = decision;
    this.sizing = sizing;
    this.changedSince = changedSince;
    this.since = decision.since();
  }

  @Override
  public CompletableFuture<HitPage> next() {
    // Who asks for another page took the one before.
    decision.memory().keep();
    return changed == null ? scan.next().thenApply(this::afterScan) : catchUp();
  }

  private HitPage afterScan(HitPage page) {
    if (!page.last()) {
      return page;
    }
    if (room() == 0) {
      // Those may lie behind the end of the scan.
      boolean more = page.next().isEmpty() && decision.memory().hasPostponed();
      return more ? page(page.hits(), false, scan.end()) : page;
    }
    List<PositionedHit> hits = new ArrayList<>(page.hits());
    hits.addAll(take(within(decision.memory().givePostponed())));
    if (room() == 0 || since >= plan.timeEnd() || scan.metAllRows()) {
      return last(hits);
    }
    begin(since);
    return page(hits, true, scan.end());
  }

  /**
   * Keeps those back that lie behind the end of the scan, where there is a limit: they come behind
   * all others, and whoever goes on at the end of the scan before meets them there.
   */
  private List<PositionedHit> within(List<PositionedHit> all) {
    List<PositionedHit> within = new ArrayList<>();
    for (PositionedHit hit : all) {
      if (room() < Integer.MAX_VALUE
          && hit.behind().isBehind(scan.end(), plan.options().reversed())) {
        decision.memory().takeBack(hit);
      } else {
        within.add(new PositionedHit(hit.hit(), scan.end()));
      }
    }
    return within;
  }

  /** All that are beyond the end of the scan are known now, so that none of them is passed over. */
  private HitPage last(List<PositionedHit> hits) {
    List<PositionedHit> beyond = new ArrayList<>(decision.memory().givePostponed());
    beyond.sort(
        Comparator.comparing(PositionedHit::behind, Position.order(plan.options().reversed())));
    List<PositionedHit> rest = take(beyond);
    hits.addAll(rest);
    return page(hits, false, rest.isEmpty() ? scan.end() : rest.get(rest.size() - 1).behind());
  }

  /**
   * Returns how many more hits may be delivered; any number if the most recent are chosen later.
   */
  private int room() {
    return plan.options().mostRecent().isPresent()
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, sizing.missing());
  }

  /** Takes as many of the hits as may still be delivered. */
  private List<PositionedHit> take(List<PositionedHit> all) {
    List<PositionedHit> hits = all.subList(0, Math.min(all.size(), room()));
    sizing.verified(0, hits.size());
    return hits;
  }

  private void begin(long time) {
    changed = changedSince.apply(time);
    passes++;
    news = false;
  }

  private CompletableFuture<HitPage> catchUp() {
    return changed.next().thenCompose(this::look).thenApply(this::deliver);
  }

  private CompletableFuture<List<PositionedHit>> look(List<byte[]> keys) {
    NavigableSet<byte[]> unknown = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    keys.stream().filter(key -> !decision.memory().knows(key)).forEach(unknown::add);
    return decision
        .rows()
        .read(unknown)
        .thenApply(
            found -> {
              List<PositionedHit> hits = new ArrayList<>();
              found.forEach(
                  (key, row) ->
                      decision
                          .late(row, scan.end())
                          .ifPresentOrElse(hits::add, () -> decision.memory().passed(key)));
              news |= !found.isEmpty();
              return within(hits);
            });
  }

  private HitPage deliver(List<PositionedHit> all) {
    List<PositionedHit> hits = new ArrayList<>(take(all));
    if (room() == 0 || changed.hasNext()) {
      return page(hits, room() > 0, scan.end());
    }
    long next = changed.begun() - (plan.begun() - since);
    if (!news || passes == MOST_PASSES || next >= plan.timeEnd()) {
      return last(hits);
    }
    begin(next);
    return page(hits, true, scan.end());
  }

  private HitPage page(List<PositionedHit> hits, boolean more, Position end) {
    boolean mayBeMore = more || room() == 0;
    return new HitPage(hits, mayBeMore ? Optional.of(end) : Optional.empty(), !more);
  }

  @Override
  public void close() {
    scan.close();
  }
}
