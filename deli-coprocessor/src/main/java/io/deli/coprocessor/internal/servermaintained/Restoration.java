package io.deli.coprocessor.internal.servermaintained;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.hbase.BatchShape;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.internal.postinglist.RowLocks;
import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.spi.Contained;
import io.deli.entry.WriteId;
import io.deli.strategy.ColumnVersions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;

/**
 * Restores the entries of versions that deletes expose, whoever maintains the index. Thread-safe.
 *
 * <p>The delete of an exact version, or of the latest, makes an older one living again, whose
 * entries may be collected already, or be so at this moment. It goes so:
 *
 * <ol>
 *   <li>Before its row is locked, the delete is met: the row is read, and what the delete will
 *       expose, see {@link ColumnVersions}, gets entries under a write id of its own, which no
 *       delete of the old ones, under way from a compaction, can name. Those of a batch go together
 *       and are waited for.
 *   <li>When it is about to be applied, the row is read again. If the delete would expose what has
 *       no such entries by now, its writer is sent back to try again. Otherwise the restored
 *       versions are put once more, in the delete's own log entry: the same cells with the new ids
 *       as tags. So a compaction, which sees the newer of two equal versions stay and the older
 *       die, deletes the old entry, and whenever the newer one dies, that one's.
 * </ol>
 *
 * <p>A version is put again only if nothing hides it and the batch does not write its place itself:
 * readers see no difference. Entries that turn out to be in vain are taken back. What fails in
 * between leaves entries that no version knows; a sweep of the index finds them.
 *
 * <p>HBase lets deletes of one row be applied side by side. Two of them may expose what neither
 * does alone, so here one waits for the other.
 */
public final class Restoration {
  /**
   * The time for which each delete is restored by itself, after a batch that differed from its
   * request.
   */
  private static final long CAUTION_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long PATIENCE_MILLIS = 1_000;

  /** The entries that the thread has yet to send. */
  private static final ThreadLocal<Unsent> UNSENT = new ThreadLocal<>();

  private final Region region;
  private final List<ForgetfulColumn> columns;
  private final BlockingEntrySender sender;
  private final Consumer<IndexDelete> withdrawals;
  private final long lateNanos;
  private final RowLocks rows = new RowLocks(PATIENCE_MILLIS);
  private final ConcurrentMap<Mutation, Restored> restored = new MapMaker().weakKeys().makeMap();
  private volatile long surprised = System.nanoTime() - CAUTION_NANOS;

  /**
   * @param problems is told what is malformed in the settings
   */
  public Restoration(
      RegionCoprocessorEnvironment env,
      TableIndexes indexes,
      ServerResources server,
      Consumer<String> problems) {
    region = env.getRegion();
    columns = ForgetfulColumn.of(region.getTableDescriptor(), indexes);
    sender = new BlockingEntrySender(env, server, problems);
    withdrawals = server::repair;
    lateNanos =
        TimeUnit.MILLISECONDS.toNanos(
                DeliSettings.REPAIR_GRACE.get(env.getConfiguration(), problems))
            / 2;
  }

  /** A version with entries under an id of their own. */
  private record Version(ForgetfulColumn column, Cell cell, WriteId id) {
    boolean isOf(ForgetfulColumn other, Cell there) {
      return column.equals(other)
          && cell.getTimestamp() == there.getTimestamp()
          && CellUtil.matchingValue(cell, there)
          && WriteId.of(cell).equals(WriteId.of(there));
    }
  }

  /** The versions restored for a delete. Used by one thread. */
  private static final class Restored {
    final List<Version> versions = new ArrayList<>(1);
    final long begun = MutationEntries.now();
    boolean acknowledged;
  }

  /** The deletes of a batch that HBase has shown so far. Used by one thread. */
  private static final class Unsent {
    final WALEdit batch;
    final BatchShape shape;
    final Map<ByteBuffer, List<Cell>> markers = new TreeMap<>();
    final List<Restored> restored = new ArrayList<>();
    final List<IndexPut> puts = new ArrayList<>();
    int met;

    Unsent(WALEdit batch, BatchShape shape) {
      this.batch = batch;
      this.shape = shape;
    }
  }

