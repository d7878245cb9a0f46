package io.deli.coprocessor.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.GcMode;
import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.send.BaseTables;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.CellMerger;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StaleEntryScannerTest {
  private static final GcMetrics METRICS =
      new GcMetrics(
          MetricRegistries.global().create(new MetricRegistryInfo("e", "e", "e", "e", false)));
  private static final GcSettings SETTINGS = new GcSettings(GcMode.STREAMING, 10_000, 2, 1_000);
  private static final int ROWS = 500;

  /** How a base table answers: that every other row is gone, or not. */
  private enum Base {
    ANSWERS,
    ANSWERS_FIRST,
    REFUSES,
    THROWS_EVERY_OTHER_TIME,
    IS_SILENT
  }

  private static final class Bases extends BaseTables {
    private final Base base;
    private final Set<Entry> denied = new HashSet<>();
    private int asked;
    private long mostBytes;

    Bases(Base base) {
      super(CompletableFuture::new);
      this.base = base;
    }

    @Override
    public CompletableFuture<Set<Entry>> stale(
        Index index, List<Entry> entries, long timeoutMillis) {
      asked++;
      mostBytes =
          Math.max(
              mostBytes,
              entries.stream().mapToLong(entry -> entry.token().length + entry.key().length).sum());
      boolean answers =
          switch (base) {
            case ANSWERS -> true;
            case ANSWERS_FIRST -> asked == 1;
            case THROWS_EVERY_OTHER_TIME -> asked % 2 == 1;
            case REFUSES, IS_SILENT -> false;
          };
      if (answers) {
        Set<Entry> stale = new HashSet<>(entries);
        stale.removeIf(entry -> entry.key()[entry.key().length - 1] % 2 == 0);
        denied.addAll(stale);
        return CompletableFuture.completedFuture(stale);
      }
      return base == Base.IS_SILENT
          ? new CompletableFuture<>()
          : CompletableFuture.failedFuture(new IOException("the base table is not there"));
    }
  }

  private static Index index(String strategy) {
    return Index.of(
        TableName.valueOf("t"),
        IndexDefinition.on("i", Column.parse("f:q")).withStrategy(strategy));
  }

  private static List<Cell> cells(Index index) {
    return cells(index, Bytes.toBytes("v"));
  }

  private static List<Cell> cells(Index index, byte[] value) {
    return IntStream.range(0, ROWS)
        .mapToObj(i -> Bytes.toBytes("%04d".formatted(i)))
        .map(key -> new BaseVersion(key, value, 7, WriteId.NONE))
        .flatMap(version -> index.strategy().write(index, version).stream())
        .map(Put::getFamilyCellMap)
        .map(families -> families.values().iterator().next().get(0))
        .sorted(CellComparator.getInstance())
        .toList();
  }

  private static InternalScanner scanner(List<Cell> cells) {
    Iterator<Cell> each = cells.iterator();
    return new InternalScanner() {
      @Override
      public boolean next(List<Cell> out, ScannerContext context) {
        for (int i = 0; i < 3 && each.hasNext(); i++) {
          out.add(each.next());
        }
        return each.hasNext();
      }

      @Override
      public void close() {}
    };
  }

  private static List<Cell> compacted(Index index, Bases bases, RegionWaits waits)
      throws IOException {
    return compacted(index, bases, waits, new AtomicReference<>(HConstants.EMPTY_START_ROW));
  }

  private static List<Cell> compacted(
      Index index, Bases bases, RegionWaits waits, AtomicReference<byte[]> next)
      throws IOException {
    return compacted(index, cells(index), bases, waits, next);
  }

  private static List<Cell> compacted(
      Index index, List<Cell> cells, Bases bases, RegionWaits waits, AtomicReference<byte[]> next)
      throws IOException {
    List<Cell> out = new ArrayList<>();
    try (StaleEntryScanner scanner =
        new StaleEntryScanner(scanner(cells), index, bases, SETTINGS, waits, METRICS, next)) {
      while (scanner.next(out, null)) {
        assertThat(bases.asked).isLessThan(ROWS);
      }
    }
    return out;
  }

  /** The scanner keeps the rest, in order, and comes to an end of asking and waiting. */
  @ParameterizedTest
  @EnumSource
  void exactlyWhatTheBaseDeniesGoes(Base base) throws IOException {
    for (String strategy : List.of("composite", "lazy")) {
      Index index = index(strategy);
      Bases bases = new Bases(base);
      WaitedTime waits = new WaitedTime();
      List<Cell> expected = new ArrayList<>(cells(index));
      List<Cell> left = compacted(index, bases, waits);
      expected.removeIf(
          cell -> bases.denied.contains(index.entries(Result.create(List.of(cell))).get(0)));
      assertThat(left).isEqualTo(expected);
      assertThat(waits.now).isLessThanOrEqualTo(1_000_000_000L);
      switch (base) {
        case ANSWERS -> assertThat(left).hasSize(ROWS / 2);
        case REFUSES, IS_SILENT -> {
          assertThat(left).hasSize(ROWS);
          assertThat(bases.asked).isLessThanOrEqualTo(4);
        }
        default -> assertThat(left).hasSizeBetween(ROWS / 2, ROWS - 1);
      }
    }
  }

  /** Each entry has the list's token, so that those of one cell may exceed any memory. */
  @Test
  void aListIsAskedAboutInSeveralWindows() throws IOException {
    Index index = index("lazy");
    List<Cell> lists = new ArrayList<>();
    for (byte token : new byte[] {1, 2}) {
      byte[] value = new byte[2_500];
      Arrays.fill(value, token);
      CellMerger merger = index.strategy().merger(Integer.MAX_VALUE, true, new Random(1));
      cells(index, value).forEach(cell -> merger.add(cell, lists::add));
      merger.end(lists::add);
    }
    assertThat(lists).hasSize(2);
    Bases bases = new Bases(Base.ANSWERS);
    List<Cell> left =
        compacted(
            index,
            lists,
            bases,
            new WaitedTime(),
            new AtomicReference<>(HConstants.EMPTY_START_ROW));
    assertThat(bases.mostBytes).isLessThan(SETTINGS.windowBytes() + 3_000);
    assertThat(left).hasSize(2);
    for (int i = 0; i < 2; i++) {
      List<Entry> all = index.entries(Result.create(List.of(lists.get(i))));
      assertThat(all).hasSize(ROWS);
      assertThat(index.entries(Result.create(List.of(left.get(i)))))
          .hasSize(ROWS / 2)
          .isSubsetOf(all)
          .doesNotContainAnyElementsOf(bases.denied);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"composite", "lazy"})
  void aRegionThatClosesAsksNothing(String strategy) throws IOException {
    Bases bases = new Bases(Base.ANSWERS);
    WaitedTime waits = new WaitedTime();
    waits.abandon();
    assertThat(compacted(index(strategy), bases, waits)).hasSize(ROWS);
    assertThat(bases.asked).isZero();
  }

  /** Or a base table that is always slow would be asked about the same entries each time. */
  @Test
  void whereOneGaveUp_theNextBegins_andTheOneBehindItFromTheFirst() throws IOException {
    Index index = index("composite");
    AtomicReference<byte[]> next = new AtomicReference<>(HConstants.EMPTY_START_ROW);
    Bases slow = new Bases(Base.ANSWERS_FIRST);
    compacted(index, slow, new WaitedTime(), next);
    assertThat(slow.denied).isNotEmpty();
    Bases rest = new Bases(Base.ANSWERS);
    compacted(index, rest, new WaitedTime(), next);
    assertThat(rest.denied).hasSizeBetween(ROWS / 4, ROWS / 2 - slow.denied.size());
    assertThat(rest.denied).doesNotContainAnyElementsOf(slow.denied);
    Bases all = new Bases(Base.ANSWERS);
    compacted(index, all, new WaitedTime(), next);
    assertThat(all.denied).hasSize(ROWS / 2);
  }
}
