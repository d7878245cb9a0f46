package io.deli.client.internal.verify;

import io.deli.client.IndexUnavailableException;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.VerifyEngine;
import io.deli.client.VerifyFailedException;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import io.deli.client.internal.KeyRange;
import io.deli.client.internal.RangeSplitter;
import io.deli.client.internal.RateLimiter;
import io.deli.client.internal.TaggedConnection;
import io.deli.client.internal.TaskQueue;
import io.deli.client.internal.verify.IndexPass.Ages;
import io.deli.client.internal.verify.Pass.Sides;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/**
 * Runs the passes of a verification, one after the other, or has an engine run them in parts. Not
 * thread-safe.
 */
public final class Verification {
  private static final VerifyPosition BEGINNING =
      new VerifyPosition(VerifyPosition.Pass.BASE, HConstants.EMPTY_START_ROW);

  private final Connection connection;
  private final Index index;
  private final VerifyOptions options;
  private final ProgressListener progress;
  private final Findings findings;
  private final RateLimiter limiter;
  private final long begun = System.nanoTime();

  /** The position to resume from if the run ended now. */
  private VerifyPosition settled;

  /**
   * @param index of a strategy that keeps a table
   */
  public Verification(
      Connection connection, Index index, VerifyOptions options, ProgressListener progress) {
    this.connection = connection;
    this.index = index;
    this.options = options;
    this.progress = progress;
    this.findings = new Findings(options.samples());
    this.limiter = new RateLimiter(options.rate());
    this.settled = options.position().orElse(BEGINNING);
  }

  public VerifyReport run() throws IOException {
    return open(
        sides -> {
          try (TaskQueue tasks = new TaskQueue(options.threads())) {
            return findings.report(run(sides, tasks));
          } catch (IOException | RuntimeException e) {
            throw failed(e);
          }
        });
  }

  /** Has an engine run the steps; it cannot be resumed. */
  public VerifyReport run(VerifyEngine engine) throws IOException {
    if (options.position().isPresent() || options.time().isPresent() || options.rate() > 0) {
      throw new IllegalArgumentException(
          "an engine compares all at full speed: give no position, no time and no rate");
    }
    KeyRange all = new KeyRange(options.from(), options.to());
    List<KeyRange> ranges = List.of(all);
    long settledUntil = System.currentTimeMillis() - open(Sides::ages).graceMillis();
    if (options.sums()) {
      ranges = all.splitAt(cuts(index.baseTable()));
      RangeChecksums sums = new RangeChecksums(ranges, settledUntil);
      sums.add(run(engine, ranges, OptionalLong.of(settledUntil)));
      ranges = sums.differing();
    }
    if (!ranges.isEmpty()) {
      run(engine, ranges, OptionalLong.empty());
    }
    return findings.report(Optional.empty());
  }

  private List<Long> run(VerifyEngine engine, List<KeyRange> ranges, OptionalLong until)
      throws IOException {
    List<ValueQuery.Rows> rows =
        ranges.stream().map(range -> new ValueQuery.Rows(range.start(), range.stop())).toList();
    VerifyEngine.Outcome outcome =
        engine.run(connection, new VerifyEngine.Step(index, options, rows, until), progress);
    findings.add(outcome.report());
    return outcome.sums();
  }

  /** Runs a part of a step: some rows of the one table or the other. */
  public VerifyEngine.Outcome run(
      VerifyEngine.Step step, VerifyPosition.Pass direction, ValueQuery.Rows rows)
      throws IOException {
    KeyRange part = new KeyRange(rows.from(), rows.before());
    List<KeyRange> ranges =
        step.ranges().stream().map(each -> new KeyRange(each.from(), each.before())).toList();
    boolean isBase = direction == VerifyPosition.Pass.BASE;
    return open(
        sides -> {
          Pass pass =
              isBase ? new BasePass(sides, part) : new IndexPass(sides, new KeyRangeSet(ranges));
          Scan scan = part.restrict(pass.scan(part.start()));
          List<Long> differences = List.of();
          if (step.until().isPresent()) {
            RangeChecksums sums = new RangeChecksums(ranges, step.until().getAsLong());
            sum(pass, scan, isBase ? versions(sums) : entries(sides, sums), () -> report(pass));
            differences = sums.differences();
          } else {
            try (TaskQueue tasks = new TaskQueue(options.threads())) {
              run(pass, scan, tasks);
            }
          }
          return new VerifyEngine.Outcome(findings.report(Optional.empty()), differences);
        });
  }

