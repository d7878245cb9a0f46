package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.GcMode;
import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Cells;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.scan.RetentionMatcher;
import io.deli.coprocessor.internal.scan.RetentionMatcher.Verdict;
import io.deli.coprocessor.internal.scan.RetentionRules;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The files of a store, oldest first, and the entries in its indexes, which refuse some deletes
 * until they are {@linkplain #heal healthy}.
 */
final class IndexedFiles implements IndexDelete.Sender {
  static final Column COLUMN = GarbageUnitsTest.BY_Q.column();
  private static final int WHOLE_ROWS = 1 << 20;
  private static final List<Index> INDEXES =
      List.of(GarbageUnitsTest.BY_Q, GarbageUnitsTest.PREFIXES);
  private static final GcMetrics METRICS =
      new GcMetrics(
          MetricRegistries.global().create(new MetricRegistryInfo("c", "c", "c", "c", false)));

  /** A cell of an index table. */
  private record Entry(TableName table, String row, long timestamp, String writeId) {
    static Stream<Entry> of(TableName table, Mutation mutation) {
      return mutation.getFamilyCellMap().values().stream()
          .flatMap(List::stream)
          .map(
              cell ->
                  new Entry(
                      table,
                      Bytes.toStringBinary(CellUtil.cloneRow(cell)),
                      cell.getTimestamp(),
                      Bytes.toStringBinary(CellUtil.cloneQualifier(cell))));
    }

    /** The entries of a version. */
    static Stream<Entry> of(Cell cell) {
      BaseVersion version = BaseVersion.of(cell, WriteId.of(cell));
      return INDEXES.stream()
          .flatMap(
              index ->
                  index.strategy().write(index, version).stream()
                      .flatMap(put -> of(index.table(), put)));
    }

    /** Readers find a version by the entry of any write of the same value and time. */
    Entry ofAnyWrite() {
      return new Entry(table, row, timestamp, "");
    }
  }

  private final Random random;
  private final ScanInfo family;
  private final List<List<Cell>> files = new ArrayList<>();
  private final Set<Entry> entries = new HashSet<>();
  private final StringBuilder log = new StringBuilder();
  private boolean healthy;

  IndexedFiles(Random random, ScanInfo family) {
    this.random = random;
    this.family = family;
    log.append(family);
  }

  int count() {
    return files.size();
  }

  void heal() {
    healthy = true;
  }

  /** Adds a file, and the entries of its versions. */
  void add(List<Cell> file, long now) {
    file.stream().filter(Coordinates::isPut).flatMap(Entry::of).forEach(entries::add);
    files.add(Cells.sorted(file));
    log("writes", file, now);
  }

  /** Replaces files by one, in windows that may cut rows; or gives up on the way. */
  void compact(int from, int to, long now) throws Exception {
    List<List<Cell>> old = files.subList(from, to);
    ScanType type =
        old.size() == files.size()
            ? ScanType.COMPACT_DROP_DELETES
            : ScanType.COMPACT_RETAIN_DELETES;
    List<Cell> cells = Cells.sorted(old.stream().flatMap(List::stream).toList());
    long window = healthy || random.nextBoolean() ? WHOLE_ROWS : 1 + random.nextInt(300);
    List<Cell> written = new ArrayList<>();
    try (InternalScanner scanner =
        new Collector(this, METRICS, new RegionWaits(), Runnable::run)
            .collect(
                new RowPieces(new Cells(cells), matcher(type, cell -> true, now), window),
                Purge.of(type),
                "f",
                new FamilyIndexes(INDEXES, List.of(), false),
                new GcSettings(GcMode.STREAMING, window, 2, 1_000))) {
      if (!healthy && random.nextInt(3) == 0) {
        log("gives up %d to %d of %d".formatted(from, to, files.size()), List.of(), now);
        read(scanner, written, random.nextInt(4));
        return;
      }
      read(scanner, written, Integer.MAX_VALUE);
    }
    String what = "compacts %d to %d of %d, window %d,".formatted(from, to, files.size(), window);
    log(what, written, now);
    assertThat(written).as("%s", this).isSortedAccordingTo(CellComparator.getInstance());
    old.clear();
    files.add(from, written);
  }

  private void read(InternalScanner scanner, List<Cell> written, int times) throws IOException {
    List<Cell> some = new ArrayList<>();
    boolean more = true;
    for (int i = 0; more && i < times; i++) {
      more = scanner.next(some, null);
      some.forEach(cell -> written.add(KeyValueUtil.copyToNewKeyValue(cell)));
      some.clear();
      if (random.nextBoolean()) {
        ((Shipper) scanner).shipped();
      }
    }
  }

  @Override
  public CompletableFuture<Void> send(
      TableName table, List<IndexDelete> deletes, long timeoutMillis, Runnable acknowledged) {
    for (IndexDelete delete : deletes) {
      if (!healthy && random.nextInt(5) == 0) {
        delete.fail(new IOException("refused"));
      } else {
        Entry.of(table, delete.delete()).forEach(entries::remove);
        delete.acknowledge();
      }
    }
    acknowledged.run();
    return CompletableFuture.completedFuture(null);
  }

  /** Entries that lack of versions which are seen now, or will be when others have expired. */
  Set<Entry> missing(long now) throws Exception {
    List<Cell> cells = cells();
    Set<Cell> seen = new TreeSet<>(CellComparator.getInstance());
    for (long time : times(cells, now)) {
      RetentionMatcher matcher = matcher(ScanType.COMPACT_DROP_DELETES, null, time);
      for (Cell cell : cells) {
        if (matcher.match(cell) == Verdict.KEPT) {
          seen.add(cell);
        }
      }
    }
    Set<Entry> missing =
        seen.stream().flatMap(Entry::of).map(Entry::ofAnyWrite).collect(Collectors.toSet());
    entries.forEach(entry -> missing.remove(entry.ofAnyWrite()));
    return missing;
  }

  /** Now, and each later moment at which something has expired. */
  private Set<Long> times(List<Cell> cells, long now) {
    TreeSet<Long> times = new TreeSet<>(Set.of(now));
    for (Cell cell : cells) {
      end(cell).ifPresent(end -> times.add(end + 1));
      if (family.getTtl() != Long.MAX_VALUE) {
        times.add(cell.getTimestamp() + family.getTtl() + 1);
      }
    }
    return times.tailSet(now);
  }

  /** Entries whose version is in no file. */
  Set<Entry> garbage() {
    Set<Entry> garbage = new HashSet<>(entries);
    cells().stream().filter(Coordinates::isPut).flatMap(Entry::of).forEach(garbage::remove);
    return garbage;
  }

  /** All cells, in HBase's order. */
  List<Cell> cells() {
    return Cells.sorted(files.stream().flatMap(List::stream).toList());
  }

  private RetentionMatcher matcher(ScanType type, Predicate<Cell> revivable, long time)
      throws IOException {
    return new RetentionRules(
            family, Purge.of(type), revivable, cell -> false, Long.MAX_VALUE, 0, time)
        .matcher(null);
  }

  /** The last moment of a cell that has a time to live of its own. */
  static Optional<Long> end(Cell cell) {
    return PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE)
        .map(ttl -> cell.getTimestamp() + Tag.getValueAsLong(ttl));
  }

  private void log(String what, List<Cell> cells, long now) {
    log.append("\nat %d %s".formatted(now - NOW, what));
    for (Cell cell : cells) {
      log.append(" %s=%s".formatted(cell, Bytes.toString(CellUtil.cloneValue(cell))));
      end(cell).ifPresent(end -> log.append(" until ").append(end - NOW));
    }
  }

  @Override
  public String toString() {
    return log.toString();
  }
}
