package io.deli.client.internal.read;

import io.deli.client.Explanation;
import io.deli.client.Explanation.Estimate;
import io.deli.client.Explanation.Reads;
import io.deli.client.ReadMetrics;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.ClientEnvironment;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.client.internal.metrics.ReadMeter;
import io.deli.client.internal.read.HitPage.PositionedHit;
import io.deli.client.internal.read.QueryMetrics.DetailedReader;
import io.deli.client.internal.read.Verifier.Verdict;
import io.deli.config.DeliSettings;
import io.deli.strategy.Index;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Answers queries by value. Thread-safe; what it opens is not.
 *
 * <p>A query that cannot be answered right is refused before anything is read. Closing stops read
 * repair; the connection stays the caller's.
 */
public final class QueryEngine implements AutoCloseable {
  private final ReadTables tables;
  private final InstantSource clock;
  private final int page;
  private final long memory;
  private final long skew;
  private final ReadMeter meter;
  private final SlowQueryLog slow;
  private final ReadRepair repair;

  public QueryEngine(
      AsyncConnection connection,
      Configuration configuration,
      ClientEnvironment environment,
      ClientMetrics metrics) {
    this.tables =
        new ReadTables(
            connection, DeliSettings.READ_DIRECT.get(configuration), environment.scheduler());
    this.clock = environment.clock();
    this.page = DeliSettings.READ_PAGE.get(configuration);
    this.memory = DeliSettings.READ_MEMORY.get(configuration);
    this.skew = DeliSettings.READ_SKEW.get(configuration);
    this.repair = new ReadRepair(connection, configuration, environment);
    this.meter = metrics.reads();
    this.slow = SlowQueryLog.of(configuration);
    repair.publish(metrics);
  }

  private QueryEngine(QueryEngine other, ReadTables tables) {
    this.tables = tables;
    this.clock = other.clock;
    this.page = other.page;
    this.memory = other.memory;
    this.skew = other.skew;
    this.repair = other.repair;
    this.meter = other.meter;
    this.slow = other.slow;
  }

  /**
   * Returns an engine for the queries of a table with settings of its own, to which its requests
   * keep. All else it shares with this one, and is closed with it.
   */
  public QueryEngine with(List<Consumer<AsyncTableBuilder<?>>> settings) {
    return settings.isEmpty() ? this : new QueryEngine(this, tables.with(settings));
  }

  /**
   * Starts a query by definitions that may change meanwhile, without waiting for the first page.
   * Fails with an {@link io.deli.client.IndexUnavailableException} if an index does not exist or
   * cannot be read, and with an {@link IllegalArgumentException} if the query cannot be answered
   * right.
   */
  public CompletableFuture<ValueScanner> begin(CurrentDefinitions definitions, ValueQuery query) {
    return run(definitions, query, this::whole).thenApply(PagedScanner::new);
  }

  /**
   * Reads one page: the hits that the limit allows, unless the results end before; without a limit,
   * what is found among the next entries, at least one hit unless the results end. Fails as {@link
   * #begin} does. Cancelled, it ends with the requests that are under way.
   */
  public CompletableFuture<ValuePage> page(CurrentDefinitions definitions, ValueQuery query) {
    CompletableFuture<QueryRun> run = run(definitions, query, this::onePage);
    CompletableFuture<ValuePage> page = run.thenCompose(QueryEngine::page);
    // Whoever cancels a future does not cancel what it depends on.
    FutureUtils.addListener(
        page,
        (read, error) -> {
          var unused = run.thenAccept(QueryRun::close);
        });
    return page;
  }

  private static CompletableFuture<ValuePage> page(QueryRun pages) {
    int enough = pages.plan().most().orElse(1);
    List<PositionedHit> hits = new ArrayList<>();
    List<HitPage> read = new ArrayList<>(1);
    return pages
        .drain(
            next -> {
              hits.addAll(next.hits());
              read.clear();
              read.add(next);
              return !next.last() && hits.size() < enough;
            })
        .whenComplete((done, error) -> pages.close())
        .thenApply(done -> page(pages.plan(), hits, read.get(0)));
  }

  private PageSizing onePage(QueryPlan plan) {
    return plan.sortsByTime() ? whole(plan) : PageSizing.onePage(page, plan.most());
  }

  private static ValuePage page(QueryPlan plan, List<PositionedHit> hits, HitPage last) {
    return new ValuePage(
        hits.stream().map(PositionedHit::hit).toList(),
        last.next()
            .filter(place -> plan.continues())
            .map(place -> Continuations.write(plan.fingerprint(), place)));
  }

  /**
   * Runs a query as {@link #begin} would, to its end or limit, to tell what that reads; fails as
   * that does.
   */
  public CompletableFuture<Explanation> explain(CurrentDefinitions definitions, ValueQuery query) {
    return definitions.boundedBy(tables).query(known -> explain(known, query));
  }