  /**
   * Restores the versions that a delete may expose, or prepares that if more deletes of its batch
   * are to come.
   *
   * @throws IOException if the entries are not acknowledged; the delete must not be applied then
   */
  public void met(Delete delete, WALEdit batch) throws IOException {
    if (columns.isEmpty()) {
      return;
    }
    try {
      Contained.run(() -> restore(delete, unsent(batch)), this::failure);
    } catch (IOException e) {
      UNSENT.remove();
      throw e;
    }
  }

  private Unsent unsent(WALEdit batch) {
    Unsent unsent = UNSENT.get();
    if (unsent == null || unsent.batch != batch) {
      BatchShape shape = BatchShape.ofCall(region.getRegionInfo().getRegionName());
      boolean careful = System.nanoTime() - surprised < CAUTION_NANOS;
      unsent = new Unsent(batch, careful ? shape.apart() : shape);
      UNSENT.set(unsent);
    }
    return unsent;
  }

  private void restore(Delete delete, Unsent unsent) throws IOException {
    Restored all = new Restored();
    List<Cell> markers =
        unsent.markers.computeIfAbsent(ByteBuffer.wrap(delete.getRow()), row -> new ArrayList<>(1));
    delete.getFamilyCellMap().values().forEach(markers::addAll);
    WriteId id = ServerMaintainedWrites.fresh();
    for (ForgetfulColumn column : columns) {
      if (column.isExposedBy(column.family(delete))) {
        ColumnVersions versions = column.read(region, delete.getRow());
        for (Cell exposed : column.resurrectedBy(versions, ofFamily(column, markers))) {
          List<IndexPut> entries = column.entries(exposed, id, delete);
          if (!entries.isEmpty()) {
            unsent.puts.addAll(entries);
            all.versions.add(new Version(column, exposed, id));
          }
        }
        restored.put(delete, all);
      }
    }
    unsent.restored.add(all);
    unsent.met++;
    if (unsent.met >= unsent.shape.deletes()) {
      send(unsent);
    }
  }

  private void send(Unsent unsent) throws IOException {
    sender.sendAll(unsent.puts, unsent.shape.conditional());
    unsent.restored.forEach(each -> each.acknowledged = true);
    unsent.restored.clear();
    unsent.puts.clear();
  }

  private static List<Cell> ofFamily(ForgetfulColumn column, List<Cell> markers) {
    byte[] family = column.column().family();
    return markers.stream().filter(marker -> CellUtil.matchingFamily(marker, family)).toList();
  }

  /**
   * Admits a batch, whose rows are locked now. To be followed by {@link #settled}.
   *
   * @throws RegionTooBusyException if one of its deletes would expose what was not restored; the
   *     client may try again
   */
  public void admit(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    SortedMap<ByteBuffer, List<Integer>> exposing = new TreeMap<>();
    for (int i = 0; !columns.isEmpty() && i < batch.size(); i++) {
      if (isExposing(batch.getOperation(i)) && isPending(batch, i)) {
        exposing
            .computeIfAbsent(
                ByteBuffer.wrap(batch.getOperation(i).getRow()), r -> new ArrayList<>())
            .add(i);
      }
    }
    if (exposing.isEmpty()) {
      return;
    }
    rows.lock(exposing.keySet());
    Contained.run(() -> admit(batch, exposing), this::failure);
  }

  private static boolean isPending(MiniBatchOperationInProgress<Mutation> batch, int operation) {
    return batch.getOperationStatus(operation).getOperationStatusCode()
        == OperationStatusCode.NOT_RUN;
  }

  private boolean isExposing(Mutation mutation) {
    return mutation instanceof Delete
        && columns.stream().anyMatch(column -> column.isExposedBy(column.family(mutation)));
  }

