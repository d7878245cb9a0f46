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
import io.deli.strategy.ColumnVersions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
import org.apache.hadoop.hbase.wal.WALEdit;

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
 * <p>HBase applies mutations of one row side by side. Two deletes may expose what neither does
 * alone, and a version that is put again hides one that another writer puts in its place meanwhile.
 * So an exposing delete waits for Puts of its row and other such deletes, and they for it.
 */
public final class Restoration {
  private static final long PATIENCE_MILLIS = 1_000;

  private final Region region;
  private final List<ForgetfulColumn> columns;
  private final JoinedColumns joined;
  private final ExposingDeletes deletes;
  private final Consumer<IndexDelete> withdrawals;
  private final long lateNanos;
  private final RowLocks rows = new RowLocks(PATIENCE_MILLIS);

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
    joined = new JoinedColumns(region, indexes.joined());
    deletes =
        new ExposingDeletes(
            region, columns, new BlockingEntrySender(env, server, problems), this::failure);
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
  public void met(Delete delete, WALEdit batch) throws IOException {
    if (!columns.isEmpty()) {
      deletes.met(delete, batch);
    }
  }

  /**
   * Locks the rows of a batch against exposing deletes, and those of exposing deletes against Puts,
   * too. To be followed by {@link #settled}.
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
      if (deletes.isExposing(batch.getOperation(i)) && Refusal.isPending(batch, i)) {
        exposing
            .computeIfAbsent(
                ByteBuffer.wrap(batch.getOperation(i).getRow()), r -> new ArrayList<>())
            .add(i);
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
      for (List<Integer> row : exposing.values()) {
        putAgain(batch, row.stream().filter(i -> Refusal.isPending(batch, i)).toList(), all);
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
  private void putAgain(
      MiniBatchOperationInProgress<Mutation> batch,
      List<Integer> ofRow,
      Map<Integer, RestoredVersions> restored)
      throws IOException {
    if (ofRow.isEmpty()) {
      return;
    }
    List<Version> versions =
        ofRow.stream().flatMap(i -> restored.get(i).versions().stream()).toList();
    int first = ofRow.get(0);
    RowBatch row = RowBatch.of(batch, batch.getOperation(first).getRow());
    try {
      for (ForgetfulColumn column : columns) {
        List<Cell> markers = column.of(row.markers());
        if (column.isExposedBy(markers)) {
          Contained.run(() -> putAgain(column, markers, row, versions, first), this::failure);
        }
      }
    } catch (IOException e) {
      for (int i : ofRow) {
        refuse(batch, i, restored.get(i), e);
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

  private record RowBatch(MiniBatchOperationInProgress<Mutation> batch, List<Mutation> mutations) {
    static RowBatch of(MiniBatchOperationInProgress<Mutation> batch, byte[] row) {
      List<Mutation> mutations = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) {
        if (Refusal.isPending(batch, i) && Bytes.equals(batch.getOperation(i).getRow(), row)) {
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
      return mutations.stream().flatMap(RowWrite::cellsOf).toList();
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

  /** To be called in the thread that called {@link #lock}, whatever became of the batch. */
  public void settled() {
    if (!columns.isEmpty()) {
      rows.unlock();
      deletes.settled();
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
