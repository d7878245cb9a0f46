package io.deli.coprocessor.internal.servermaintained;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.internal.postinglist.RowLocks;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.internal.servermaintained.RestoredVersions.Version;
import io.deli.coprocessor.spi.Contained;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.strategy.ColumnVersions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Restores the entries of versions that deletes expose, whoever maintains the index. Thread-safe.
 *
 * <p>The delete of an exact version, or of the latest, makes an older one living again, whose
 * entries may be collected already, or be so at this moment. It goes so:
 *
 * <ol>
 *   <li>Before its row is locked, the delete is met: the row is read, unless it was for one before
 *       it in the batch, and what the delete will expose beyond that one, see {@link
 *       ColumnVersions}, gets entries under a write id of its own, which no delete of the old ones,
 *       under way from a compaction, can name. Those of a batch go together and are waited for.
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
 * <p>HBase applies mutations of one row side by side. Two deletes may expose what neither does
 * alone, and a version that is put again hides one that another writer puts in its place meanwhile.
 * So an exposing delete waits for Puts of its row and other such deletes, and they for it. It does
 * not wait for files that are being loaded, which HBase may have given their place in the order of
 * writes before they can be read: then nothing is put again, and a sweep finds the new entries when
 * their versions are gone. A load that begins later has its place behind the delete, since it
 * flushes the region first.
 */
public final class Restoration {
  private static final long PATIENCE_MILLIS = 1_000;

  private final Region region;
  private final List<ForgetfulColumn> columns;
  private final JoinedColumns joined;
  private final ExposingDeletes deletes;
  private final BulkLoads loads;
  private final Consumer<IndexDelete> withdrawals;
  private final long lateNanos;
  private final RowLocks rows = new RowLocks(PATIENCE_MILLIS);

  /**
   * @param problems is told what is malformed in the settings
   */
  public Restoration(
      RegionCoprocessorEnvironment env,
      RunningBatches batches,
      BulkLoads loads,
      TableIndexes indexes,
      ServerResources server,
      Consumer<String> problems) {
    region = env.getRegion();
    columns = ForgetfulColumn.of(region.getTableDescriptor(), indexes);
    joined = new JoinedColumns(region, indexes.joined());
    deletes =
        new ExposingDeletes(
            region,
            batches,
            columns,
            new BlockingEntrySender(env, server, problems),
            this::failure);
    this.loads = loads;
    withdrawals = server::repair;
    lateNanos =
        TimeUnit.MILLISECONDS.toNanos(
                DeliSettings.REPAIR_GRACE.get(env.getConfiguration(), problems))
            / 2;
  }

  /**
   * Restores the versions that a delete may expose, or prepares that if more deletes of its batch
   * are to come.
   *
   * @throws IOException if it fails, and its batch with it
   */
  public void met(Delete delete) throws IOException {
    if (!columns.isEmpty()) {
      deletes.met(delete);
    }
  }

  /**
   * Locks the rows of a batch against exposing deletes, and those of exposing deletes against Puts,
   * too. To be followed by {@link #unlock}.
   *
   * @throws RegionTooBusyException if that takes too long
   */
  public void lock(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    List<ByteBuffer> exposing = new ArrayList<>();
    List<ByteBuffer> putting = new ArrayList<>();
    for (int i = 0; !columns.isEmpty() && i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      if (deletes.isExposing(mutation)) {
        exposing.add(ByteBuffer.wrap(mutation.getRow()));
      } else if (deletes.mayReplace(mutation)) {
        putting.add(ByteBuffer.wrap(mutation.getRow()));
      }
    }
    if (!exposing.isEmpty() || !putting.isEmpty()) {
      rows.lock(exposing, putting);
    }
  }

  /**
   * Admits a batch, or has deletes fail that would expose what was not restored; the client may try
   * again. Of several columns that are indexed together nothing is restored: single versions of
   * them are not to be deleted. To be called behind {@link #lock}.
   *
   * @throws IOException if one fails whose batch is atomic
   */
  public void admit(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    joined.admit(batch);
    SortedMap<ByteBuffer, List<Integer>> exposing = new TreeMap<>();
    for (int i = 0; !columns.isEmpty() && i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      if (deletes.isExposing(mutation) && Refusal.isPending(batch, i)) {
        exposing.computeIfAbsent(ByteBuffer.wrap(mutation.getRow()), r -> new ArrayList<>()).add(i);
      }
    }
    if (!exposing.isEmpty()) {
      Contained.run(() -> admit(batch, exposing), this::failure);
    }
  }

  private void admit(
      MiniBatchOperationInProgress<Mutation> batch, SortedMap<ByteBuffer, List<Integer>> exposing)
      throws IOException {
    Map<Integer, RestoredVersions> all = new TreeMap<>();
    exposing
        .values()
        .forEach(row -> row.forEach(i -> all.put(i, deletes.take(batch.getOperation(i)))));
    boolean done = false;
    try {
      for (int i : all.keySet()) {
        IOException obstacle = obstacle(batch.getOperation(i).getRow(), all.get(i));
        if (obstacle != null) {
          refuse(batch, i, all.get(i), obstacle);
        }
      }
      // What is applied of each row is known from here on.
      Refusal.extend(batch);
      Map<ByteBuffer, RowBatch> rows = RowBatch.of(batch, exposing.keySet());
      for (Map.Entry<ByteBuffer, List<Integer>> each : exposing.entrySet()) {
        List<Integer> ofRow =
            each.getValue().stream().filter(i -> Refusal.isPending(batch, i)).toList();
        if (!ofRow.isEmpty()) {
          putAgain(rows.get(each.getKey()), ofRow, all);
        }
      }
      Refusal.extend(batch);
      done = true;
    } finally {
      for (Map.Entry<Integer, RestoredVersions> each : all.entrySet()) {
        if (each.getValue() != null && (!done || !Refusal.isPending(batch, each.getKey()))) {
          each.getValue().versions().forEach(this::withdraw);
        }
      }
    }
  }

