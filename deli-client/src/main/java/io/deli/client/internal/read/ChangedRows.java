package io.deli.client.internal.read;

import io.deli.client.internal.read.EntryReader.TimeSpan;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads the keys of rows that were written since a time, a page at a time: by entries of that age
 * in the ranges of a plan; where it scans base rows anyway, by the values of that age in these.
 */
final class ChangedRows {
  private final TableReader requests;
  private final QueryPlan plan;
  private final long since;
  private final long begun;
  private final int page;
  private final EntryReader entries;
  private final Optional<Conjunction> ofBase;
  private Optional<Position> position;

  /**
   * @param begun the time now
   */
  ChangedRows(TableReader requests, QueryPlan plan, long since, long begun, int page) {
    this.requests = requests;
    this.plan = plan;
    this.since = since;
    this.begun = begun;
    this.page = page;
    this.entries = new EntryReader(requests, plan, new TimeSpan(since, plan.timeEnd()));
    this.ofBase = plan.conjunctions().stream().filter(Conjunction::scansBase).findFirst();
    this.position = Optional.of(ofBase.isPresent() ? Position.startOf(0) : plan.start());
  }

  /** The time at which this reading began. */
  long begun() {
    return begun;
  }

  boolean hasNext() {
    return position.isPresent();
  }

  /** Reads the next keys, some perhaps again; must not be called when there are no more. */
  CompletableFuture<List<byte[]>> next() {
    return ofBase.map(this::nextRows).orElseGet(this::nextEntries);
  }

  private CompletableFuture<List<byte[]>> nextEntries() {
    return entries
        .read(position.orElseThrow(), page)
        .thenApply(
            read -> {
              position = read.next();
              return read.groups().stream()
                  .filter(group -> !group.entries().isEmpty())
                  .map(group -> group.entries().get(0).key())
                  .toList();
            });
  }

  private CompletableFuture<List<byte[]>> nextRows(Conjunction scanned) {
    Scan scan = plan.rows().restrict(new Scan()).setLimit(page).setCaching(page);
    if (!position.orElseThrow().atStart()) {
      scan.withStartRow(position.orElseThrow().row(), false);
    }
    for (Conjunction each : plan.conjunctions()) {
      each.index().key().addTo(scan);
    }
    return requests
        .scanAll(plan.base(), scanned.lookup().since(since, plan.timeEnd(), scan))
        .thenApply(
            rows -> {
              position =
                  rows.size() < page
                      ? Optional.empty()
                      : Optional.of(Position.behindRow(0, rows.get(rows.size() - 1).getRow()));
              return rows.stream().filter(this::mayBeNew).map(Result::getRow).toList();
            });
  }

  /**
   * Whether a row came to where the plan scans. Asked of all its columns at one moment: asked one
   * after the other, a row could go from the second to the first in between.
   */
  private boolean mayBeNew(Result changed) {
    return plan.conjunctions().stream().anyMatch(each -> each.driver().holdsForValue(changed));
  }
}