  private Sides sides(Connection reading) throws IOException {
    BaseTableReader base = new BaseTableReader(reading, index);
    IndexTableReader entries = new IndexTableReader(connection, index);
    try (Table table = base.open()) {
      base.requireFamilies(table.getDescriptor());
      Ages ages = ages(table.getDescriptor());
      return new Sides(index, base, entries, findings, options.repair(), ages);
    }
  }

  /** Work with both tables. */
  @FunctionalInterface
  private interface Work<T> {
    T run(Sides sides) throws IOException;
  }

  private <T> T open(Work<T> work) throws IOException {
    if (!options.repair()) {
      return work.run(sides(connection));
    }
    // Entries are to be those that garbage collection will name, by the write ids in the tags.
    try (Connection own = TaggedConnection.open(connection)) {
      return work.run(sides(own));
    }
  }

  private VerifyFailedException failed(Exception failure) {
    Exception cause = failure;
    if (ExceptionUtil.isInterrupt(failure)) {
      Thread.currentThread().interrupt();
    } else {
      try {
        new BaseTableReader(connection, index).requireMaintained();
      } catch (IndexUnavailableException e) {
        // By then there may be another table to compare with.
        settled = BEGINNING;
        cause = e;
        cause.addSuppressed(failure);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    return new VerifyFailedException(findings.report(Optional.of(settled)), cause);
  }

  private Ages ages(TableDescriptor base) {
    ColumnFamilyDescriptor family = base.getColumnFamily(index.column().family());
    return new Ages(
        DeliSettings.REPAIR_GRACE.get(connection.getConfiguration()), family.getTimeToLive());
  }

  private Optional<VerifyPosition> run(Sides sides, TaskQueue tasks) throws IOException {
    KeyRange all = new KeyRange(options.from(), options.to());
    KeyRangeSet ranges =
        new KeyRangeSet(options.sums() ? differing(all, sides, tasks) : List.of(all));
    return ranges.isEmpty() ? Optional.empty() : compare(sides, ranges, tasks);
  }

  /** The index is ordered by value: it is read once, for all ranges together. */
  private Optional<VerifyPosition> compare(Sides sides, KeyRangeSet ranges, TaskQueue tasks)
      throws IOException {
    if (settled.pass() == VerifyPosition.Pass.BASE) {
      byte[] start = settled.row();
      for (KeyRange range : ranges.inOrder()) {
        BasePass pass = new BasePass(sides, range);
        Optional<byte[]> rest = run(pass, pass.scan(start), tasks);
        if (rest.isPresent()) {
          return rest.map(next -> new VerifyPosition(VerifyPosition.Pass.BASE, next));
        }
      }
      settled = new VerifyPosition(VerifyPosition.Pass.INDEX, HConstants.EMPTY_START_ROW);
    }
    IndexPass pass = new IndexPass(sides, ranges);
    return run(pass, pass.scan(settled.row()), tasks)
        .map(next -> new VerifyPosition(VerifyPosition.Pass.INDEX, next));
  }

  /** The key ranges in which not every old version has its entries, or an entry its version. */
  private List<KeyRange> differing(KeyRange all, Sides sides, TaskQueue tasks) throws IOException {
    List<KeyRange> ranges = all.splitAt(cuts(index.baseTable()));
    RangeChecksums sums =
        new RangeChecksums(ranges, System.currentTimeMillis() - sides.ages().graceMillis());
    sum(new BasePass(sides, all), ranges, versions(sums), tasks);
    sum(
        new IndexPass(sides, new KeyRangeSet(List.of(all))),
        new KeyRange(new byte[0], new byte[0]).splitAt(cuts(index.table())),
        entries(sides, sums),
        tasks);
    return sums.differing();
  }

  private byte[][] cuts(TableName table) throws IOException {
    return RangeSplitter.split(connection, table).stream()
        .map(KeyRange::start)
        .toArray(byte[][]::new);
  }

  private void sum(Pass pass, List<KeyRange> ranges, ToIntFunction<Result> summand, TaskQueue tasks)
      throws IOException {
    for (KeyRange range : ranges) {
      Scan scan = range.restrict(pass.scan(range.start()));
      tasks.submit(() -> sum(pass, scan, summand, () -> {}), () -> report(pass));
      tasks.settle(() -> report(pass));
    }
    tasks.settleAll(() -> report(pass));
  }

  private void sum(Pass pass, Scan scan, ToIntFunction<Result> summand, Runnable page)
      throws IOException {
    int taken = 0;
    try (Table table = pass.open();
        ResultScanner rows = table.getScanner(scan.setCacheBlocks(false))) {
      for (Result piece = rows.next(); piece != null; piece = rows.next()) {
        taken += summand.applyAsInt(piece);
        if (taken >= limiter.pageSize()) {
          limiter.acquire(taken);
          taken = 0;
          page.run();
        }
      }
      limiter.acquire(taken);
    }
  }

  private ToIntFunction<Result> versions(RangeChecksums sums) {
    return row -> {
      for (Cell version : index.included(row)) {
        findings.comparedVersion();
        IndexPass.entriesOf(index, version).forEach(sums::addWanted);
      }
      return row.size();
    };
  }

  private ToIntFunction<Result> entries(Sides sides, RangeChecksums sums) {
    return row -> add(row, sides.entries(), sums);
  }

  /** Two entries of one version, which differ in their write ids, count once. */
  private int add(Result row, IndexTableReader entries, RangeChecksums sums) {
    IndexTableReader.Content content = entries.read(row);
    if (content.unreadable() > 0) {
      sums.foundUnreadable();
    }
    Set<Entry> distinct = new LinkedHashSet<>();
    for (Entry entry : content.entries()) {
      distinct.add(entry.withoutId());
    }
    for (Entry entry : distinct) {
      if (sums.addPresent(entry)) {
        findings.comparedEntry();
      }
    }
    return distinct.size();
  }

  /** Runs a pass; returns the row at which it ran out of time, if it did. */
  private Optional<byte[]> run(Pass pass, Scan scan, TaskQueue tasks) throws IOException {
    int most = options.rate() == 0 ? Pass.WINDOW : Math.min(Pass.WINDOW, options.rate());
    Optional<byte[]> rest = Optional.empty();
    byte[] row = null;
    try (Table table = pass.open();
        ResultScanner rows = table.getScanner(scan.setCacheBlocks(false))) {
      for (Result piece = rows.next(); piece != null; piece = rows.next()) {
        if (!Arrays.equals(row, piece.getRow())) {
          if (row != null && isTimeUp()) {
            rest = Optional.of(piece.getRow());
            break;
          }
          row = piece.getRow();
        }
        pass.take(piece);
        if (pass.isFull(most)) {
          compare(pass, row, tasks);
        }
      }
    }
    compare(pass, row, tasks);
    tasks.settleAll(() -> report(pass));
    return rest;
  }

  /**
   * Has the window compared that ends in the row. From there the verification can be resumed once
   * this window and those before it are done; the row's remaining partial results are read again.
   */
  private void compare(Pass pass, byte[] row, TaskQueue tasks) throws IOException {
    int taken = pass.taken();
    if (taken == 0) {
      return;
    }
    VerifyPosition end = new VerifyPosition(settled.pass(), row);
    tasks.submit(
        pass.next(),
        () -> {
          settled = end;
          progress.resumable(end.toString());
          report(pass);
        });
    limiter.acquire(taken);
    tasks.settle(() -> report(pass));
  }

  private void report(Pass pass) {
    progress.progress("verifying rows of " + pass.name, findings.compared(), 0);
  }

  /** At least one row is done before, so that whoever goes on always gets further. */
  private boolean isTimeUp() {
    return options.time().isPresent()
        && System.nanoTime() - begun >= options.time().get().toNanos();
  }
}
