package io.deli.coprocessor.internal.serve;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.index.Contained;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.send.IndexPut;
import io.deli.coprocessor.internal.send.ServerShare;
import io.deli.entry.RowClock;
import io.deli.entry.WriteId;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * Writes the entries of indexes that the region maintains, ahead of every mutation. Thread-safe.
 *
 * <p>All that is written gets a timestamp here, unless it has one: one for a row in a batch, which
 * increases from batch to batch, and which the clock has reached when the batch is applied. A
 * timestamp that the writer gave may come again, so such a write has an identity of its own.
 *
 * <p>The mutations of a batch are announced together, as soon as the last of them was seen. They
 * wait while no row is locked, except for a conditional write, whose condition must hold on.
 */
public final class ServedWrites {
  /** For so long after a batch was not what it seemed are mutations announced one by one. */
  private static final long CAUTION_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Region region;
  private final List<Served> indexes;
  private final Unserved unserved;
  private final IndexWait index;
  private final RowClock clock;
  private final LockedWrites locked = new LockedWrites();
  private final long lateNanos;
  private final ServedFiles files;
  private volatile long surprised = System.nanoTime() - CAUTION_NANOS;

  /**
   * @param problems is told what is malformed in the settings
   */
  public ServedWrites(
      RegionCoprocessorEnvironment env,
      TableIndexes indexes,
      ServerShare share,
      Consumer<String> problems) {
    region = env.getRegion();
    this.indexes =
        indexes.served().stream()
            .map(each -> Served.of(each, region.getTableDescriptor()))
            .toList();
    unserved = new Unserved(region.getTableDescriptor().getTableName(), indexes.unserved());
    index =
        new IndexWait(
            region,
            share.entries(),
            share.room(),
            share.silent(),
            share.metrics().serving(),
            DeliSettings.SERVER_TIMEOUT.get(env.getConfiguration(), problems));
    clock = share.clock();
    lateNanos =
        TimeUnit.MILLISECONDS.toNanos(
                DeliSettings.REPAIR_GRACE.get(env.getConfiguration(), problems))
            / 2;
    files =
        new ServedFiles(
            this.indexes, unserved, index, () -> env.getConnection().getConfiguration(), lateNanos);
  }

  private boolean servesNothing() {
    return indexes.isEmpty() && unserved.isEmpty();
  }

  /** Announces a Put, or notes it if more of its batch are to come. */
  public void put(Put put, WALEdit batch) throws IOException {
    if (!servesNothing()) {
      orForget(() -> announce(put, batch));
    }
  }

  private void announce(Put put, WALEdit batch) throws IOException {
    unserved.refuse(put);
    HandlerWork work = work(batch);
    Announcement announcement = new Announcement(put, System.nanoTime());
    WriteId id = identity(put);
    stamp(put, work);
    boolean indexed = false;
    for (Served each : indexes) {
      for (Cell cell : each.column(put)) {
        announce(announcement, each, BaseVersion.of(cell, id));
        indexed = true;
      }
    }
    if (indexed) {
      if (!id.isNone()) {
        put.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
      }
      work.add(put, announcement);
    }
    sendIfDue(work);
  }

  /** The same for a Delete, which has entries to restore only if it is of single versions. */
  public void delete(Delete delete, WALEdit batch) throws IOException {
    if (!servesNothing()) {
      orForget(() -> announce(delete, batch));
    }
  }

  private void announce(Delete delete, WALEdit batch) throws IOException {
    HandlerWork work = work(batch);
    Announcement announcement = new Announcement(delete, System.nanoTime());
    stamp(delete, work);
    boolean exposing = false;
    for (Served each : indexes) {
      if (each.isExposedBy(delete)) {
        restore(announcement, each, delete.getRow());
        exposing = true;
      }
    }
    if (exposing) {
      work.add(delete, announcement);
    }
    sendIfDue(work);
  }

