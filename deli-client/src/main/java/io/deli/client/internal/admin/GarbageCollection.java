package io.deli.client.internal.admin;

import io.deli.client.CollectOptions;
import io.deli.client.CollectReport;
import io.deli.client.CollectedRegion;
import io.deli.client.ProgressListener;
import io.deli.client.internal.Futures;
import io.deli.client.internal.verify.Sweep;
import io.deli.config.DeliSettings;
import io.deli.config.GcMode;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.service.Flush;
import io.deli.service.PrimaryRegions;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/**
 * Garbage collection on request: compacts the base table, sweeps its indexes, and compacts these.
 */
public record GarbageCollection(Connection connection, Schema schema, ProgressListener progress) {
  /** Attempts to compact all regions; some may move or have no server for a while. */
  private static final int ATTEMPTS = 10;

  private static final int ATTEMPT_MILLIS = 3_000;

  public CollectReport run(TableName table, CollectOptions options) throws IOException {
    try {
      return collect(table, options);
    } catch (IOException e) {
      if (ExceptionUtil.isInterrupt(e)) {
        Thread.currentThread().interrupt();
      }
      throw e;
    }
  }

  private CollectReport collect(TableName table, CollectOptions options) throws IOException {
    List<IndexDefinition> indexes = schema.definitions(table);
    try (Admin admin = connection.getAdmin()) {
      requireCompactions(admin, table);
      long start = System.nanoTime();
      Set<String> left = new TreeSet<>(compact(admin, table, options, isStaged(table) ? 2 : 1));
      Map<String, Long> kept = keptVersions(table, left);
      long based = System.nanoTime();
      Map<String, Long> before = new TreeMap<>();
      Map<String, Long> after = new TreeMap<>();
      List<Exception> unswept = new ArrayList<>();
      for (IndexDefinition index : indexes) {
        collect(admin, table, index.name(), options, new Collected(before, after, left, unswept));
      }
      if (!unswept.isEmpty()) {
        throw unswept(table, unswept);
      }
      return new CollectReport(
          Duration.ofNanos(based - start),
          Duration.ofNanos(System.nanoTime() - based),
          before,
          after,
          left,
          kept);
    }
  }

  private static IOException unswept(TableName table, List<Exception> causes) {
    Exception first = causes.get(0);
    causes.stream().skip(1).forEach(first::addSuppressed);
    return new DoNotRetryIOException(
        "of table %2$s, %1$d indexes were not swept; all others were. The first: %3$s"
            .formatted(causes.size(), table, first.getMessage()),
        first);
  }

  /**
   * Of all indexes together.
   *
   * @param before sizes, by name
   * @param left regions that were not compacted
   * @param unswept why indexes could not be swept
   */
  private record Collected(
      Map<String, Long> before,
      Map<String, Long> after,
      Set<String> left,
      List<Exception> unswept) {}

  /**
   * Sweeps an index and compacts its tables, as they are now: it may be built anew, which deletes a
   * table and leaves another, or dropped at any moment.
   */
  private void collect(
      Admin admin, TableName table, String index, CollectOptions options, Collected collected)
      throws IOException {
    Optional<IndexDefinition> current = current(table, index);
    if (current.isEmpty() || !schema.isUsable(table, current.get())) {
      return;
    }
    if (options.sweep()) {
      try {
        sweep(table, current.get(), options);
      } catch (DoNotRetryIOException | InvalidIndexException e) {
        // It hides no other: its family may be gone, or its tokenizer be missing here.
        collected.unswept().add(e);
      }
    }
    Set<TableName> done = new HashSet<>();
    List<TableName> due = tables(table, index);
    while (!due.isEmpty()) {
      TableName entries = due.get(0);
      try {
        Flush.table(admin, entries);
        long before = bytes(admin, entries);
        collected.left().addAll(compact(admin, entries, options, 1));
        collected.before().merge(index, before, Long::sum);
        collected.after().merge(index, bytes(admin, entries), Long::sum);
      } catch (IOException e) {
        ExceptionUtil.rethrowIfInterrupt(e);
        // It may have been disabled or deleted meanwhile.
        if (tables(table, index).contains(entries)) {
          throw e;
        }
      }
      done.add(entries);
      due = tables(table, index).stream().filter(each -> !done.contains(each)).toList();
    }
  }

