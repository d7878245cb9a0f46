package io.deli.coprocessor.internal.endpoint;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.send.EntryFinder;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.spi.Caller;
import io.deli.entry.Entry;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionTooBusyException;
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
 * <p>The caller's entries only tell which versions to look at, for they may be made up. If one of
 * them would go, the index table is asked which entries there are of its version, by one more
 * request to each of its servers, and only of these some go. Of posting lists, which it would have
 * to read for that, it is asked only for versions that are held.
 *
 * <p>The caller's handler waits for the deletes, as one of the limited number that may. Requests
 * are served by handlers of high priority, so that servers do not wait for each other.
 */
public final class EntrySweep {
  /** Versions that an index table is asked for at a time, whatever the caller sends. */
  private static final int AT_A_TIME = 1_000;

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

  /** Entries of a version that may have to go, as the caller knows them, and what is held of it. */
  private record Suspect(List<Entry> named, HeldVersions held) {
    Entry version() {
      return named.get(0);
    }
  }

  /**
   * Examines entries; returns when those that had to go are deleted.
   *
   * @return the positions of those whose rows are in other regions, or for which there is no time
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
    Map<Entry, List<Integer>> ofVersion = new TreeMap<>(EntryFinder.BY_VERSION);
    for (int i = 0; i < entries.entries().size(); i++) {
      Entry entry = entries.entries().get(i);
      if (env.getRegionInfo().containsRow(entry.key())) {
        ofVersion.computeIfAbsent(entry, first -> new ArrayList<>(1)).add(i);
      } else {
        missed.add(i);
      }
    }
    List<Suspect> suspects = new ArrayList<>();
    for (List<Integer> positions : ofVersion.values()) {
      if (EnvironmentEdgeManager.currentTime() > end) {
        missed.addAll(positions);
        continue;
      }
      List<Entry> same = positions.stream().map(entries.entries()::get).toList();
      suspect(index, same).ifPresent(suspects::add);
      if (suspects.size() == AT_A_TIME) {
        sweep(index, suspects);
        suspects.clear();
      }
    }
    sweep(index, suspects);
    return missed;
  }

  /** Empty if none of the version's entries has to go, whichever the index has. */
  private Optional<Suspect> suspect(Index index, List<Entry> same) throws IOException {
    if (same.stream().noneMatch(this::isSettled)) {
      return Optional.empty();
    }
    HeldVersions held = HeldVersions.of(env.getRegion(), index, same.get(0));
    return held.isEmpty() || (held.winner().isPresent() && !unjustified(held, same).isEmpty())
        ? Optional.of(new Suspect(same, held))
        : Optional.empty();
  }

  /** The entries of a version that have to go, of all that the index has. */
  private List<Entry> unjustified(HeldVersions held, List<Entry> all) {
    List<Entry> settled = all.stream().filter(this::isSettled).toList();
    if (held.isEmpty()) {
      return settled;
    }
    // By their bytes, too: a version may have as many twins as the caller has entries of it.
    Set<byte[]> ids = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    held.ids().forEach(id -> ids.add(id.toBytes()));
    List<Entry> unknown =
        settled.stream().filter(entry -> !ids.contains(entry.writeId().toBytes())).toList();
    Optional<Entry> staying =
        all.stream()
            .filter(entry -> held.winner().equals(Optional.of(entry.writeId())))
            .findFirst()
            .or(() -> unknown.stream().max(Comparator.comparingLong(Entry::writtenAt)));
    return unknown.stream().filter(entry -> !staying.equals(Optional.of(entry))).toList();
  }

  private boolean isSettled(Entry entry) {
    return entry.isSettled(EnvironmentEdgeManager.currentTime(), graceMillis);
  }

  /** Deletes what has to go of some versions. */
  private void sweep(Index index, List<Suspect> suspects) throws IOException {
    if (suspects.isEmpty()) {
      return;
    }
    if (!server.handlers().tryAcquire()) {
      throw new RegionTooBusyException("too many handlers wait for indexes; try again");
    }
    List<Suspect> all = List.copyOf(suspects);
    try {
      long left =
          await(
              server
                  .finder()
                  .find(
                      index.table(),
                      index,
                      all.stream()
                          .filter(suspect -> isLookedUp(index, suspect))
                          .map(Suspect::version)
                          .toList(),
                      HConstants.HIGH_QOS,
                      timeoutMillis)
                  .thenCompose(found -> delete(index, all, found)));
      if (left > 0) {
        throw new RegionTooBusyException(
            "%d entries are not deleted, which their index did not acknowledge; try again"
                .formatted(left));
      }
    } finally {
      server.handlers().release();
    }
  }

  private static boolean isLookedUp(Index index, Suspect suspect) {
    return EntryFinder.findsByRow(index) || !suspect.held().isEmpty();
  }

  /** Completes with the number of those that were not deleted. */
  private CompletableFuture<Long> delete(
      Index index, List<Suspect> suspects, Map<Entry, List<Entry>> found) {
    List<IndexDelete> deletes = new ArrayList<>();
    for (Suspect suspect : suspects) {
      List<Entry> all =
          isLookedUp(index, suspect)
              ? found.getOrDefault(suspect.version(), List.of())
              : suspect.named();
      for (Entry entry : unjustified(suspect.held(), all)) {
        index
            .strategy()
            .retract(index, entry)
            .map(marker -> new IndexDelete(index.table(), List.of(marker), HConstants.HIGH_QOS))
            .ifPresent(deletes::add);
      }
    }
    if (deletes.isEmpty()) {
      return CompletableFuture.completedFuture(0L);
    }
    deletes.sort(
        Comparator.comparing(IndexDelete::first, CellComparator.getInstance()::compareRows));
    return server
        .sender()
        .send(index.table(), deletes, timeoutMillis, () -> {})
        .thenApply(done -> deletes.stream().filter(each -> !each.isAcknowledged()).count());
  }

  private long await(CompletableFuture<Long> left) throws IOException {
    try {
      return left.get(Caller.patience(timeoutMillis), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw Caller.interrupted("interrupted while an index was waited for", e);
    } catch (ExecutionException | TimeoutException e) {
      throw (IOException)
          new RegionTooBusyException("the index does not answer; try again").initCause(e);
    }
  }
}