  private static void refuse(
      MiniBatchOperationInProgress<Mutation> batch,
      int position,
      RestoredVersions its,
      IOException reason)
      throws IOException {
    if (its == null || !its.isOfEach()) {
      throw reason;
    }
    Refusal.refuse(batch, position, reason);
  }

  /** The reason not to apply a delete now, or null. */
  private IOException obstacle(byte[] row, RestoredVersions its) {
    if (its != null && its.failure() != null) {
      return its.failure();
    }
    if (its == null || !its.isAcknowledged()) {
      return busy(row, "the batch is not what it seemed");
    }
    return its.isOlderThan(lateNanos) ? busy(row, "waited for too long") : null;
  }

  /** Puts again what deletes of a row expose, or has these deletes fail. */
  private void putAgain(RowBatch row, List<Integer> ofRow, Map<Integer, RestoredVersions> restored)
      throws IOException {
    List<Version> versions =
        ofRow.stream().flatMap(i -> restored.get(i).versions().stream()).toList();
    try {
      for (ForgetfulColumn column : columns) {
        List<Cell> markers = column.of(row.markers());
        if (column.isExposedBy(markers)) {
          List<Version> its =
              versions.stream().filter(version -> version.column().equals(column)).toList();
          Contained.run(() -> putAgain(column, markers, row, its, ofRow.get(0)), this::failure);
        }
      }
    } catch (IOException e) {
      for (int i : ofRow) {
        refuse(row.batch(), i, restored.get(i), e);
      }
    }
  }

  private void putAgain(
      ForgetfulColumn column,
      List<Cell> markers,
      RowBatch row,
      List<Version> versions,
      int operation)
      throws IOException {
    // Ahead of the read, which sees what was loaded before.
    boolean loading = loads.isAnyRunning();
    ColumnVersions there = column.read(region, row.key());
    Set<Long> written = row.puts(column.column());
    Map<Long, List<Version>> restored =
        versions.stream().collect(Collectors.groupingBy(each -> each.cell().getTimestamp()));
    for (Cell exposed : column.resurrectedBy(there, markers)) {
      if (restored.getOrDefault(exposed.getTimestamp(), List.of()).stream()
              .noneMatch(version -> version.isOf(column, exposed))
          && !written.contains(exposed.getTimestamp())
          && !column.entries(exposed, WriteId.NONE, row.origin()).isEmpty()) {
        throw busy(row.key(), "it has changed");
      }
    }
    ColumnVersions after = there.under(markers);
    Put again = new Put(row.key());
    for (Version version : versions) {
      Cell cell = after.unhidden(version.cell().getTimestamp()).orElse(null);
      if (cell != null && version.isOf(column, cell) && written.add(cell.getTimestamp())) {
        if (!loading) {
          again.add(WriteIdTags.restored(cell, version.id()));
        }
      } else {
        withdraw(version);
      }
    }
    row.add(operation, again);
  }

  private record RowBatch(MiniBatchOperationInProgress<Mutation> batch, List<Mutation> mutations) {
    /** The mutations of rows that are still to be applied. */
    static Map<ByteBuffer, RowBatch> of(
        MiniBatchOperationInProgress<Mutation> batch, Set<ByteBuffer> rows) {
      Map<ByteBuffer, RowBatch> of = new TreeMap<>();
      rows.forEach(row -> of.put(row, new RowBatch(batch, new ArrayList<>(1))));
      for (int i = 0; i < batch.size(); i++) {
        RowBatch row = of.get(ByteBuffer.wrap(batch.getOperation(i).getRow()));
        if (row != null && Refusal.isPending(batch, i)) {
          row.mutations().add(batch.getOperation(i));
        }
      }
      return of;
    }

    Mutation origin() {
      return mutations.get(0);
    }

    byte[] key() {
      return origin().getRow();
    }

    private Stream<Cell> cells() {
      return mutations.stream().flatMap(RowWrite::cellsOf);
    }

    List<Cell> markers() {
      return cells().filter(CellUtil::isDelete).toList();
    }

    /** The timestamps of the versions of a column that it writes itself. */
    Set<Long> puts(Column column) {
      return cells()
          .filter(cell -> cell.getType() == Cell.Type.Put && column.matches(cell))
          .map(Cell::getTimestamp)
          .collect(Collectors.toCollection(HashSet::new));
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

  /**
   * Unlocks the rows of a batch, and takes back what was restored for its deletes that were refused
   * before {@link #admit}.
   */
  public void settled(MiniBatchOperationInProgress<Mutation> batch) {
    unlock();
    for (int i = 0; !columns.isEmpty() && i < batch.size(); i++) {
      if (deletes.isExposing(batch.getOperation(i))) {
        deletes.forget(batch.getOperation(i)).forEach(this::withdraw);
      }
    }
  }

  /** To be called in the thread that called {@link #lock}, whatever became of the batch. */
  public void unlock() {
    if (!columns.isEmpty()) {
      rows.unlock();
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
