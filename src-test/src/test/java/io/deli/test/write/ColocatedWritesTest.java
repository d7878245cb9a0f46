package io.deli.test.write;

import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deli.client.DeliTable;
import io.deli.config.DeliSettings;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes of rows whose entries are on the same region server. */
class ColocatedWritesTest {
  private final AtomicInteger requests = new AtomicInteger();
  private Connection connection;
  private TestTable written;
  private TableName index;
  private DeliTable table;
  private HookObserver hooks;

  @BeforeEach
  void open() throws Exception {
    written = TestTable.create("colocated", 3);
    index = written.index().table();
    hooks = HookObserver.on(written.name());
    hooks.each(Moment.CALL, "Write"::equals, (region, method) -> requests.incrementAndGet());
    MiniCluster.move(index, MiniCluster.serverOf(written.name()));
    connection = MiniCluster.connectConfigured();
    table = (DeliTable) connection.getTable(written.name());
    // It locates the regions.
    table.put(put("first", "first"));
    assertThat(requests).hasValue(0);
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  private static List<Put> many(int count) {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      puts.add(put("row" + i, "v" + i % 3));
    }
    return puts;
  }

  @Test
  void rowsAndEntriesAreOneRequestAndEntriesAreThereFirst() throws Exception {
    List<String> early = new ArrayList<>();
    hooks.each(
        Moment.PUT,
        (region, put) -> {
          String row = Bytes.toString(put.getRow());
          if (entries().stream().noneMatch(entry -> entry.contains(row))) {
            early.add(row);
          }
        });
    table.put(put("one", "v"));
    table.put(many(5));
    assertThat(requests).hasValue(2);
    assertThat(early).isEmpty();
    assertThat(written.cells(new Scan())).hasSize(7);
    written.assertIndexed();
  }

  private List<String> entries() throws IOException {
    return TestTable.cells(index).stream()
        .map(
            cell ->
                Bytes.toStringBinary(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()))
        .toList();
  }

  @Test
  void aListIsWrittenInItsOrder() throws Exception {
    byte[] row = Bytes.toBytes("row0");
    List<Put> puts = many(3);
    puts.add(put("row0", "again"));
    table.put(puts);
    assertThat(requests).hasValue(1);
    assertThat(table.get(new Get(row)).value()).isEqualTo(Bytes.toBytes("again"));
    assertThat(written.entries()).containsAll(written.justified());
  }

  private RetriesExhaustedWithDetailsException onlyFailure(List<Put> puts) {
    RetriesExhaustedWithDetailsException failure =
        catchThrowableOfType(RetriesExhaustedWithDetailsException.class, () -> table.put(puts));
    assertThat(requests).hasPositiveValue();
    assertThat(failure.getNumExceptions()).isEqualTo(1);
    return failure;
  }

  @Test
  void aRowWhoseEntryIsRefusedFailsAloneAndIsNotWritten() throws Exception {
    HookObserver.on(index)
        .each(
            Moment.PUT,
            put -> Bytes.toStringBinary(put.getRow()).contains("bad"),
            (region, put) -> {
              throw new DoNotRetryIOException("forbidden");
            });
    List<Put> puts = many(9);
    puts.add(4, put("refused", "bad"));
    assertThat(onlyFailure(puts).getCause(0)).hasMessageContaining("forbidden");
    assertThat(table.exists(new Get(Bytes.toBytes("refused")))).isFalse();
    assertThat(written.cells(new Scan())).hasSize(10);
    written.assertIndexed();
  }

  @Test
  void aRowThatIsRefusedFailsAlone() throws Exception {
    hooks.each(
        Moment.PUT,
        put -> Bytes.equals(put.getRow(), Bytes.toBytes("bad")),
        (region, put) -> {
          throw new DoNotRetryIOException("forbidden");
        });
    List<Put> puts = many(9);
    puts.add(4, put("bad", "v"));
    assertThat(onlyFailure(puts).getRow(0).getRow()).isEqualTo(Bytes.toBytes("bad"));
    assertThat(written.cells(new Scan())).hasSize(10);
    assertThat(written.entries()).containsAll(written.justified());
  }

  @Test
  void regionsThatHaveMovedAreFound() throws Exception {
    ServerName first = MiniCluster.serverOf(index);
    for (TableName moved : List.of(index, written.name())) {
      MiniCluster.move(moved, MiniCluster.otherThan(first));
      table.put(put("single" + moved.getNameAsString().length(), "v"));
      table.put(many(5));
    }
    requests.set(0);
    Eventually.holds(
        () -> {
          table.put(many(3));
          assertThat(requests).as("they are together again").hasPositiveValue();
        });
    assertThat(written.cells(new Scan())).hasSize(8);
    written.assertIndexed();
  }

  @Test
  void whatIsNotLoggedOrNotToBeSentTogetherIsWrittenApart() throws Exception {
    table.put(put("unlogged", "v").setDurability(Durability.SKIP_WAL));
    table.put(put("urgent", "v").setPriority(100));
    table.batch(List.of(put("row1", "v"), new Delete(Bytes.toBytes("row2"))), new Object[2]);
    try (Table hasty =
        connection.getTableBuilder(written.name(), null).setOperationTimeout(60_000).build()) {
      hasty.put(put("hasty", "v"));
    }
    try (Connection apart =
        MiniCluster.connectConfigured(DeliSettings.WRITE_COLOCATED.key(), "false")) {
      apart.getTable(written.name()).put(many(5));
      apart.getTable(written.name()).put(many(5));
    }
    assertThat(requests).hasValue(0);
    written.assertIndexed();
  }

  @Test
  void aServerThatFailsTheRequestIsLeftInPeaceForAWhile() throws Exception {
    hooks.each(
        Moment.CALL,
        "Write"::equals,
        (region, method) -> {
          requests.incrementAndGet();
          throw new DoNotRetryIOException("out of order");
        });
    long begun = System.nanoTime();
    table.put(put("one", "v"));
    table.put(put("two", "v"));
    // The pause is a second.
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    assertThat(requests.get()).isBetween(1, 1 + (int) seconds);
    Eventually.holds(
        () -> {
          table.put(put("more", "v"));
          assertThat(requests).hasValueGreaterThan(1);
        });
    written.assertIndexed();
  }

  @Test
  void entriesOfATableThatForcesItsLogToDiskAreThereAheadOfTheirRows() throws Exception {
    TestTable.alter(index, descriptor -> descriptor.setDurability(Durability.FSYNC_WAL));
    AtomicBoolean hasEntry = new AtomicBoolean();
    CountDownLatch synced = new CountDownLatch(1);
    WALActionsListener listener =
        new WALActionsListener() {
          @Override
          public void postSync(long nanos, int handlers) {
            if (hasEntry.get()) {
              synced.countDown();
            }
          }
        };
    AtomicBoolean wasAhead = new AtomicBoolean();
    HookObserver.on(index).each(Moment.PUT_DONE, (region, put) -> hasEntry.set(true));
    // The log wakes writers ahead of listeners.
    hooks.each(Moment.PUT, (region, put) -> wasAhead.set(synced.await(10, TimeUnit.SECONDS)));
    MiniCluster.move(index, MiniCluster.serverOf(written.name()));
    WAL log = written.regions().get(0).getWAL();
    log.registerWALActionsListener(listener);
    try {
      table.put(put("synced", "v"));
    } finally {
      log.unregisterWALActionsListener(listener);
    }
    assertThat(requests).hasValue(1);
    assertThat(wasAhead).isTrue();
  }
}