  private Optional<IndexDefinition> current(TableName table, String index) throws IOException {
    return IndexDefinitions.named(schema.descriptor(table), index);
  }

  private List<TableName> tables(TableName table, String index) throws IOException {
    return current(table, index)
        .map(definition -> IndexDefinitions.indexTables(table, definition))
        .orElse(List.of());
  }

  /** Whether the index can be swept: only regions with the coprocessor can tell what is garbage. */
  private boolean isSwept(TableName table, IndexDefinition index) throws IOException {
    return index.state().maintained()
        && IndexDefinitions.indexTable(table, index).isPresent()
        && schema.descriptor(table).hasCoprocessor(Schema.COPROCESSOR);
  }

  /**
   * Sweeps the index for garbage that compactions of the base table do not collect. If the index is
   * rebuilt meanwhile, its new table is swept; if it is dropped, none.
   */
  private void sweep(TableName table, IndexDefinition index, CollectOptions options)
      throws IOException {
    if (!isSwept(table, index)) {
      return;
    }
    try (Sweep sweep =
        new Sweep(connection, Index.of(table, index), options.sweepRate(), progress)) {
      sweep.run();
    } catch (IOException e) {
      ExceptionUtil.rethrowIfInterrupt(e);
      Optional<IndexDefinition> current = current(table, index.name());
      if (current.isPresent()) {
        if (current.get().generation() == index.generation()) {
          throw e;
        }
        sweep(table, current.get(), options);
      }
    }
  }

  private static void requireCompactions(Admin admin, TableName table) throws IOException {
    TableDescriptor descriptor = admin.getDescriptor(table);
    if (!descriptor.isCompactionEnabled()) {
      throw new DoNotRetryIOException(
          "table %s cannot be compacted: its compactions are disabled. Alter it to COMPACTION_ENABLED => 'true'."
              .formatted(table));
    }
    if (descriptor.isReadOnly()) {
      throw new DoNotRetryIOException(
          "table %s cannot be compacted: it is read-only. Alter it to READONLY => 'false'."
              .formatted(table));
    }
  }

  /**
   * Waits for compactions of the base table, whose regions have just been reopened, and compacts
   * the index table to purge its tombstones.
   *
   * @throws IOException if regions were not all compacted
   */
  public void settle(Index index) throws IOException {
    TableName table = index.baseTable();
    try (Admin admin = connection.getAdmin()) {
      new RegionCompactions(admin, table, CollectOptions.DEFAULT.perServer(), progress)
          .awaitQuiet();
      ColumnFamilyDescriptor family =
          admin.getDescriptor(table).getColumnFamily(index.column().family());
      if (family != null && family.isNewVersionBehavior()) {
        // There, an equal version that was put after the marker is seen: none may be left behind.
        compactAll(admin, table, isStaged(table) ? 2 : 1);
      }
      TableDescriptor entries = admin.getDescriptor(index.table());
      TableDescriptorBuilder purged = TableDescriptorBuilder.newBuilder(entries);
      if (entries.getValue(IndexTables.PURGE_DELETES) == null) {
        purged.setValue(IndexTables.PURGE_DELETES, "0");
      }
      // Its regions reopen: a flush under way would keep tombstones from the compaction.
      admin.modifyTable(purged.build());
      compactAll(admin, index.table(), 1);
    }
  }

  private void compactAll(Admin admin, TableName table, int times) throws IOException {
    requireCompactions(admin, table);
    for (int attempt = 1; ; attempt++) {
      Set<String> left = compact(admin, table, CollectOptions.DEFAULT, times);
      if (left.isEmpty()) {
        return;
      }
      if (attempt == ATTEMPTS) {
        throw new IOException(
            "%d regions of table %s were not compacted, such as %s: they keep moving or splitting, or compactions are switched off ('compaction_switch true' in HBase's shell). Try again."
                .formatted(left.size(), table, left.iterator().next()));
      }
      Futures.sleep(Duration.ofMillis(ATTEMPT_MILLIS));
    }
  }

