package io.deli.client.internal.read;

import io.deli.client.ReadMetrics;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.TableIndexes;
import io.deli.config.DeliSettings;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * Answers queries by value. Thread-safe; what it opens is not.
 *
 * <p>A query that cannot be answered right is refused before anything is read. Closing stops read
 * repair; the connection stays the caller's.
 */
public final class Lookups implements AutoCloseable {
  private final AsyncConnection connection;
  private final InstantSource clock;
  private final int page;
  private final ReadRepair repair;

  public Lookups(AsyncConnection connection, Configuration configuration) {
    this(connection, configuration, InstantSource.system());
  }

  /** With a clock of one's own, which read repair and time to live are judged by. */
  public Lookups(AsyncConnection connection, Configuration configuration, InstantSource clock) {
    this.connection = connection;
    this.clock = clock;
    this.page = DeliSettings.READ_PAGE.get(configuration);
    this.repair = new ReadRepair(connection, configuration, clock);
  }

  /**
   * Starts a query.
   *
   * @throws io.deli.client.IndexUnavailableException if an index does not exist or cannot be read
   * @throws IllegalArgumentException if the query cannot be answered right
   */
  public ValueScanner open(TableIndexes table, ValueQuery query) throws IOException {
    QueryPlan plan = QueryPlanner.plan(table, query, clock.millis());
    return new PagedScanner(plan, plan.sortsByTime() ? newest(plan) : stream(plan));
  }

  /**
   * Reads one page: the hits that the limit allows, unless the results end before; without a limit,
   * what is found among the next entries, at least one hit unless the results end. Fails with what
   * {@link #open} throws.
   */
  public CompletableFuture<ValuePage> page(TableIndexes table, ValueQuery query) {
    QueryPlan plan;
    try {
      plan = QueryPlanner.plan(table, query, clock.millis());
    } catch (IOException | IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
    int enough = plan.most().orElse(1);
    List<PlacedHit> hits = new ArrayList<>();
    List<HitPage> read = new ArrayList<>(1);
    return (plan.sortsByTime() ? newest(plan) : pages(plan, PageSizing.onePage(page, plan.most())))
        .drain(
            next -> {
              hits.addAll(next.hits());
              read.clear();
              read.add(next);
              return !next.last() && hits.size() < enough;
            })
        .thenApply(done -> page(plan, hits, read.get(0)));
  }

  private static ValuePage page(QueryPlan plan, List<PlacedHit> hits, HitPage last) {
    return new ValuePage(
        hits.stream().map(PlacedHit::hit).toList(),
        last.next()
            .filter(place -> plan.continues())
            .map(place -> Continuations.write(plan.fingerprint(), place)));
  }

  private HitPages stream(QueryPlan plan) {
    return pages(plan, PageSizing.streaming(page, plan.most()));
  }

  private HitPages newest(QueryPlan plan) {
    HitPages all = pages(plan, PageSizing.streaming(page, OptionalInt.empty()));
    return new MostRecent(all, plan.most().orElseThrow());
  }

  private HitPages pages(QueryPlan plan, PageSizing sizing) {
    return new HitStream(
        plan,
        new EntryReader(connection, plan),
        new Verifier(plan, new BaseRows(connection, plan)),
        repair,
        sizing);
  }

  public ReadMetrics metrics() {
    return repair.metrics();
  }

  /** Stops read repair. */
  @Override
  public void close() {
    repair.close();
  }
}
