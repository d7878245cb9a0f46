package io.deli.coprocessor.internal.serve;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.hbase.BatchShape;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.send.IndexPut;
import io.deli.coprocessor.internal.send.ServerShare;
import io.deli.coprocessor.spi.Contained;
import io.deli.entry.WriteId;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
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
  private final Admission admission;
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
    this.indexes = indexes.served().stream().map(Served::of).toList();
    unserved = new Unserved(region.getTableDescriptor().getTableName(), indexes.unserved());
    index =
        new IndexWait(
            region,
            share.entries(),
            share.room(),
            share.silent(),
            share.metrics().serving(),
            DeliSettings.SERVER_TIMEOUT.get(env.getConfiguration(), problems));
    admission =
        new Admission(
            region.getTableDescriptor().getTableName(),
            Admission.Place.of(region),
            share.marks(),
            DeliSettings.ADMISSION.get(env.getConfiguration(), problems));
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
    admission.await(put);
    if (!servesNothing()) {
      orForget(() -> announce(put, batch, work -> announce(put, work)));
    }
  }

  /** What prepares a mutation; what it throws is that mutation's failure. */
  private interface Preparation {
    void by(HandlerWork work) throws IOException;
  }

  private void announce(Mutation mutation, WALEdit batch, Preparation preparation)
      throws IOException {
    HandlerWork work = work(batch);
    try {
      Contained.run(() -> preparation.by(work), this::failure);
    } catch (IOException e) {
      fail(work, mutation, e);
    }
    work.met();
    if (work.isDue()) {
      send(work);
    }
  }

  /** Has a mutation fail by itself, when its batch is about to be applied, if it may. */
  private static void fail(HandlerWork work, Mutation mutation, IOException failure)
      throws IOException {
    if (!work.isOfEach()) {
      throw failure;
    }
    work.fail(mutation, failure);
  }

  private void announce(Put put, HandlerWork work) throws IOException {
    unserved.refuse(put);
    Announcement announcement = new Announcement(put, Announcement.now());
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
  }

  /** Stamps a Delete; what it may expose is the business of {@link Restoration}. */
  public void delete(Delete delete, WALEdit batch) throws IOException {
    admission.await(delete);
    if (!servesNothing()) {
      orForget(() -> announce(delete, batch, work -> announce(delete, work)));
    }
  }

  private void announce(Delete delete, HandlerWork work) throws IOException {
    stamp(delete, work);
  }

  /** The same for files. */
  public ServedFiles files() {
    return files;
  }

  /**
   * Lets a mutation come that computes new values when the row is locked, unless one is indexed.
   *
   * @throws DoNotRetryIOException if it is
   */
  public void compute(Mutation mutation) throws IOException {
    refuseIndexed(mutation);
    admission.awaitComputed(mutation);
  }

  private void refuseIndexed(Mutation mutation) throws DoNotRetryIOException {
    unserved.refuse(mutation);
    for (Served each : indexes) {
      if (!each.column(mutation).isEmpty()) {
        throw new DoNotRetryIOException(each.index().computedRefusal(mutation));
      }
    }
  }

  /**
   * Lets a batch be applied, whose rows are locked now, or mutations of it, and has the others
   * fail: for the client to try again, if the entries of one were not acknowledged, or so long ago
   * that readers may have repaired them, or if the row has changed so that it would lie behind what
   * should have seen it; or as {@link Admission} says.
   *
   * @throws IOException if one fails whose batch is atomic
   */
  public void admit(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (!servesNothing()) {
      Contained.run(() -> requireAnnounced(batch), this::failure);
    }
    admission.admit(batch);
  }

  private void requireAnnounced(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    HandlerWork work = ThreadWork.of(this).orElseGet(HandlerWork::new);
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      IOException noted = work.failure(mutation);
      IOException failure = noted == null ? obstacle(mutation, work) : noted;
      if (failure != null) {
        if (!work.isOfEach()) {
          throw failure;
        }
        batch.setOperationStatus(
            i,
            new OperationStatus(
                failure instanceof DoNotRetryIOException
                    ? OperationStatusCode.FAILURE
                    : OperationStatusCode.STORE_TOO_BUSY,
                failure.getMessage()));
      }
    }
  }

  /** Why the mutation is not to be applied now, or null. */
  private IOException obstacle(Mutation mutation, HandlerWork work) {
    Announcement announcement = work.of(mutation).orElse(null);
    if (announcement == null ? needsAnnouncement(mutation) : !announcement.isAcknowledged()) {
      if (!work.mayBeCut()) {
        surprised = System.nanoTime();
      }
      return busy(mutation, "the batch is not what it seemed");
    }
    if (announcement != null && announcement.isOlderThan(lateNanos)) {
      return busy(mutation, "waited for too long");
    }
    if (StampWait.isAhead(work.latest())) {
      return busy(mutation, "the clock is behind");
    }
    OptionalLong drawn = work.drawn(mutation.getRow());
    if (drawn.isPresent() && admission.isOvertaken(mutation, drawn.getAsLong())) {
      return busy(mutation, "overtaken by a write that should have seen it");
    }
    return null;
  }

  /** Notes a batch that was applied, whose rows are still locked. */
  public void applied(MiniBatchOperationInProgress<Mutation> batch) {
    admission.applied(
        batch,
        !indexes.isEmpty() && ThreadWork.of(this).filter(HandlerWork::isConditional).isPresent());
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
      BatchShape shape = BatchShape.ofCall(region.getRegionInfo().getRegionName());
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

  private void send(HandlerWork work) throws IOException {
    List<Announcement> due = work.due();
    List<IndexPut> puts = new ArrayList<>(due.size());
    due.forEach(each -> puts.addAll(each.puts()));
    Map<TableName, IOException> failures =
        work.isConditional() ? index.sendLocked(puts) : index.send(puts);
    for (Announcement each : due) {
      IOException failure = each.among(failures);
      if (failure == null) {
        each.acknowledge();
      } else {
        fail(work, each.mutation(), failure);
      }
    }
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
          PrivateCellUtil.setTimestamp(cell, work.timestamp(mutation.getRow(), admission::draw));
        }
      }
    }
  }

  private boolean needsAnnouncement(Mutation mutation) {
    return mutation instanceof Put
        && indexes.stream().anyMatch(each -> !each.column(mutation).isEmpty());
  }
}
