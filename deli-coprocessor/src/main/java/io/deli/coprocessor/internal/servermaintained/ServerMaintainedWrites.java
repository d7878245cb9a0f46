package io.deli.coprocessor.internal.servermaintained;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.spi.Contained;
import io.deli.entry.WriteId;
import io.deli.service.DrawnTimestamp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;

/**
 * Writes the entries of indexes that the region maintains, ahead of every mutation. Thread-safe.
 *
 * <p>Cells without a timestamp get one here: one for a row in a batch, which increases from batch
 * to batch, and which the clock has reached when the batch is applied. A timestamp that the writer
 * gave may come again, so such a write has an identity of its own.
 *
 * <p>The entries of a batch are sent together, once HBase has shown the last of its mutations. They
 * are waited for while no row is locked, except for a conditional write, whose condition must hold
 * on, and for what HBase computes under the lock, see {@link ComputedEntries}.
 */
public final class ServerMaintainedWrites {
  /** HBase's setting of how far ahead of its clock the timestamps of a Put may be. */
  private static final String SLOP = "hbase.hregion.keyvalue.timestamp.slop.millisecs";

  private final Region region;
  private final List<ServerMaintainedIndex> indexes;
  private final UnmaintainableColumns unmaintainable;
  private final BlockingEntrySender sender;
  private final ComputedEntries computed;
  private final Admission admission;
  private final ReplicatedWrites replicated;
  private final long lateNanos;

  /** For entries that are not applied yet: a query looks back for no longer. */
  private final long waitNanos;

  private final boolean looksAtTimestamps;
  private final BulkLoads files;
  private final RunningBatches batches;

  /**
   * @param problems is told what is malformed in the settings
   */
  public ServerMaintainedWrites(
      RegionCoprocessorEnvironment env,
      TableIndexes indexes,
      ServerResources server,
      Consumer<String> problems) {
    region = env.getRegion();
    batches = new RunningBatches(env.getRegionInfo().getRegionName());
    this.indexes = indexes.serverMaintained().stream().map(ServerMaintainedIndex::of).toList();
    unmaintainable =
        new UnmaintainableColumns(
            region.getTableDescriptor().getTableName(), indexes.unmaintainable());
    sender = new BlockingEntrySender(env, server, problems);
    computed = new ComputedEntries(this.indexes, sender);
    replicated = ReplicatedWrites.of(env);
    long graceMillis = DeliSettings.REPAIR_GRACE.get(env.getConfiguration(), problems);
    WriteAges ages = WriteAges.of(env.getConfiguration(), problems);
    admission = Admission.of(env, indexes, server.marks(), ages, problems);
    lateNanos = TimeUnit.MILLISECONDS.toNanos(graceMillis) / 2;
    waitNanos = Math.min(lateNanos, TimeUnit.MILLISECONDS.toNanos(ages.drawn()));
    looksAtTimestamps = env.getConfiguration().get(SLOP) != null;
    files =
        new BulkLoads(
            Collections.newSetFromMap(new MapMaker().weakKeys().makeMap()),
            new MarkedFiles(region.getTableDescriptor(), admission),
            this.indexes,
            unmaintainable,
            sender,
            replicated,
            () -> env.getConnection().getConfiguration(),
            lateNanos);
  }

  public Admission admission() {
    return admission;
  }

  public RunningBatches batches() {
    return batches;
  }

  private boolean maintainsNothing() {
    return indexes.isEmpty() && unmaintainable.isEmpty();
  }

  /** Writes the entries of a Put, or prepares them if more of its batch are to come. */
  public void put(Put put) throws IOException {
    replicated.trim(put);
    admission.await(put);
    if (!maintainsNothing()) {
      Contained.run(() -> prepare(put, pending -> prepare(put, pending)), this::failure);
    }
  }

  /** Prepares a mutation; an exception is that mutation's failure. */
  private interface Preparation {
    void by(PendingMutations pending) throws IOException;
  }

  private void prepare(Mutation mutation, Preparation preparation) throws IOException {
    PendingMutations pending = batches.pending(mutation.getRow());
    try {
      Contained.run(() -> preparation.by(pending), this::failure);
    } catch (IOException e) {
      fail(pending, mutation, e);
    }
    pending.met();
    if (pending.isDue(sender.bufferBytes())) {
      send(pending);
    }
  }

