package io.deli.client.internal.read;

import io.deli.client.internal.Futures;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.client.internal.read.EntryReader.TimeSpan;
import io.deli.client.internal.read.NewestHits.Rank;
import io.deli.client.internal.read.Verifier.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Finds the K most recent hits of a plan, of which index tables hold the entries, by about K Gets.
 *
 * <p>The version that makes a row a hit has an entry of its timestamp. So a row's newest entry is
 * an upper bound of its hit's rank, whatever that entry is worth. One conjunction after the other,
 *
 * <ol>
 *   <li>all entries are read, unless they come newest first, and the rows that they name are kept
 *       as {@link RankedRows}: not a base row is read for that;
 *   <li>base rows are read, newest first: as many at a time as hits are missing, and more while
 *       entries prove stale;
 *   <li>the conjunction is done when K hits rank ahead of all rows to come. Hits of earlier
 *       conjunctions count, and entries older than the K-th are not even read;
 *   <li>if the candidates are used up, and some were left out for want of memory, entries are read
 *       again, from the last row looked at on down.
 * </ol>
 *
 * <p>What rows become meanwhile is the matter of {@link RowDecision} and {@link CatchUpScan}: a row
 * that is put again after its entries were read ranks by its new version if it is looked at. Where
 * the base table is scanned, as by the last conjunctions of an {@code or}, all rows that come are
 * looked at.
 */
final class NewestFirst implements CatchUpScan.Source {
  private final QueryPlan plan;
  private final SmallestCondition smallest;
  private final Function<EntryPage, CompletableFuture<Verdict>> verifier;
  private final PageSizing sizing;
  private final long memory;
  private final NewestHits newest;
  private Position position;
  private Position collecting;
  private EntryReader reader;
  private int readers;
  private RankedRows candidates;
  private Rank reached = Rank.FIRST;

  /**
   * @param sizing how many base rows to look at at a time
   * @param memory bytes that candidates may take
   * @param newest the hits of the pages that were taken
   */
  NewestFirst(
      SmallestCondition smallest,
      Function<EntryPage, CompletableFuture<Verdict>> verifier,
      PageSizing sizing,
      long memory,
      NewestHits newest) {
    plan = smallest.rows().plan();
    this.smallest = smallest;
    this.verifier = verifier;
    this.sizing = sizing;
    this.memory = memory;
    this.newest = newest;
    begin(plan.start());
  }

  /** Returns how many rows the first scan asks for. */
  static int firstRows(QueryPlan plan, int page) {
    return plan.conjunctions().get(0).lookup().newestFirst()
        ? Math.min(page, plan.most().orElseThrow())
        : SmallestCondition.scanRows(page);
  }

  @Override
  public CompletableFuture<HitPage> next() {
    if (newest.missing(reached) == 0) {
      Optional<Position> next = plan.behind(position.conjunction());
      if (next.isEmpty()) {
        return CompletableFuture.completedFuture(new HitPage(List.of(), Optional.empty(), true));
      }
      begin(next.get());
    }
    int rows = sizing.rows(newest.missing(reached), 0);
    return smallest
        .rest(position)
        .thenCompose(
            rest -> rest.map(CompletableFuture::completedFuture).orElseGet(() -> entries(rows)))
        .thenCompose(this::verify);
  }

  private void begin(Position conjunction) {
    position = conjunction;
    reached = Rank.FIRST;
    candidates = new RankedRows(memory, sizing.largest());
    reader = null;
  }

  /** Opens a reader of the entries that may lead to one of the newest hits, and are not behind. */
  private void open() {
    // The cells of a base row are of any age.
    long since = conjunction().scansBase() ? 0 : newest.since();
    long end = Math.min(plan.timeEnd(), reached.timestamp() + 1);
    reader = new EntryReader(smallest.rows().requests(), plan, new TimeSpan(since, end));
    readers++;
  }

  private Conjunction conjunction() {
    return plan.conjunctions().get(position.conjunction());
  }

  /** Reads the entries of so many rows to look at; where the base table is scanned, of a page. */
  private CompletableFuture<EntryPage> entries(int rows) {
    if (reader == null) {
      open();
    }
    if (conjunction().scansBase()) {
      return reader.read(position, sizing.largest());
    }
    return conjunction().lookup().newestFirst() ? inOrder(rows) : sorted(rows);
  }

  private CompletableFuture<EntryPage> inOrder(int rows) {
    return reader
        .read(position, rows)
        .thenApply(
            read -> {
              read.groups().stream()
                  .flatMap(group -> group.entries().stream())
                  .forEach(entry -> reached = Rank.of(entry));
              return read;
            });
  }

  private CompletableFuture<EntryPage> sorted(int rows) {
    if (!candidates.isEmpty()) {
      return CompletableFuture.completedFuture(take(rows));
    }
    if (candidates.lackSome()) {
      candidates.addAnew();
      open();
    }
    return collect().thenApply(done -> take(rows));
  }

  private CompletableFuture<Void> collect() {
    collecting = position;
    return Futures.repeat(
        () ->
            reader
                .read(collecting, SmallestCondition.scanRows(sizing.largest()))
                .thenApply(
                    read -> {
                      read.groups().forEach(candidates::add);
                      Optional<Position> next =
                          read.next()
                              .filter(place -> place.conjunction() == position.conjunction());
                      next.ifPresent(place -> collecting = place);
                      return next.isPresent();
                    }));
  }

  private EntryPage take(int rows) {
    List<EntryGroup> groups = candidates.take(rows);
    reached = candidates.taken();
    boolean more = !candidates.isEmpty() || candidates.lackSome();
    return new EntryPage(
        position.conjunction(),
        groups,
        Optional.empty(),
        more ? Optional.of(position) : plan.behind(position.conjunction()));
  }

  private CompletableFuture<HitPage> verify(EntryPage entries) {
    return verifier.apply(entries).thenApply(verdict -> deliver(entries, verdict));
  }

  private HitPage deliver(EntryPage entries, Verdict verdict) {
    sizing.verified(entries.groups().size(), verdict.hits().size());
    entries.next().ifPresent(this::goOn);
    return new HitPage(verdict.hits(), entries.next(), entries.next().isEmpty());
  }

  private void goOn(Position next) {
    if (next.conjunction() == position.conjunction()) {
      position = next;
    } else {
      begin(next);
    }
  }

  /** Nobody continues from here. */
  @Override
  public Position end() {
    return plan.start();
  }

  @Override
  public boolean metAllRows() {
    return readers <= 1 && smallest.metAllRows(reader);
  }
}
