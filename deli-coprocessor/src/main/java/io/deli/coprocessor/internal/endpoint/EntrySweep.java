package io.deli.coprocessor.internal.endpoint;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.spi.Caller;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Deletes the entries that no compaction knows: of writes that failed, of versions that were
 * superseded where nothing collects them, and of versions that have others. Thread-safe.
 *
 * <p>An entry goes if the region holds no version for it, see {@link HeldVersions}. Of several
 * entries of one version that differ in their write ids, that stays which compactions know, the one
 * of the newest put; if it is missing, the youngest that none of them would delete. Nothing goes
 * that is younger than the grace period, as in {@link Repair}.
 *
 * <p>The caller's handler waits for the deletes, as one of the limited number that may. They are
 * applied by handlers of high priority, so that servers do not wait for each other.
 */
public final class EntrySweep {
  /** Takes entries for equal that differ in their write ids only: those of one version. */
  private static final Comparator<Entry> BY_VERSION =
      Comparator.comparing(Entry::token, Bytes.BYTES_COMPARATOR)
          .thenComparing(Entry::key, Bytes.BYTES_COMPARATOR)
          .thenComparingLong(Entry::timestamp);

  private final RegionCoprocessorEnvironment env;
  private final TableIndexes indexes;
  private final ServerResources server;
  private final long graceMillis;
  private final long timeoutMillis;

  /**
   * @param problems is told what is malformed in the settings
   */
  public EntrySweep(
      RegionCoprocessorEnvironment env,
      TableIndexes indexes,
      ServerResources server,
      Consumer<String> problems) {
    this.env = env;
    this.indexes = indexes;
    this.server = server;
    graceMillis = DeliSettings.REPAIR_GRACE.get(env.getConfiguration(), problems);
    timeoutMillis = DeliSettings.GC_TIMEOUT.get(env.getConfiguration(), problems);
  }

  /**
   * Examines entries; returns when those that had to go are deleted.
   *
   * @return the positions of those whose rows are in other regions
   * @throws RegionTooBusyException if some are not gone; to be tried again
   * @throws DoNotRetryIOException if another generation of the index is read by now
   */
  public List<Integer> run(RegionService.Entries entries) throws IOException {
    long end =
        EnvironmentEdgeManager.currentTime()
            + Caller.patience(HConstants.DEFAULT_HBASE_RPC_TIMEOUT) / 2;
    Index index = indexes.of(entries);
    List<Integer> missed = new ArrayList<>();
    // By their bytes, for the caller may choose what would be hashed.
    Map<Entry, List<Entry>> ofVersion = new TreeMap<>(BY_VERSION);
    for (int i = 0; i < entries.entries().size(); i++) {
      Entry entry = entries.entries().get(i);
      if (env.getRegionInfo().containsRow(entry.key())) {
        ofVersion.computeIfAbsent(entry, first -> new ArrayList<>(1)).add(entry);
      } else {
        missed.add(i);
      }
    }
    List<IndexDelete> deletes = new ArrayList<>();
    boolean late = false;
    for (List<Entry> same : ofVersion.values()) {
      late = EnvironmentEdgeManager.currentTime() > end;
      if (late) {
        break;
      }
      for (Entry entry : unjustified(index, same)) {
        for (Delete delete : index.strategy().retract(index, entry)) {
          deletes.add(new IndexDelete(index.table(), delete.setPriority(HConstants.HIGH_QOS)));
        }
      }
    }
    deletes.sort(Comparator.comparing(delete -> delete.delete().getRow(), Bytes.BYTES_COMPARATOR));
    send(index, deletes);
    if (late) {
      throw new RegionTooBusyException(
          "entries are left that were not examined in time; try again");
    }
    return missed;
  }

  private List<Entry> unjustified(Index index, List<Entry> same) throws IOException {
    if (same.stream().noneMatch(this::isSettled)) {
      return List.of();
    }
    HeldVersions held = HeldVersions.of(env.getRegion(), index, same.get(0));
    if (held.isEmpty()) {
      return same.stream().filter(this::isSettled).toList();
    }
    Optional<Entry> staying = staying(held, same);
    return staying.isEmpty()
        ? List.of()
        : same.stream()
            .filter(entry -> !entry.equals(staying.get()))
            .filter(entry -> !held.ids().contains(entry.writeId()))
            .filter(this::isSettled)
            .toList();
  }

  /** The entry that stands for the version that is seen; empty if that cannot be told. */
  private static Optional<Entry> staying(HeldVersions held, List<Entry> same) {
    if (same.size() == 1 || held.winner().isEmpty()) {
      return Optional.empty();
    }
    WriteId winner = held.winner().get();
    Optional<Entry> known =
        same.stream().filter(entry -> entry.writeId().equals(winner)).findFirst();
    return known.isPresent()
        ? known
        : same.stream()
            .filter(entry -> !held.ids().contains(entry.writeId()))
            .max(Comparator.comparingLong(Entry::writtenAt));
  }

  private boolean isSettled(Entry entry) {
    return Repair.isSettled(entry, EnvironmentEdgeManager.currentTime(), graceMillis);
  }

  private void send(Index index, List<IndexDelete> deletes) throws IOException {
    if (deletes.isEmpty()) {
      return;
    }
    if (!server.handlers().tryAcquire()) {
      throw new RegionTooBusyException("too many handlers wait for indexes; try again");
    }
    try {
      await(server.sender().send(index.table(), deletes, timeoutMillis, () -> {}));
    } finally {
      server.handlers().release();
    }
    long left = deletes.stream().filter(delete -> !delete.isAcknowledged()).count();
    if (left > 0) {
      throw new RegionTooBusyException(
          "%d entries are not deleted, which their index did not acknowledge; try again"
              .formatted(left));
    }
  }

  private void await(CompletableFuture<Void> answered) throws IOException {
    try {
      answered.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while an index was waited for").initCause(e);
    } catch (ExecutionException | TimeoutException e) {
      // What was acknowledged is known of each.
    }
  }
}
