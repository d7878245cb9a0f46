package io.deli.fileindex.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.Box;
import io.deli.query.Point;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.exceptions.UnexpectedStateException;
import org.apache.hadoop.hbase.regionserver.DefaultMemStore;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Entries are there for as long as their cells are in memory, or it is said that they are not. */
class IndexedMemStoreTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final Index INDEX =
      Index.of(
          TableName.valueOf("t"), IndexDefinition.on("by_value", COLUMN).withStrategy("embedded"));

  // A region server sees to these.
  private static final Configuration WITHOUT_CHUNKS = new Configuration(false);

  static {
    WITHOUT_CHUNKS.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
  }

  private final AtomicLong bytes = new AtomicLong();

  private IndexedMemStore over(MemStore cells, long most) {
    return new IndexedMemStore(cells, List.of(INDEX), new MemoryRoom(most, bytes::addAndGet));
  }

  private static Cell cell(String value) {
    return cell(1, value);
  }

  private static Cell cell(long timestamp, String value) {
    return new KeyValue(
        Bytes.toBytes("row of " + value),
        COLUMN.family(),
        COLUMN.qualifier(),
        timestamp,
        Bytes.toBytes(value));
  }

  private static void add(MemStore memory, String value) {
    memory.add(cell(value), new Uncounted());
  }

  /** Of how many versions with the value there are entries; none if they are not known. */
  private static Optional<Long> entries(IndexedMemStore memory, String value) {
    TokenRange only = TokenRange.only(Bytes.toBytes(value));
    return memory.entries(INDEX).flatMap(view -> view.between(only, 99)).map(Stream::count);
  }

  @Test
  void entriesLeaveWithTheSnapshot() throws UnexpectedStateException {
    IndexedMemStore memory =
        over(new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance()), 1_000);
    add(memory, "a");
    memory.upsert(List.of(cell("b")), 0, new Uncounted());
    long id = memory.snapshot().getId();
    add(memory, "c");
    assertThat(entries(memory, "a")).contains(1L);
    assertThat(entries(memory, "b")).contains(1L);
    assertThat(entries(memory, "c")).contains(1L);
    memory.clearSnapshot(id);
    assertThat(entries(memory, "a")).contains(0L);
    assertThat(entries(memory, "c")).contains(1L);
    assertThat(bytes).hasPositiveValue();
    memory.close();
    assertThat(bytes).hasValue(0);
  }

  @Test
  void whatIsWrittenWhileASnapshotIsTakenOutlastsIt() throws UnexpectedStateException {
    // On the way of the write into memory a whole flush takes place.
    IndexedMemStore[] outer = new IndexedMemStore[1];
    MemStore slow =
        new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance()) {
          @Override
          public void add(Iterable<Cell> cells, MemStoreSizing sizing) {
            try {
              outer[0].clearSnapshot(outer[0].snapshot().getId());
            } catch (UnexpectedStateException e) {
              throw new AssertionError(e);
            }
            super.add(cells, sizing);
          }
        };
    outer[0] = over(slow, 1_000);
    add(outer[0], "a");
    assertThat(entries(outer[0], "a")).contains(1L);
    outer[0].snapshot();
    assertThat(entries(outer[0], "a")).contains(1L);
  }

  /** HBase takes no second snapshot before the first is cleared. */
  @Test
  void aFlushThatFailedLosesNothing() throws UnexpectedStateException {
    IndexedMemStore memory =
        over(new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance()), 1_000);
    add(memory, "a");
    long id = memory.snapshot().getId();
    add(memory, "b");
    assertThat(memory.snapshot().getId()).isEqualTo(id);
    memory.clearSnapshot(id);
    assertThat(entries(memory, "b")).isNotEqualTo(Optional.of(0L));
    memory.clearSnapshot(memory.snapshot().getId());
    add(memory, "c");
    assertThat(entries(memory, "c")).contains(1L);
  }

  /** HBase clears no snapshot of nothing, as of a family that is idle while others are flushed. */
  @Test
  void entriesLeaveBehindASnapshotOfNothing() throws UnexpectedStateException {
    IndexedMemStore memory =
        over(new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance()), 1_000);
    memory.snapshot();
    add(memory, "a");
    long id = memory.snapshot().getId();
    assertThat(entries(memory, "a")).contains(1L);
    memory.clearSnapshot(id);
    assertThat(entries(memory, "a")).contains(0L);
    assertThat(bytes).hasValue(0);
  }

  @Test
  void withoutRoomNothingIsKnownUntilTheNextFlush() throws UnexpectedStateException {
    IndexedMemStore memory =
        over(new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance()), 100);
    add(memory, "a");
    assertThat(entries(memory, "a")).contains(1L);
    add(memory, "b");
    add(memory, "c");
    assertThat(entries(memory, "a")).isEmpty();
    assertThat(bytes).hasValue(0);
    memory.clearSnapshot(memory.snapshot().getId());
    add(memory, "d");
    assertThat(entries(memory, "d")).contains(1L);
  }

  @Test
  void ofMemoryThatIsNotEmptyNothingIsKnown() throws UnexpectedStateException {
    DefaultMemStore cells = new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance());
    add(cells, "a");
    IndexedMemStore memory = over(cells, 1_000);
    assertThat(entries(memory, "a")).isEmpty();
    memory.clearSnapshot(memory.snapshot().getId());
    assertThat(entries(memory, "a")).contains(0L);
  }

  /** Looked at now and then: what came by then is in runs of many lengths. */
  @Test
  void entriesAreFoundInWhateverOrderTheyCame() {
    IndexedMemStore memory =
        over(new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance()), 10 << 20);
    Random random = new Random(20261126);
    NavigableMap<String, Integer> expected = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      String value = "v" + random.nextInt(3_000);
      memory.add(cell(i, value), new Uncounted());
      expected.merge(value, 1, Integer::sum);
      if (random.nextInt(300) == 0) {
        assertThat(entries(memory, value)).contains((long) expected.get(value));
      }
    }
    MemoryView view = memory.entries(INDEX).orElseThrow();
    TokenRange range = TokenRange.of(Bytes.toBytes("v1"), Optional.of(Bytes.toBytes("v2")));
    int within = expected.subMap("v1", "v2").values().stream().mapToInt(i -> i).sum();
    assertThat(view.between(range, within).map(Stream::count)).contains((long) within);
    assertThat(view.between(range, within - 1)).isEmpty();
    Map<String, Integer> byToken = new HashMap<>();
    view.byToken(range)
        .forEach(
            token -> {
              MemoryEntry newest = token.next();
              long last = newest.timestamp();
              int count = 1;
              while (token.hasNext()) {
                MemoryEntry next = token.next();
                assertThat(next.token()).isEqualTo(newest.token());
                assertThat(next.timestamp()).isLessThan(last);
                last = next.timestamp();
                count++;
              }
              byToken.merge(Bytes.toString(newest.token()), count, Integer::sum);
            });
    assertThat(byToken).isEqualTo(expected.subMap("v1", "v2"));
  }

  @Test
  void whatIsAddedWhileOthersAskIsNotLost() throws Exception {
    IndexedMemStore memory =
        over(new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance()), 64 << 20);
    AtomicInteger written = new AtomicInteger();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              while (written.get() < 20_000) {
                memory.add(cell(written.get(), "v"), new Uncounted());
                written.incrementAndGet();
              }
            });
    TokenRange only = TokenRange.only(Bytes.toBytes("v"));
    boolean done;
    do {
      done = writer.isDone();
      int least = written.get();
      List<MemoryEntry> found =
          memory.entries(INDEX).flatMap(view -> view.between(only, 20_000)).orElseThrow().toList();
      assertThat(found).hasSizeGreaterThanOrEqualTo(least);
    } while (!done);
    writer.get(60, TimeUnit.SECONDS);
  }

  /** Many points beside it are between its corners on the curve. */
  @Test
  void ofARectangleTheStretchesOfItsPointsAreLookedAt() {
    Index points =
        Index.of(
            TableName.valueOf("t"),
            IndexDefinition.on("by_place", COLUMN)
                .withType(ValueType.POINT)
                .withStrategy("embedded"));
    IndexedMemStore memory =
        new IndexedMemStore(
            new DefaultMemStore(WITHOUT_CHUNKS, CellComparator.getInstance()),
            List.of(points),
            new MemoryRoom(1 << 20, bytes::addAndGet));
    for (int x = 0; x < 5_000; x++) {
      memory.add(
          new KeyValue(
              Bytes.toBytes(x),
              COLUMN.family(),
              COLUMN.qualifier(),
              1,
              new Point(x, x % 2 == 0 ? 1_000 : 1_550).toBytes()),
          new Uncounted());
    }
    TokenRange within =
        TokenRange.within(new Box(new Point(1_000, 1_500), new Point(3_000, 1_600)));
    List<MemoryEntry> found =
        memory.entries(points).flatMap(view -> view.between(within, 5_000)).orElseThrow().toList();
    assertThat(found).filteredOn(entry -> within.contains(entry.token())).hasSize(1_000);
    assertThat(found).hasSizeLessThan(1_200);
  }

  /** Who writes wants no sizes here. */
  private static final class Uncounted implements MemStoreSizing {
    @Override
    public long incMemStoreSize(long data, long heap, long offHeap, int cells) {
      return 0;
    }

    @Override
    public boolean compareAndSetDataSize(long expected, long updated) {
      return true;
    }

    @Override
    public long getDataSize() {
      return 0;
    }

    @Override
    public long getHeapSize() {
      return 0;
    }

    @Override
    public long getOffHeapSize() {
      return 0;
    }

    @Override
    public int getCellsCount() {
      return 0;
    }

    @Override
    public MemStoreSize getMemStoreSize() {
      throw new UnsupportedOperationException();
    }
  }
}
