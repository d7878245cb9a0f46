package io.deli.client.internal.read;

import io.deli.client.IndexUnavailableException;
import io.deli.client.internal.Futures;
import io.deli.client.internal.KeyRange;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.entry.Buckets;
import io.deli.entry.Entry;
import io.deli.service.IndexTableErrors;
import io.deli.service.TokenScan;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads the entries of a plan, a page at a time: one scan request within a region, or one for each
 * bucket. One page after the other; not thread-safe.
 */
final class EntryReader {
  /**
   * Entries of a value that a row was put with again and again, where one is enough to look at the
   * row. There may be any number until a compaction; the others are for repair. Several versions
   * need all of them. The most recent hits need the newest, and of writes with an identity, which
   * have columns of their own, all.
   */
  private static final int ENTRIES_OF_A_ROW = 16;

  private final TableReader requests;
  private final QueryPlan plan;
  private final TimeSpan times;
  private final PostingListReader lists;
  private final BucketMerge buckets;
  private int scans;
  private ScanCollector last = ScanCollector.all();

  EntryReader(TableReader requests, QueryPlan plan) {
    this(requests, plan, new TimeSpan(0, plan.timeEnd()));
  }

  /** Creates a reader of the entries of a time. */
  EntryReader(TableReader requests, QueryPlan plan, TimeSpan times) {
    this.requests = requests;
    this.plan = plan;
    this.times = times;
    this.lists = new PostingListReader(requests, plan, times);
    this.buckets = new BucketMerge(requests, reversed(), this::scan);
  }

  /**
   * A span of time, in milliseconds.
   *
   * @param start inclusive
   * @param end exclusive
   */
  record TimeSpan(long start, long end) {}

  private int scans() {
    return scans + lists.scans();
  }

  /** Whether all that was read of the plan was seen at one moment: by one request. */
  boolean sawOneMoment() {
    if (!plan.at().isAt(plan.start()) || scans() > 1) {
      return false;
    }
    return scans() == 0
        || (plan.conjunctions().size() == 1
            && (lists.scans() == 1 ? lists.last() : last).tookOneRequest());
  }

  /** Reads the entries behind a position, from at most that many rows. */
  CompletableFuture<EntryPage> read(Position from, int rows) {
    List<Conjunction> together =
        plan.together(from.conjunction()).stream()
            .filter(each -> !each.lookup().tokens().isEmpty())
            .toList();
    if (together.isEmpty()) {
      return CompletableFuture.completedFuture(page(together, from, rows, List.of()));
    }
    Conjunction conjunction = together.get(0);
    Lookup lookup = conjunction.lookup();
    if (lookup.rows() == Lookup.Rows.LISTS) {
      return lists.read(from, rows);
    }
    // A row begun is read again, and counts for nothing new.
    int limit = from.behindWholeRow() ? rows : rows + 1;
    scans++;
    return explained(conjunction, results(together, from, limit))
        .thenApply(results -> page(together, from, limit, results));
  }

  private CompletableFuture<List<Result>> results(
      List<Conjunction> together, Position from, int limit) {
    Lookup lookup = together.get(0).lookup();
    if (lookup.buckets().areSalted()) {
      return buckets.read(lookup, from, limit);
    }
    Scan scan = scan(lookup, from, limit);
    if (together.get(0).scansBase()) {
      return base(scan, together, from);
    }
    last = ScanCollector.all();
    requests.scan(lookup.table(), scan, last);
    return last.results();
  }

  /** Has a scan fail with its cause, or an explanation if that is a missing or disabled table. */
  static CompletableFuture<List<Result>> explained(
      Conjunction conjunction, CompletableFuture<List<Result>> scan) {
    return scan.exceptionally(
        error -> {
          throw new CompletionException(explained(conjunction, Futures.unwrap(error)));
        });
  }

  private static Throwable explained(Conjunction conjunction, Throwable error) {
    return IndexTableErrors.isCause(error) && !conjunction.scansBase()
        ? new IndexUnavailableException(
            IndexTableErrors.message(
                conjunction.index().baseTable(),
                conjunction.lookup().table().getNameAsString(),
                error),
            error)
        : error;
  }