  private void admit(
      MiniBatchOperationInProgress<Mutation> batch, SortedMap<ByteBuffer, List<Integer>> exposing)
      throws IOException {
    List<Version> all = new ArrayList<>();
    try {
      for (List<Integer> operations : exposing.values()) {
        List<Version> versions = new ArrayList<>();
        for (int operation : operations) {
          versions.addAll(restoredFor(batch.getOperation(operation)));
        }
        all.addAll(versions);
        RowBatch row = RowBatch.of(batch, batch.getOperation(operations.get(0)).getRow());
        for (ForgetfulColumn column : columns) {
          List<Cell> markers = ofFamily(column, row.markers());
          if (column.isExposedBy(markers)) {
            admit(column, markers, row, versions, operations.get(0));
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      all.forEach(this::withdraw);
      throw e;
    }
  }

  private List<Version> restoredFor(Mutation delete) throws RegionTooBusyException {
    Restored its = restored.remove(delete);
    if (its == null || !its.acknowledged) {
      surprised = System.nanoTime();
      throw busy(delete.getRow(), "the batch is not what it seemed");
    }
    if (!its.versions.isEmpty() && MutationEntries.now() - its.begun > lateNanos) {
      throw busy(delete.getRow(), "waited for too long");
    }
    return its.versions;
  }

  private void admit(
      ForgetfulColumn column,
      List<Cell> markers,
      RowBatch row,
      List<Version> versions,
      int operation)
      throws IOException {
    ColumnVersions there = column.read(region, row.key());
    for (Cell exposed : column.resurrectedBy(there, markers)) {
      if (versions.stream().noneMatch(version -> version.isOf(column, exposed))
          && !row.puts(exposed)
          && !column.entries(exposed, WriteId.NONE, row.origin()).isEmpty()) {
        throw busy(row.key(), "it has changed");
      }
    }
    ColumnVersions after = there.under(markers);
    Put again = new Put(row.key());
    List<Long> done = new ArrayList<>();
    for (Version version : versions) {
      if (version.column().equals(column)) {
        Cell cell = after.unhidden(version.cell().getTimestamp()).orElse(null);
        if (cell == null
            || !version.isOf(column, cell)
            || row.puts(cell)
            || done.contains(cell.getTimestamp())) {
          withdraw(version);
        } else {
          done.add(cell.getTimestamp());
          again.add(WriteIdTags.tagged(cell, version.id()));
        }
      }
    }
    row.add(operation, again);
  }

  /** The mutations of one row in a batch. */
  private record RowBatch(MiniBatchOperationInProgress<Mutation> batch, List<Mutation> mutations) {
    static RowBatch of(MiniBatchOperationInProgress<Mutation> batch, byte[] row) {
      List<Mutation> mutations = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) {
        if (isPending(batch, i) && Bytes.equals(batch.getOperation(i).getRow(), row)) {
          mutations.add(batch.getOperation(i));
        }
      }
      return new RowBatch(batch, mutations);
    }

    Mutation origin() {
      return mutations.get(0);
    }

    byte[] key() {
      return origin().getRow();
    }

    private List<Cell> cells() {
      return mutations.stream()
          .flatMap(each -> each.getFamilyCellMap().values().stream().flatMap(List::stream))
          .toList();
    }

    List<Cell> markers() {
      return cells().stream().filter(CellUtil::isDelete).toList();
    }

    /** Whether it writes the place of a version. */
    boolean puts(Cell version) {
      return cells().stream()
          .anyMatch(
              cell ->
                  cell.getType() == Cell.Type.Put
                      && cell.getTimestamp() == version.getTimestamp()
                      && CellUtil.matchingColumn(cell, version));
    }

    void add(int operation, Put put) {
      if (!put.isEmpty()) {
        Mutation[] others = batch.getOperationsFromCoprocessors(operation);
        Mutation[] all =
            others == null ? new Mutation[1] : Arrays.copyOf(others, others.length + 1);
        all[all.length - 1] = put;
        batch.addOperationsFromCP(operation, all);
      }
    }
  }

  /** Deletes the entries of a version in the background. */
  private void withdraw(Version version) {
    version.column().deletes(version.cell(), version.id()).forEach(withdrawals);
  }

  /** To be called in the thread that called {@link #admit}, whatever became of the batch. */
  public void settled() {
    if (!columns.isEmpty()) {
      rows.unlock();
      UNSENT.remove();
    }
  }

  private RegionTooBusyException busy(byte[] row, String reason) {
    return new RegionTooBusyException(
        "table %s, row '%s': %s since versions were restored that a delete exposes; try again"
            .formatted(
                region.getTableDescriptor().getTableName(), Bytes.toStringBinary(row), reason));
  }

  private DoNotRetryIOException failure(Throwable e) {
    return new DoNotRetryIOException(
        "table %s: what a delete exposes cannot be indexed: %s"
            .formatted(region.getTableDescriptor().getTableName(), e),
        e);
  }
}