  /**
   * Whether a second compaction is needed to drop what the first has collected. A malformed mode
   * counts as the default, as on the servers.
   */
  private boolean isStaged(TableName table) throws IOException {
    Configuration effective = new Configuration(connection.getConfiguration());
    String own = schema.descriptor(table).getValue(DeliSettings.GC_MODE.key());
    if (own != null) {
      effective.set(DeliSettings.GC_MODE.key(), own);
    }
    return DeliSettings.GC_MODE.get(effective, malformed -> {}) == GcMode.STAGED;
  }

  /** Compacts a table; returns the regions that were not compacted. */
  private Set<String> compact(Admin admin, TableName table, CollectOptions options, int times)
      throws IOException {
    RegionCompactions compactions =
        new RegionCompactions(admin, table, options.perServer(), progress);
    Predicate<RegionMetrics> due = due(admin, table, options);
    Set<String> left = new HashSet<>();
    for (int time = 0; time < times; time++) {
      left.addAll(compactions.run(due));
    }
    return left;
  }

  /**
   * Returns the regions to compact. The decision is made once, since a compacted region is no
   * longer due; regions that come into being by a split or merge are due. All regions of a table
   * with several families are due, since HBase reports the time for the compacted families only.
   */
  private static Predicate<RegionMetrics> due(Admin admin, TableName table, CollectOptions options)
      throws IOException {
    if (options.olderThan().isEmpty() || admin.getDescriptor(table).getColumnFamilyCount() > 1) {
      return region -> true;
    }
    Instant limit = Instant.now().minus(options.olderThan().get());
    Set<String> fresh =
        ledger(admin, table).stream()
            .filter(region -> region.compacted().filter(time -> !limit.isAfter(time)).isPresent())
            .map(CollectedRegion::name)
            .collect(Collectors.toSet());
    return region -> !fresh.contains(region.getNameAsString());
  }

  /** The regions of a table, by start key. */
  public List<CollectedRegion> ledger(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return ledger(admin, table);
    }
  }

  private static List<CollectedRegion> ledger(Admin admin, TableName table) throws IOException {
    List<CollectedRegion> ledger = new ArrayList<>();
    for (RegionCompactions.Region region : RegionCompactions.regions(admin, table)) {
      RegionMetrics metrics = region.metrics();
      ledger.add(
          new CollectedRegion(
              metrics.getNameAsString(),
              RegionInfo.getStartKey(region.name()),
              region.server(),
              (long) metrics.getStoreFileSize().get(Size.Unit.BYTE),
              metrics.getStoreFileCount(),
              Optional.of(metrics.getLastMajorCompactionTimestamp())
                  .filter(time -> time > 0)
                  .map(Instant::ofEpochMilli)));
    }
    ledger.sort(Comparator.comparing(CollectedRegion::startKey, Bytes.BYTES_COMPARATOR));
    return ledger;
  }

  /** Size of the table's store files, as its region servers have it at this moment. */
  static long bytes(Admin admin, TableName table) throws IOException {
    return (long)
        RegionCompactions.regions(admin, table).stream()
            .mapToDouble(region -> region.metrics().getStoreFileSize().get(Size.Unit.BYTE))
            .sum();
  }

  /**
   * Asks the regions of a table how many dead versions their last compactions kept.
   *
   * @param left gets the names of those that do not answer, for what they kept is not known
   * @return how many versions, by name of region; without those that kept none
   */
  private Map<String, Long> keptVersions(TableName table, Set<String> left) throws IOException {
    Map<String, Long> kept = new TreeMap<>();
    try (Table regions = connection.getTable(table)) {
      for (HRegionLocation each : PrimaryRegions.locations(connection, table)) {
        String name = each.getRegion().getRegionNameAsString();
        try {
          long versions =
              RegionService.versions(
                  RegionCompactions.ask(regions, each.getRegion().getStartKey()));
          if (versions > 0) {
            kept.put(name, versions);
          }
        } catch (UnknownProtocolException e) {
          // Its server has an older DELI, which does not tell.
        } catch (IOException e) {
          ExceptionUtil.rethrowIfInterrupt(e);
          left.add(name);
        }
      }
    }
    return kept;
  }
}
