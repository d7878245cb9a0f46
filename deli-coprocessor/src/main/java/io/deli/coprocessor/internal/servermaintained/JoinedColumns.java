package io.deli.coprocessor.internal.servermaintained;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.hbase.BatchShape;
import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.postinglist.RowLocks;
import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.spi.Contained;
import io.deli.strategy.Index;
import io.deli.strategy.JoinedWrites;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Has the versions of several columns written together, also by writers that do not know the index,
 * or not yet. Thread-safe.
 *
 * <p>An index on several columns has as versions what one mutation wrote, with one timestamp. What
 * would pair others is refused, as {@link JoinedWrites} says. But if the definition {@linkplain
 * io.deli.index.IndexDefinition#readsRest says so}, a Put of some of the columns is completed:
 *
 * <ol>
 *   <li>When its row is locked, it is locked once more against all writes of the columns: HBase's
 *       own lock is shared by Puts and Deletes, and what another applied between reading and
 *       writing would be hidden by what is put again.
 *   <li>What the row has in the other columns is read and added to the Put, with its timestamp; see
 *       {@link PartialPuts}.
 *   <li>The entries of what was added, in all indexes, are sent and waited for, as those of {@link
 *       ComputedEntries}: so the index has them before the base. If they are not acknowledged,
 *       nothing of the row is applied, and its writer tries again.
 * </ol>
 *
 * <p>So a partial write becomes a whole one, in one log entry, and all rules for versions that were
 * written together hold: retention, deletes, repair, verification and builds know no others. An
 * entry of columns with several timestamps would need a rule at each of these places, and could not
 * tell which of its columns was superseded. The price is HBase's view of the columns that are put
 * again: they count as written with the Put, by its timestamp, for versions and time to live.
 */
public final class JoinedColumns {
  private static final long PATIENCE_MILLIS = 1_000;

  private final Region region;
  private final List<Index> joined;
  private final ServerMaintainedWrites writes;
  private final PartialPuts partial;
  private final BlockingEntrySender sender;
  private final long lateNanos;
  private final RowLocks rows = new RowLocks(PATIENCE_MILLIS);

  /** The Puts of a row that were completed, and all mutations that go or fail with them. */
  private record Completed(List<Integer> positions, List<MutationEntries> entries) {
    List<IndexPut> puts() {
      return entries.stream().flatMap(each -> each.puts().stream()).toList();
    }
  }

  /**
   * @param problems is told what is malformed in the settings
   */
  public JoinedColumns(
      RegionCoprocessorEnvironment env,
      TableIndexes indexes,
      ServerResources server,
      ServerMaintainedWrites writes,
      Consumer<String> problems) {
    region = env.getRegion();
    joined = indexes.joined();
    this.writes = writes;
    partial = new PartialPuts(region, indexes, writes.admission());
    sender = new BlockingEntrySender(env, server, problems);
    lateNanos =
        TimeUnit.MILLISECONDS.toNanos(
                DeliSettings.REPAIR_GRACE.get(env.getConfiguration(), problems))
            / 2;
  }

  /**
   * Admits a batch, whose rows are locked now, or has mutations fail that would pair what was not
   * written together. To be followed by {@link #settled}.
   *
   * @throws IOException if there is one in an atomic batch, or others keep a row for too long
   */
  public void admit(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    for (Index index : joined) {
      for (int i = 0; i < batch.size(); i++) {
        Mutation mutation = batch.getOperation(i);
        Optional<String> refusal =
            Refusal.isPending(batch, i) ? JoinedWrites.refusal(index, mutation) : Optional.empty();
        if (refusal.isPresent() && !isApart(mutation)) {
          throw new FailedSanityCheckException(refusal.get());
        }
        if (refusal.isPresent()) {
          Refusal.refuse(batch, i, OperationStatusCode.SANITY_CHECK_FAILURE, refusal.get());
        }
      }
    }
    if (!partial.areNone()) {
      rows.lock(concerned(batch).keySet());
    }
  }

  private boolean isApart(Mutation mutation) {
    return BatchShape.ofCall(region.getRegionInfo().getRegionName(), mutation.getRow()).ofEach();
  }

  /** The mutations that write columns of which Puts are completed, by row. */
  private Map<ByteBuffer, List<Integer>> concerned(MiniBatchOperationInProgress<Mutation> batch) {
    Map<ByteBuffer, List<Integer>> byRow = new TreeMap<>();
    for (int i = 0; i < batch.size(); i++) {
      if (Refusal.isPending(batch, i) && partial.concern(batch.getOperation(i))) {
        byRow
            .computeIfAbsent(
                ByteBuffer.wrap(batch.getOperation(i).getRow()), row -> new ArrayList<>(1))
            .add(i);
      }
    }
    return byRow;
  }

  /**
   * Completes the Puts of a batch that nothing else is going to refuse, or has them fail.
   *
   * @throws IOException if one fails whose batch is atomic
   */
  public void complete(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (partial.areNone()) {
      return;
    }
    List<Completed> completed = new ArrayList<>();
    for (List<Integer> ofRow : concerned(batch).values()) {
      try {
        List<MutationEntries> entries = Contained.call(() -> complete(batch, ofRow), this::failure);
        if (!entries.isEmpty()) {
          completed.add(new Completed(ofRow, entries));
        }
      } catch (IOException e) {
        refuse(batch, ofRow, e);
      }
    }
    send(batch, completed);
    Refusal.extend(batch);
  }

  private List<MutationEntries> complete(
      MiniBatchOperationInProgress<Mutation> batch, List<Integer> ofRow) throws IOException {
    PendingMutations pending = PendingRequest.of(writes).orElseGet(PendingMutations::new);
    PartialPuts.Row row =
        partial.row(ofRow.stream().<Mutation>map(batch::getOperation).toList(), pending);
    List<MutationEntries> entries = new ArrayList<>(1);
    for (PartialPuts.Written each : row.written()) {
      int position = ofRow.get(each.position());
      try {
        if (Refusal.isPending(batch, position)) {
          row.complete(each).ifPresent(entries::add);
        }
      } catch (DoNotRetryIOException e) {
        // Others of the row may do without it.
        refuse(batch, List.of(position), e);
      }
    }
    return entries;
  }

  private void send(MiniBatchOperationInProgress<Mutation> batch, List<Completed> completed)
      throws IOException {
    List<IndexPut> puts = completed.stream().flatMap(each -> each.puts().stream()).toList();
    Map<TableName, IOException> failures = sender.sendLocked(puts);
    for (Completed each : completed) {
      IOException failure = BlockingEntrySender.among(failures, each.puts());
      if (failure == null && each.entries().stream().anyMatch(its -> its.isOlderThan(lateNanos))) {
        failure =
            new RegionTooBusyException(
                "table %s: a write waited for too long; try again".formatted(table()));
      }
      if (failure == null) {
        each.entries().forEach(MutationEntries::acknowledge);
      } else {
        refuse(batch, each.positions(), failure);
      }
    }
  }

  private void refuse(
      MiniBatchOperationInProgress<Mutation> batch, List<Integer> positions, IOException reason)
      throws IOException {
    if (!isApart(batch.getOperation(positions.get(0)))) {
      throw reason;
    }
    positions.forEach(position -> Refusal.refuse(batch, position, reason));
  }

  /** To be called in the thread that called {@link #admit}, whatever became of the batch. */
  public void settled() {
    if (!partial.areNone()) {
      rows.unlock();
    }
  }

  private TableName table() {
    return region.getTableDescriptor().getTableName();
  }

  private DoNotRetryIOException failure(Throwable e) {
    return new DoNotRetryIOException(
        "table %s: a write of some columns of an index cannot be completed: %s"
            .formatted(table(), e),
        e);
  }
}
