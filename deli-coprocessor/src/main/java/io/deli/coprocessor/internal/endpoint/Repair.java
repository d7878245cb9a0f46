package io.deli.coprocessor.internal.endpoint;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.spi.Caller;
import io.deli.coprocessor.spi.Contained;
import io.deli.entry.Entry;
import io.deli.service.RegionService.Entries;
import io.deli.service.RegionService.Suspect;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Deletes entries that nothing in the region can justify. Thread-safe.
 *
 * <p>That a reader did not see the version proves nothing. The writer may be between its two Puts,
 * which it bounds by half the grace period, so a suspect must be older than all of it: clocks of
 * servers and writers may differ by the other half. And the version may be there for other readers,
 * or come back, so the region must not hold it, see {@link HeldVersions}; or no index may be asked
 * for it, and it is superseded for good, see {@link Supersession}.
 */
public final class Repair {
  private final RegionCoprocessorEnvironment env;
  private final TableIndexes indexes;
  private final ServerResources server;
  private final Function<Store, Optional<FamilyIndexes>> collected;
  private final long graceMillis;

  /**
   * @param problems is told what is malformed in the settings
   * @param collected the indexes whose entries a store's compactions collect
   */
  public Repair(
      RegionCoprocessorEnvironment env,
      TableIndexes indexes,
      ServerResources server,
      Consumer<String> problems,
      Function<Store, Optional<FamilyIndexes>> collected) {
    this.env = env;
    this.indexes = indexes;
    this.server = server;
    this.collected = collected;
    this.graceMillis = DeliSettings.REPAIR_GRACE.get(env.getConfiguration(), problems);
  }

  /**
   * Examines an entry; does not wait for its delete, since the index table's server may be waiting
   * for this one.
   *
   * @throws NotServingRegionException if the entry's row is another region's
   */
  public void look(Suspect suspect) throws IOException {
    Index index = indexes.named(suspect.index());
    Entry entry = suspect.entry();
    if (!env.getRegionInfo().containsRow(entry.key())) {
      throw new NotServingRegionException(
          "row '%s' is not in %s"
              .formatted(Bytes.toStringBinary(entry.key()), env.getRegionInfo().getEncodedName()));
    }
    if (isStale(index, entry)) {
      deletes(index, entry).forEach(delete -> server.repair(index, entry, delete));
    } else {
      server.metrics().add(Count.REPAIRS_HELD, 1);
    }
  }

  private boolean isStale(Index index, Entry entry) throws IOException {
    return entry.isSettled(EnvironmentEdgeManager.currentTime(), graceMillis)
        && (HeldVersions.of(env.getRegion(), index, entry).isEmpty()
            || (forgets(index) && Supersession.isForGood(env.getRegion(), index, entry)));
  }

  private boolean forgets(Index index) {
    return index.versions() == 1
        && collected
            .apply(env.getRegion().getStore(index.column().family()))
            .filter(family -> family.forgets(index))
            .isPresent();
  }

  /**
   * Tells a region server which entries can go from the files of their index table: the positions
   * of the region's own that it would delete. What cannot be told of one stays, and so do entries
   * that differ in their write ids only, if the region holds their version: those that the caller
   * has may not be all that there are.
   *
   * @throws AccessDeniedException for others, who may not be allowed to see what the region sees
   */
  public List<Integer> stale(Entries entries) throws IOException {
    if (!Caller.isServer()) {
      throw new AccessDeniedException("only region servers may ask which entries are stale");
    }
    Index index = indexes.of(entries);
    List<Integer> stale = new ArrayList<>();
    for (int i = 0; i < entries.entries().size(); i++) {
      Entry entry = entries.entries().get(i);
      if (env.getRegionInfo().containsRow(entry.key())
          && Contained.orElse(() -> isStale(index, entry), e -> false)) {
        stale.add(i);
      }
    }
    return stale;
  }

  /** The deletes of an entry, whichever generation of its index a reader met it in. */
  public static List<IndexDelete> deletes(Index index, Entry entry) {
    List<IndexDelete> deletes = new ArrayList<>(1);
    for (Index generation : index.generations()) {
      index
          .strategy()
          .retract(generation, entry)
          .ifPresent(marker -> deletes.add(new IndexDelete(generation.table(), marker)));
    }
    return deletes;
  }
}
