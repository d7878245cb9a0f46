package io.deli.client.internal.read;

import io.deli.client.internal.read.HitPage.PositionedHit;
import io.deli.client.internal.read.Verifier.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Runs a plan in the order of its entries. While a page is verified, the entries of the next are
 * read already, unless this one will probably do.
 */
final class HitStream implements CatchUpScan.Source {
  private final EntryReader reader;
  private final SmallestCondition smallest;
  private final Function<EntryPage, CompletableFuture<Verdict>> verifier;
  private final PageSizing sizing;
  private Position position;
  private Position end;
  private CompletableFuture<EntryPage> ahead;

  HitStream(
      SmallestCondition smallest,
      Function<EntryPage, CompletableFuture<Verdict>> verifier,
      PageSizing sizing) {
    this.smallest = smallest;
    this.verifier = verifier;
    this.sizing = sizing;
    QueryPlan plan = smallest.rows().plan();
    reader = new EntryReader(smallest.rows().requests(), plan);
    position = plan.at();
    end = plan.at();
  }

  @Override
  public CompletableFuture<HitPage> next() {
    CompletableFuture<EntryPage> entries =
        ahead == null || (ahead.isDone() && smallest.isFound(position))
            ? read(position, Math.max(1, sizing.next(0)))
            : ahead;
    ahead = null;
    return entries.thenCompose(this::verify);
  }

  private CompletableFuture<EntryPage> read(Position from, int rows) {
    return smallest
        .rest(from)
        .thenCompose(
            rest ->
                rest.map(CompletableFuture::completedFuture)
                    .orElseGet(() -> reader.read(from, rows)));
  }

  private CompletableFuture<HitPage> verify(EntryPage entries) {
    int rows = sizing.next(entries.groups().size());
    if (rows > 0) {
      ahead = entries.next().map(next -> read(next, rows)).orElse(null);
    }
    return verifier.apply(entries).thenApply(verdict -> deliver(entries, verdict));
  }

  @Override
  public Position end() {
    return end;
  }

  @Override
  public boolean metAllRows() {
    return smallest.metAllRows(reader);
  }

  private HitPage deliver(EntryPage entries, Verdict verdict) {
    List<PositionedHit> hits = verdict.hits();
    long missing = sizing.missing();
    sizing.verified(entries.groups().size(), hits.size());
    Optional<Position> next = entries.next();
    if (!entries.groups().isEmpty()) {
      end = entries.groups().get(entries.groups().size() - 1).end();
    }
    if (hits.size() > missing || (hits.size() == missing && next.isPresent())) {
      // Right behind the last hit: what is no hit there now may be one for whoever goes on.
      hits = hits.subList(0, (int) missing);
      next = Optional.of(hits.get(hits.size() - 1).behind());
    }
    next.ifPresent(place -> position = place);
    return new HitPage(hits, next, next.isEmpty() || hits.size() == missing);
  }
}