  private CompletableFuture<Explanation> explain(KnownIndexes table, ValueQuery query) {
    QueryPlan plan;
    try {
      plan = QueryPlanner.plan(table, query, clock.millis());
    } catch (IOException | IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
    DetailedReader detailed = new DetailedReader(tables);
    QueryMetrics metrics = new QueryMetrics(detailed);
    SmallestCondition smallest = smallest(plan, metrics);
    Note counting = (index, entries, verdict) -> metrics.count(entries, verdict);
    return stream(smallest, counting, whole(plan), seenRows())
        .drain(metrics::countHits)
        .thenCompose(done -> smallest.estimates())
        .thenCompose(
            estimates ->
                metrics.reads(detailed).thenApply(reads -> explanation(plan, estimates, reads)));
  }

  private SmallestCondition smallest(QueryPlan plan, TableReader requests) {
    return new SmallestCondition(new BaseRows(requests, plan), repair, page);
  }

  private Explanation explanation(QueryPlan plan, List<Estimate> estimates, Reads reads) {
    PageSizing sizing = whole(plan);
    boolean newestFirst = plan.looksNewestFirst();
    int rows = newestFirst ? NewestFirst.firstRows(plan, page) : sizing.next(0);
    return new Explanation(
        plan.steps(),
        plan.sortsByTime(),
        plan.most(),
        rows,
        !newestFirst && sizing.next(rows) > 0,
        plan.continues(),
        estimates,
        reads);
  }

  /** Returns page sizes for a run to its end; to be sorted, all hits are needed. */
  private PageSizing whole(QueryPlan plan) {
    return PageSizing.streaming(page, plan.sortsByTime() ? OptionalInt.empty() : plan.most());
  }

  private CompletableFuture<QueryRun> run(
      CurrentDefinitions definitions, ValueQuery query, Function<QueryPlan, PageSizing> sizes) {
    CurrentDefinitions current = definitions.boundedBy(tables);
    return current.query(
        known -> {
          try {
            return CompletableFuture.completedFuture(
                new QueryRun(this, current, known, query, sizes));
          } catch (IOException | IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
          }
        });
  }

  InstantSource clock() {
    return clock;
  }

  /** Returns a memory of rows, for a query and all plans that it comes to have. */
  SeenRows seenRows() {
    return new SeenRows(memory);
  }

  /** Runs a plan from where it is at, until it is closed. */
  HitPages run(
      QueryPlan plan, ValueQuery query, PageSizing sizing, SeenRows rows, BooleanSupplier closed) {
    ReadTables reader = tables.until(closed);
    if (!meter.isOn() && !slow.areTold()) {
      Note none = (index, entries, verdict) -> {};
      return stream(smallest(plan, reader), none, sizing, rows);
    }
    QueryMetrics metrics = new QueryMetrics(reader);
    HitPages pages =
        stream(
            smallest(plan, metrics),
            (index, entries, verdict) -> {
              metrics.count(entries, verdict);
              meter.read(index, entries.entries(), verdict.suspects().size());
            },
            sizing,
            rows);
    return metrics.metered(pages, plan, query, meter, slow);
  }

  /** Hears of each page of entries that was verified. */
  private interface Note {
    void take(Index index, EntryPage page, Verdict verdict);
  }

  private HitPages stream(SmallestCondition smallest, Note note, PageSizing sizing, SeenRows seen) {
    BaseRows rows = smallest.rows();
    QueryPlan plan = rows.plan();
    RowDecision decision = new RowDecision(rows, seen, Math.max(0, plan.begun() - skew));
    boolean byVersion = plan.options().versions() > 1;
    Verifier verifier = new Verifier(rows, byVersion ? Verifier.byVersion(rows) : decision);
    Function<EntryPage, CompletableFuture<Verdict>> noted =
        entries ->
            verifier
                .verify(entries)
                .thenApply(
                    verdict -> {
                      Index index = plan.conjunctions().get(entries.conjunction()).index();
                      note.take(index, entries, verdict);
                      repair.suspect(index, verdict.suspects());
                      return verdict;
                    });
    NewestHits newest = NewestHits.of(plan);
    CatchUpScan.Source scan =
        plan.looksNewestFirst()
            ? new NewestFirst(smallest, noted, sizing, memory, newest)
            : new HitStream(smallest, noted, sizing);
    HitPages all =
        byVersion
            ? scan
            : new CatchUpScan(
                scan,
                decision,
                sizing,
                since -> smallest.changed(since, newest.since(), clock.millis()));
    // Sorted even if entries come newest first: a row may be written again meanwhile.
    return plan.options().mostRecent().isPresent() ? mostRecent(all, newest) : all;
  }

  /** Draws the pages of a whole run, and makes one of the newest hits. */
  private static HitPages mostRecent(HitPages all, NewestHits newest) {
    return () ->
        all.drain(
                page -> {
                  page.hits().forEach(newest::add);
                  return !page.last();
                })
            .thenApply(done -> new HitPage(newest.newestFirst(), Optional.empty(), true));
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