  /** The same for files. */
  public ServedFiles files() {
    return files;
  }

  /**
   * Refuses what computes the new value of an indexed column only when the row is locked.
   *
   * @throws DoNotRetryIOException if it does
   */
  public void refuseIndexed(Mutation mutation) throws DoNotRetryIOException {
    unserved.refuse(mutation);
    for (Served each : indexes) {
      if (!each.column(mutation).isEmpty()) {
        throw new DoNotRetryIOException(
            "table %s, row '%s': %s on column %s, which index '%s' covers; read the value and put the new one by checkAndMutate"
                .formatted(
                    each.index().baseTable(),
                    Bytes.toStringBinary(mutation.getRow()),
                    mutation.getClass().getSimpleName(),
                    each.index().column(),
                    each.index().name()));
      }
    }
  }

  /**
   * Lets a batch be applied, whose rows are locked now.
   *
   * @throws RegionTooBusyException if the entries of one of its mutations were not acknowledged, or
   *     so long ago that readers may have repaired them, or if the row has changed so that it would
   *     lie behind what should have seen it, or uncover what has no entry; the client may try again
   */
  public void admit(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (!indexes.isEmpty()) {
      Contained.run(() -> requireAnnounced(batch), this::failure);
    }
  }

  private void requireAnnounced(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    HandlerWork work = ThreadWork.of(this).orElseGet(HandlerWork::new);
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      Announcement announcement = work.of(mutation).orElse(null);
      if (announcement == null ? needsAnnouncement(mutation) : !announcement.isAcknowledged()) {
        surprised = System.nanoTime();
        throw busy(mutation, "the batch is not what it seemed");
      }
      if (announcement != null && announcement.isOlderThan(lateNanos)) {
        throw busy(mutation, "waited for too long");
      }
      if (StampWait.isAhead(work.latest())) {
        throw busy(mutation, "the clock is behind");
      }
      if (work.isOvertaken(mutation, locked)) {
        throw busy(mutation, "overtaken by a write that should have seen it");
      }
      if (announcement != null
          && mutation instanceof Delete
          && exposesMore(mutation, announcement)) {
        throw busy(mutation, "the row has changed");
      }
    }
  }

  /** Notes a batch that was applied, whose rows are still locked. */
  public void applied(MiniBatchOperationInProgress<Mutation> batch) {
    if (indexes.isEmpty()) {
      return;
    }
    boolean conditional = ThreadWork.of(this).filter(HandlerWork::isConditional).isPresent();
    for (int i = 0; i < batch.size(); i++) {
      locked.applied(batch.getOperation(i), conditional);
    }
  }

  private RegionTooBusyException busy(Mutation mutation, String reason) {
    return new RegionTooBusyException(
        "table %s, row '%s': %s; try again"
            .formatted(
                region.getTableDescriptor().getTableName(),
                Bytes.toStringBinary(mutation.getRow()),
                reason));
  }

  /**
   * Ends a batch, whose rows are unlocked again.
   *
   * @throws IOException if it took so long that its entries had to be written again, and they could
   *     not
   */
  public void settle(MiniBatchOperationInProgress<Mutation> batch, boolean success)
      throws IOException {
    HandlerWork work = ThreadWork.of(this).orElse(null);
    if (work == null) {
      return;
    }
    List<Announcement> late = new ArrayList<>(0);
    for (int i = 0; i < batch.size(); i++) {
      work.take(batch.getOperation(i))
          .filter(announcement -> success && announcement.isOlderThan(lateNanos))
          .ifPresent(late::add);
    }
    if (work.isDone()) {
      ThreadWork.forget(this);
    }
    Contained.run(() -> announceAgain(late), this::failure);
  }

  private void announceAgain(List<Announcement> late) throws IOException {
    List<IndexPut> puts = new ArrayList<>(late.size());
    late.forEach(each -> puts.addAll(each.under(fresh()).puts()));
    index.sendApplied(puts);
  }

  private HandlerWork work(WALEdit batch) {
    HandlerWork work = ThreadWork.at(this, batch);
    if (!work.isAt(batch)) {
      BatchShape shape =
          BatchShape.of(
              RpcServer.getCurrentCall().orElse(null), region.getRegionInfo().getRegionName());
      boolean careful = System.nanoTime() - surprised < CAUTION_NANOS;
      work.begin(batch, careful ? shape.apart() : shape);
    }
    return work;
  }

  private void orForget(Contained.Step step) throws IOException {
    try {
      Contained.run(step, this::failure);
    } catch (IOException e) {
      ThreadWork.forget(this);
      throw e;
    }
  }

  private DoNotRetryIOException failure(Throwable e) {
    return new DoNotRetryIOException(
        "table %s: the indexes of a write cannot be maintained: %s"
            .formatted(region.getTableDescriptor().getTableName(), e),
        e);
  }

  private void sendIfDue(HandlerWork work) throws IOException {
    work.met();
    if (!work.isDue()) {
      return;
    }
    List<Announcement> due = work.due();
    List<IndexPut> puts = new ArrayList<>(due.size());
    due.forEach(each -> puts.addAll(each.puts()));
    if (work.isConditional()) {
      index.sendLocked(puts);
    } else {
      index.send(puts);
    }
    due.forEach(Announcement::acknowledge);
    StampWait.await(work.latest());
  }

  private static void announce(Announcement announcement, Served index, BaseVersion version)
      throws DoNotRetryIOException {
    try {
      announcement.add(index.index(), version);
    } catch (InvalidIndexException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /** A DELI client names its writes itself, for it knows who gave their timestamps. */
  private WriteId identity(Put put) throws DoNotRetryIOException {
    byte[] named = put.getAttribute(WriteId.ATTRIBUTE);
    if (named != null) {
      try {
        return WriteId.from(named);
      } catch (IllegalArgumentException e) {
        throw new DoNotRetryIOException(e.getMessage(), e);
      }
    }
    return indexes.stream()
            .flatMap(each -> each.column(put).stream())
            .allMatch(ServedWrites::isBare)
        ? WriteId.NONE
        : fresh();
  }

  /** The identity of a write that no other has. */
  static WriteId fresh() {
    return WriteId.of(EnvironmentEdgeManager.currentTime(), ThreadLocalRandom.current().nextLong());
  }

  private static boolean isBare(Cell cell) {
    return cell.getTimestamp() == HConstants.LATEST_TIMESTAMP;
  }

  /** The delete of a column's latest version stays without: HBase looks for that version. */
  private void stamp(Mutation mutation, HandlerWork work) throws IOException {
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        if (isBare(cell) && cell.getType() != Cell.Type.Delete) {
          PrivateCellUtil.setTimestamp(cell, work.timestamp(mutation.getRow(), clock, locked));
        }
      }
    }
  }

  /**
   * Entries of their own for what the delete may expose, so that no delete of the old ones, under
   * way from a compaction, can hit them.
   */
  private void restore(Announcement announcement, Served index, byte[] row) throws IOException {
    for (BaseVersion version : index.superseded(region, row, fresh())) {
      announce(announcement, index, version);
    }
  }

  /** Whether versions were superseded since the delete was announced, whose row is locked now. */
  private boolean exposesMore(Mutation delete, Announcement announcement) throws IOException {
    for (Served each : indexes) {
      if (each.isExposedBy(delete)) {
        for (BaseVersion version : each.superseded(region, delete.getRow(), WriteId.NONE)) {
          if (!announcement.holds(each.index(), version)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean needsAnnouncement(Mutation mutation) {
    return mutation instanceof Put
        ? indexes.stream().anyMatch(each -> !each.column(mutation).isEmpty())
        : mutation instanceof Delete
            && indexes.stream().anyMatch(each -> each.isExposedBy(mutation));
  }
}
