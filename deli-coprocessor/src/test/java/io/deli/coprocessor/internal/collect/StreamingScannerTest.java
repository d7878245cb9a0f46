package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.GcMode;
import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Cells;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.junit.jupiter.api.Test;

class StreamingScannerTest {
  private static final int ROWS = 15_000;
  private static final GcMetrics METRICS =
      new GcMetrics(
          MetricRegistries.global().create(new MetricRegistryInfo("s", "s", "s", "s", false)));

  /** HBase asks in between whether the region closes. */
  @Test
  void whereNothingIsKept_itReturnsNowAndThen() throws Exception {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      String row = "row%06d".formatted(i);
      cells.add(Cells.of(row, "", NOW, KeyValue.Type.DeleteFamily, "", 2));
      cells.add(Cells.of(row, "o", NOW - 1, KeyValue.Type.Put, "v", 1));
    }
    GcSettings settings = new GcSettings(GcMode.STREAMING, 1 << 20, 5, 1_000);
    int calls = 0;
    try (StreamingScanner scanner =
        new StreamingScanner(
            new RowPieces(new Cells(cells), Cells.matcher(1), Long.MAX_VALUE),
            Unit::free,
            new Windows(
                "f", settings, (table, deletes, millis, done) -> null, new RegionWaits(), METRICS),
            unit -> {})) {
      List<Cell> out = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(out, null);
        calls++;
      }
      assertThat(out).isEmpty();
    }
    assertThat(calls).isEqualTo(2 * ROWS / 10_000 + 1);
  }

  /** An index that takes its time for each request, whatever is in it. */
  private static final class Trickle extends WaitedTime implements IndexDelete.Sender {
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    private record Request(long due, Runnable answer) {}

    private final Deque<Request> requests = new ArrayDeque<>();
    private int acknowledged;

    @Override
    public CompletableFuture<Void> send(
        TableName table, List<IndexDelete> deletes, long timeoutMillis, Runnable progress) {
      CompletableFuture<Void> answered = new CompletableFuture<>();
      requests.add(
          new Request(
              now + ANSWER_NANOS,
              () -> {
                deletes.forEach(IndexDelete::acknowledge);
                acknowledged += deletes.size();
                progress.run();
                answered.complete(null);
              }));
      return answered;
    }

    @Override
    void passed() {
      while (!requests.isEmpty() && requests.element().due() <= now) {
        requests.remove().answer().run();
      }
    }
  }

  @Test
  void anIndexThatAcknowledgesLittleAtATime_isNotWaitedForWithoutEnd() throws Exception {
    int rows = 1_000;
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      String row = "row%06d".formatted(i);
      cells.add(Cells.of(row, "q", NOW, KeyValue.Type.Put, "b", 2));
      cells.add(Cells.of(row, "q", NOW - 1, KeyValue.Type.Put, "a", 1));
    }
    Index index = Index.of(TableName.valueOf("t"), IndexDefinition.on("by_q", Column.parse("f:q")));
    GcSettings settings = new GcSettings(GcMode.STREAMING, 1 << 10, 2, 1_000);
    Trickle trickle = new Trickle();
    List<Cell> out = new ArrayList<>();
    try (StreamingScanner scanner =
        new StreamingScanner(
            new RowPieces(new Cells(cells), Cells.matcher(1), Long.MAX_VALUE),
            GarbageUnitsTest.units(new FamilyIndexes(List.of(index), List.of(), false)),
            new Windows("f", settings, trickle, trickle, METRICS),
            unit -> {})) {
      List<Cell> some = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(some, null);
        out.addAll(some);
        some.clear();
        assertThat(trickle.now).isLessThan(TimeUnit.SECONDS.toNanos(61));
      }
    }
    assertThat(trickle.acknowledged).isBetween(100, rows / 2);
    assertThat(out).as("nothing goes unacknowledged").hasSize(2 * rows - trickle.acknowledged);
  }
}