  /** Has a mutation fail by itself, when its batch is about to be applied, if it may. */
  private static void fail(PendingMutations pending, Mutation mutation, IOException failure)
      throws IOException {
    if (!pending.isOfEach()) {
      throw failure;
    }
    pending.fail(mutation, failure);
  }

  private void prepare(Put put, PendingMutations pending) throws IOException {
    unmaintainable.refuse(put);
    MutationEntries entries =
        new MutationEntries(put, MutationEntries.now(), replicated.include(put.getClusterIds()));
    WriteId id = identity(put);
    pending.stamp(put, admission::draw);
    entries.require(indexes, id);
    if (entries.haveVersions() && !id.isNone()) {
      put.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
    }
    pending.add(put, entries);
    if (looksAtTimestamps) {
      pending.hide(put);
    }
  }

  /** Stamps a Delete; what it may expose is the business of {@link Restoration}. */
  public void delete(Delete delete) throws IOException {
    admission.await(delete);
    if (!maintainsNothing()) {
      Contained.run(
          () -> prepare(delete, pending -> pending.stamp(delete, admission::draw)), this::failure);
    }
  }

  /** The writer of the entries of bulk-loaded files. */
  public BulkLoads files() {
    return files;
  }

  /** Expects an Increment or Append, whose row is not locked yet. */
  public void compute(Mutation mutation) throws IOException {
    unmaintainable.refuse(mutation);
    if (needsEntries(mutation)) {
      // For its shape.
      batches.pending(mutation.getRow());
    }
    admission.awaitComputed(mutation.getRow());
  }

  /** Prepares the entries of what HBase has computed, and returns what it is to write instead. */
  public List<Pair<Cell, Cell>> computed(Mutation mutation, List<Pair<Cell, Cell>> cells)
      throws IOException {
    return needsEntries(mutation)
        ? Contained.call(() -> computed.prepare(batches.pending(), mutation, cells), this::failure)
        : cells;
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
    if (maintainsNothing()) {
      admission.admit(batch);
      return;
    }
    PendingMutations pending = batches.pending();
    Contained.run(() -> requireEntries(batch, pending), this::failure);
    admission.admit(batch);
    Contained.run(() -> sendComputed(pending), this::failure);
  }

  /** Last: what was computed has the time of before, by which {@link Admission} looks at it. */
  private void sendComputed(PendingMutations pending) throws IOException {
    for (MutationEntries each : computed.send(pending)) {
      if (each.isOlderThan(waitNanos)) {
        throw busy(each.mutation().getRow(), "waited for too long");
      }
    }
  }

  private void requireEntries(
      MiniBatchOperationInProgress<Mutation> batch, PendingMutations pending) throws IOException {
    pending.show();
    for (RowWrite write : RowWrite.of(batch, pending.isOfEach())) {
      IOException failure = obstacle(write, pending);
      if (failure != null) {
        // Of what HBase computes it answers any other status as done.
        if (!pending.isOfEach() || write.isComputed()) {
          throw failure;
        }
        Refusal.refuse(batch, write.position(), failure);
      }
    }
    Refusal.extend(batch);
  }

  /** The reason not to apply a write now, or null. */
  private IOException obstacle(RowWrite write, PendingMutations pending) {
    for (Mutation mutation : write.mutations()) {
      IOException noted = pending.failure(mutation);
      IOException failure = noted == null ? obstacle(mutation, pending) : noted;
      if (failure != null) {
        return failure;
      }
    }
    OptionalLong drawn = pending.drawn(write.row());
    return drawn.isPresent() && admission.isOvertaken(write, drawn.getAsLong())
        ? busy(write.row(), "overtaken by a write that should have seen it, or hides a part of it")
        : null;
  }

