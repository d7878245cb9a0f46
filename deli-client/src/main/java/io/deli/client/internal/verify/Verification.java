package io.deli.client.internal.verify;

import io.deli.client.ProgressListener;
import io.deli.client.VerifyFailedException;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import io.deli.client.internal.KeyRange;
import io.deli.client.internal.RangeSplitter;
import io.deli.client.internal.RateLimiter;
import io.deli.client.internal.TaggedConnection;
import io.deli.client.internal.verify.IndexPass.Ages;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.Index;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
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

/** Runs the passes of a verification, one after the other. Not thread-safe. */
public final class Verification {
  private final Connection connection;
  private final Index index;
  private final VerifyOptions options;
  private final ProgressListener progress;
  private final Findings findings;
  private final RateLimiter limiter;
  private final long begun = System.nanoTime();

  private final IndexTableReader entries;
  private BaseTableReader base;
  private Ages ages;
  private TaskQueue tasks;

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
    this.entries = new IndexTableReader(connection, index);
    this.settled =
        options
            .position()
            .orElse(new VerifyPosition(VerifyPosition.Pass.BASE, HConstants.EMPTY_START_ROW));
  }

  public VerifyReport run() throws IOException {
    if (!options.repair()) {
      return run(connection);
    }
    // Entries are to be those that garbage collection will name, by the write ids in the tags.
    try (Connection own = TaggedConnection.open(connection)) {
      return run(own);
    }
  }

  private VerifyReport run(Connection reading) throws IOException {
    base = new BaseTableReader(reading, index);
    try (Table table = base.open()) {
      ages = ages(table.getDescriptor());
    }
    try (TaskQueue queue = new TaskQueue(options.threads())) {
      tasks = queue;
      return findings.report(compareAll());
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  private VerifyFailedException failed(Exception cause) {
    if (cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException)) {
      Thread.currentThread().interrupt();
    }
    return new VerifyFailedException(findings.report(Optional.of(settled)), cause);
  }

  private Ages ages(TableDescriptor table) {
    ColumnFamilyDescriptor family = table.getColumnFamily(index.column().family());
    if (family == null) {
      throw new InvalidIndexException(
          "index '%3$s' cannot be verified: table %1$s no longer has the family of column %2$s. Drop the index."
              .formatted(index.baseTable(), index.column(), index.name()));
    }
    return new Ages(
        DeliSettings.REPAIR_GRACE.get(connection.getConfiguration()), family.getTimeToLive());
  }

  private Optional<VerifyPosition> compareAll() throws IOException {
    KeyRange all = new KeyRange(options.from(), options.to());
    KeyRangeSet ranges = options.sums() ? differing(all) : new KeyRangeSet(List.of(all));
    return ranges.isEmpty() ? Optional.empty() : compare(ranges);
  }

  /** The index is ordered by value: it is read once, for all ranges together. */
  private Optional<VerifyPosition> compare(KeyRangeSet ranges) throws IOException {
    if (settled.pass() == VerifyPosition.Pass.BASE) {
      byte[] start = settled.row();
      for (KeyRange range : ranges.inOrder()) {
        BasePass pass = new BasePass(index, base, entries, findings, options, range);
        Optional<byte[]> rest = run(pass, start);
        if (rest.isPresent()) {
          return rest.map(next -> new VerifyPosition(VerifyPosition.Pass.BASE, next));
        }
      }
      settled = new VerifyPosition(VerifyPosition.Pass.INDEX, HConstants.EMPTY_START_ROW);
    }
    IndexPass pass = new IndexPass(index, base, entries, findings, options, ages, ranges);
    return run(pass, settled.row())
        .map(next -> new VerifyPosition(VerifyPosition.Pass.INDEX, next));
  }

  /** The key ranges in which not every old version has its entries, or an entry its version. */
  private KeyRangeSet differing(KeyRange all) throws IOException {
    KeyRangeSet whole = new KeyRangeSet(List.of(all));
    BasePass versions = new BasePass(index, base, entries, findings, options, all);
    IndexPass present = new IndexPass(index, base, entries, findings, options, ages, whole);
    List<KeyRange> ranges = all.splitAt(cuts(index.baseTable()));
    RangeChecksums sums =
        new RangeChecksums(ranges, System.currentTimeMillis() - ages.graceMillis());
    sum(versions, ranges, row -> addWanted(row, sums));
    sum(
        present,
        new KeyRange(new byte[0], new byte[0]).splitAt(cuts(index.table())),
        row -> addPresent(row, sums));
    return new KeyRangeSet(sums.differing());
  }

  private byte[][] cuts(TableName table) throws IOException {
    return RangeSplitter.split(connection, table).stream()
        .map(KeyRange::start)
        .toArray(byte[][]::new);
  }

  private void sum(Pass pass, List<KeyRange> ranges, ToIntFunction<Result> summand)
      throws IOException {
    for (KeyRange range : ranges) {
      Scan scan = range.restrict(pass.scan(range.start()));
      tasks.submit(() -> sum(pass, scan, summand), () -> report(pass));
      tasks.settle();
    }
    tasks.settleAll();
  }

  private void sum(Pass pass, Scan scan, ToIntFunction<Result> summand) throws IOException {
    int taken = 0;
    try (Table table = pass.open();
        ResultScanner rows = table.getScanner(scan.setCacheBlocks(false))) {
      for (Result piece = rows.next(); piece != null; piece = rows.next()) {
        taken += summand.applyAsInt(piece);
        if (taken >= limiter.pageSize()) {
          limiter.acquire(taken);
          taken = 0;
        }
      }
      limiter.acquire(taken);
    }
  }

  private int addWanted(Result row, RangeChecksums sums) {
    for (Cell version : index.included(row)) {
      findings.comparedVersion();
      IndexPass.entriesOf(index, version).forEach(sums::addWanted);
    }
    return row.size();
  }

  /** Two entries of one version, which differ in their write ids, count once. */
  private int addPresent(Result row, RangeChecksums sums) {
    IndexTableReader.Content content = entries.read(row);
    if (content.unreadable() > 0) {
      sums.foundUnreadable();
    }
    Set<Entry> distinct = new LinkedHashSet<>();
    for (Entry entry : content.entries()) {
      distinct.add(IndexTableReader.withoutId(entry));
    }
    for (Entry entry : distinct) {
      if (sums.addPresent(entry)) {
        findings.comparedEntry();
      }
    }
    return distinct.size();
  }

  /** Runs a pass; returns the row at which it ran out of time, if it did. */
  private Optional<byte[]> run(Pass pass, byte[] start) throws IOException {
    int most = options.rate() == 0 ? Pass.WINDOW : Math.min(Pass.WINDOW, options.rate());
    Optional<byte[]> rest = Optional.empty();
    byte[] row = null;
    try (Table table = pass.open();
        ResultScanner rows = table.getScanner(pass.scan(start).setCacheBlocks(false))) {
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
          compare(pass, row);
        }
      }
    }
    compare(pass, row);
    tasks.settleAll();
    return rest;
  }

  /**
   * Has the window compared that ends in the row. From there the verification can be resumed once
   * this window and those before it are done; the row's remaining partial results are read again.
   */
  private void compare(Pass pass, byte[] row) throws IOException {
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
    tasks.settle();
  }

  private void report(Pass pass) {
    progress.progress("verifying rows of " + pass.name(), findings.compared(), 0);
  }

  /** At least one row is done before, so that whoever goes on always gets further. */
  private boolean isTimeUp() {
    return options.time().isPresent()
        && System.nanoTime() - begun >= options.time().get().toNanos();
  }
}