  private Scan scan(Lookup lookup, Position from, int limit) {
    Scan scan = ofEntries(plan).setLimit(limit).setCaching(limit);
    if (plan.options().versions() == 1) {
      scan.readVersions(ENTRIES_OF_A_ROW);
      if (plan.options().mostRecent().isEmpty() && !lookup.table().equals(plan.base())) {
        scan.setMaxResultsPerColumnFamily(ENTRIES_OF_A_ROW);
      }
    }
    return lookup.since(times.start(), times.end(), within(scan, lookup, from));
  }

  /** Makes a scan that counts its requests where it matters whether it saw one moment. */
  static Scan ofEntries(QueryPlan plan) {
    Scan scan =
        new Scan()
            .readAllVersions()
            .setReversed(plan.options().reversed())
            .setReadType(Scan.ReadType.PREAD);
    return plan.conjunctions().size() > 1 || plan.hasOnePlacePerRow()
        ? scan
        : scan.setScanMetricsEnabled(true);
  }

  /** Restricts a scan to the rows behind a position, in its direction. */
  static Scan within(Scan scan, Lookup lookup, Position from) {
    boolean reversed = scan.isReversed();
    byte[] first = reversed ? lookup.stopRow() : lookup.startRow();
    byte[] last = reversed ? lookup.startRow() : lookup.stopRow();
    if (from.atStart()) {
      scan.withStartRow(first, !reversed || first.length == 0);
    } else {
      scan.withStartRow(from.row(), !from.behindWholeRow());
    }
    return lookup.skipGaps(scan.withStopRow(last, reversed));
  }

  private CompletableFuture<List<Result>> base(
      Scan scan, List<Conjunction> together, Position from) {
    scan.readVersions(plan.options().versions()).setReadType(Scan.ReadType.DEFAULT);
    plan.columns().forEach(column -> scan.addColumn(column.family(), column.qualifier()));
    // To find the newest is dear, and done with the first page.
    OptionalInt newest = from.atStart() ? plan.newest() : OptionalInt.empty();
    TokenScan.ask(List.of(scan), together.stream().map(each -> each.tokenScan(newest)).toList());
    // What reads every row takes longer than one request may.
    boolean searched =
        together.stream()
            .allMatch(each -> each.index().strategy().fileIndexing() != FileIndexing.NONE);
    return searched && !reversed()
        ? requests.scanServers(plan.base(), scan)
        : requests.scanAll(plan.base(), scan);
  }

  private boolean reversed() {
    return plan.options().reversed();
  }

  private EntryPage page(
      List<Conjunction> together, Position from, int limit, List<Result> results) {
    KeyRange rows = plan.rows();
    Buckets salt = plan.conjunctions().get(from.conjunction()).lookup().buckets();
    List<EntryGroup> groups = new ArrayList<>(results.size());
    byte[] row = from.row();
    for (Result result : results) {
      row = salt.unsalted(result.getRow());
      List<Entry> entries = new ArrayList<>();
      for (Conjunction each : together) {
        // Rows on the way through a rectangle are outside of it, too.
        each.lookup().entries().apply(result).stream()
            .filter(entry -> each.lookup().tokens().contains(entry.token()))
            .filter(entry -> rows.contains(entry.key()))
            .forEach(entries::add);
      }
      if (reversed()) {
        Collections.reverse(entries);
      }
      if (Arrays.equals(row, from.row())) {
        entries.removeIf(entry -> from.passed(entry, reversed()));
      }
      groups.add(new EntryGroup(entries, Position.behindRow(from.conjunction(), row)));
    }
    Optional<Map<byte[], Result>> bases =
        plan.conjunctions().get(from.conjunction()).scansBase()
            ? Optional.of(BaseRows.byKey(results.stream().map(Result::getRow).toList(), results))
            : Optional.empty();
    Optional<Position> next =
        results.size() < limit
            ? plan.behind(from.conjunction())
            : Optional.of(Position.behindRow(from.conjunction(), row));
    return new EntryPage(from.conjunction(), groups, bases, next);
  }
}