  private IOException obstacle(Mutation mutation, PendingMutations pending) {
    MutationEntries entries = pending.of(mutation).orElse(null);
    if (entries == null ? needsEntries(mutation) : entries.areMissing()) {
      if (!pending.mayBeCut()) {
        batches.differ();
      }
      return busy(mutation.getRow(), "the batch is not what it seemed");
    }
    if (entries != null && !entries.cover(indexes)) {
      return new DoNotRetryIOException(
          message(
              mutation.getRow(),
              "another coprocessor changed an indexed column behind DELI's. Load it with a lower priority number."));
    }
    if (entries != null && entries.isOlderThan(waitNanos)) {
      return busy(mutation.getRow(), "waited for too long");
    }
    if (ClockWait.isAhead(pending.latest())) {
      return busy(mutation.getRow(), "the clock is behind");
    }
    return null;
  }

  /** Records a batch that was applied, whose rows are still locked. */
  public void applied(MiniBatchOperationInProgress<Mutation> batch) {
    if (indexes.isEmpty()) {
      admission.applied(batch, false);
      return;
    }
    PendingMutations pending = batches.pending();
    admission.applied(batch, pending.isConditional());
    RowWrite.of(batch, pending.isOfEach()).forEach(admission::wrote);
  }

  private RegionTooBusyException busy(byte[] row, String reason) {
    return new RegionTooBusyException(message(row, reason + "; try again"));
  }

  private String message(byte[] row, String text) {
    return "table %s, row '%s': %s"
        .formatted(region.getTableDescriptor().getTableName(), Bytes.toStringBinary(row), text);
  }

  /**
   * Ends a batch, or a part of it, whose rows are unlocked again.
   *
   * @throws IOException if it took so long that its entries had to be written again, and they could
   *     not
   */
  public void settle(MiniBatchOperationInProgress<Mutation> batch, boolean success)
      throws IOException {
    Refusal.answer(batch);
    if (maintainsNothing()) {
      return;
    }
    PendingMutations pending = batches.pending();
    List<MutationEntries> late = new ArrayList<>(0);
    for (int i = 0; i < batch.size(); i++) {
      pending
          .take(batch.getOperation(i))
          .filter(entries -> success && entries.isOlderThan(lateNanos))
          .ifPresent(late::add);
    }
    Contained.run(
        () ->
            sender.sendApplied(
                () -> late.stream().map(each -> each.under(fresh()).puts()).iterator()),
        this::failure);
  }

  private DoNotRetryIOException failure(Throwable e) {
    return new DoNotRetryIOException(
        "table %s: the indexes of a write cannot be maintained: %s"
            .formatted(region.getTableDescriptor().getTableName(), e),
        e);
  }

  private void send(PendingMutations pending) throws IOException {
    List<MutationEntries> due = pending.due();
    List<IndexPut> puts = new ArrayList<>(due.size());
    due.forEach(each -> puts.addAll(each.puts()));
    Map<TableName, IOException> failures =
        pending.isConditional() ? sender.sendLocked(puts) : sender.send(puts);
    for (MutationEntries each : due) {
      IOException failure = BlockingEntrySender.among(failures, each.puts());
      if (failure == null) {
        each.acknowledge();
      } else {
        fail(pending, each.mutation(), failure);
      }
    }
    ClockWait.await(pending.latest());
  }

  /** A DELI client names its writes itself, for it knows who gave their timestamps. */
  private WriteId identity(Put put) throws DoNotRetryIOException {
    try {
      // Before there are entries, which repair might leave for ever. A drawn timestamp is refused
      // later, by which its client learns the time and repeats the write with another id.
      return WriteIdTags.named(
              put, begun -> DrawnTimestamp.of(put).isEmpty() && admission.isUntimely(begun))
          .orElseGet(() -> hasTimestamps(put) ? fresh() : WriteId.NONE);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private boolean hasTimestamps(Put put) {
    return indexes.stream()
        .flatMap(i -> i.versions(put).stream())
        .anyMatch(c -> !PendingMutations.isBare(c));
  }

  /** The identity of a write that no other has. */
  static WriteId fresh() {
    return WriteId.of(EnvironmentEdgeManager.currentTime(), ThreadLocalRandom.current().nextLong());
  }

  private boolean needsEntries(Mutation mutation) {
    return !(mutation instanceof Delete)
        && indexes.stream().anyMatch(each -> !each.versions(mutation).isEmpty());
  }
}
