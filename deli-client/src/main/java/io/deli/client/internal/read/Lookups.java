package io.deli.client.internal.read;

import io.deli.client.Explanation;
import io.deli.client.Explanation.Reads;
import io.deli.client.ReadMetrics;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.TableIndexes;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.client.internal.metrics.ReadMeter;
import io.deli.client.internal.read.Verifier.Verdict;
import io.deli.config.DeliSettings;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
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
  private final ReadMeter meter;
  private final SlowQueries slow;
  private final ReadRepair repair;

  public Lookups(AsyncConnection connection, Configuration configuration) {
    this(connection, configuration, InstantSource.system());
  }

  /** With a clock of one's own, which read repair and time to live are judged by. */
  public Lookups(AsyncConnection connection, Configuration configuration, InstantSource clock) {
    this(connection, configuration, clock, ClientMetrics.off());
  }

  /** Measured, too. */
  public Lookups(
      AsyncConnection connection,
      Configuration configuration,
      InstantSource clock,
      ClientMetrics metrics) {
    this.connection = connection;
    this.clock = clock;
    this.page = DeliSettings.READ_PAGE.get(configuration);
    this.repair = new ReadRepair(connection, configuration, clock);
    this.meter = metrics.reads();
    this.slow = SlowQueries.of(configuration);
    repair.publish(metrics);
  }

  /**
   * Starts a query.
   *
   * @throws io.deli.client.IndexUnavailableException if an index does not exist or cannot be read
   * @throws IllegalArgumentException if the query cannot be answered right
   */
  public ValueScanner open(TableIndexes table, ValueQuery query) throws IOException {
    QueryPlan plan = QueryPlanner.plan(table, query, clock.millis());
    return new PagedScanner(plan, run(plan, query, whole(plan)));
  }

  /**
   * The same, where nobody waits. Fails if a region tells with the first page that these
   * definitions are outdated; any other failure to read is the scanner's.
   */
  public CompletableFuture<ValueScanner> begin(TableIndexes table, ValueQuery query) {
    PagedScanner scanner;
    try {
      QueryPlan plan = QueryPlanner.plan(table, query, clock.millis());
      scanner = new PagedScanner(plan, run(plan, query, whole(plan)));
      if (plan.conjunctions().stream().noneMatch(Conjunction::scansBase)) {
        return CompletableFuture.completedFuture(scanner);
      }
    } catch (IOException | IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
    return scanner.begun().thenApply(done -> scanner);
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
    PageSizing sizing = plan.sortsByTime() ? whole(plan) : PageSizing.onePage(page, plan.most());
    HitPages pages = run(plan, query, sizing);
    return pages
        .drain(
            next -> {
              hits.addAll(next.hits());
              read.clear();
              read.add(next);
              return !next.last() && hits.size() < enough;
            })
        .whenComplete((done, error) -> pages.close())
        .thenApply(done -> page(plan, hits, read.get(0)));
  }

  private static ValuePage page(QueryPlan plan, List<PlacedHit> hits, HitPage last) {
    return new ValuePage(
        hits.stream().map(PlacedHit::hit).toList(),
        last.next()
            .filter(place -> plan.continues())
            .map(place -> Continuations.write(plan.fingerprint(), place)));
  }

  /**
   * Runs a query as {@link #open} would, to its end or limit, to tell what that reads; fails with
   * what that throws.
   */
  public CompletableFuture<Explanation> explain(TableIndexes table, ValueQuery query) {
    QueryPlan plan;
    try {
      plan = QueryPlanner.plan(table, query, clock.millis());
    } catch (IOException | IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
    Tally tally = new Tally(connection);
    HitStream run = stream(plan, tally, tally.counting(verifier(plan, tally)), whole(plan));
    return sorted(plan, run)
        .drain(tally::goesOnBehind)
        .thenCompose(done -> tally.reads())
        .thenApply(reads -> explanation(plan, reads));
  }

  private Explanation explanation(QueryPlan plan, Reads reads) {
    PageSizing sizing = whole(plan);
    int rows = sizing.next(0);
    return new Explanation(
        plan.steps(),
        plan.sortsByTime(),
        plan.most(),
        rows,
        sizing.next(rows) > 0,
        plan.continues(),
        reads);
  }

  /** Of a run to the end; hits that must be sorted are all needed. */
  private PageSizing whole(QueryPlan plan) {
    return PageSizing.streaming(page, plan.sortsByTime() ? OptionalInt.empty() : plan.most());
  }

  private static HitPages sorted(QueryPlan plan, HitPages all) {
    return plan.sortsByTime() ? new MostRecent(all, plan.most().orElseThrow()) : all;
  }

  private HitPages run(QueryPlan plan, ValueQuery query, PageSizing sizing) {
    Requests plain = Requests.of(connection);
    if (!meter.isOn() && !slow.areTold()) {
      return sorted(plan, stream(plan, plain, verifier(plan, plain)::verify, sizing));
    }
    Measured run = new Measured(plan, query, meter, slow, plain);
    Requests counted = run.requests();
    return run.timed(
        sorted(plan, stream(plan, counted, run.verifier(verifier(plan, counted)), sizing)));
  }

  private static Verifier verifier(QueryPlan plan, Requests requests) {
    return new Verifier(plan, new BaseRows(requests, plan));
  }

  private HitStream stream(
      QueryPlan plan,
      Requests requests,
      Function<EntryPage, CompletableFuture<Verdict>> verifier,
      PageSizing sizing) {
    return new HitStream(plan, new EntryReader(requests, plan), verifier, repair, sizing);
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
