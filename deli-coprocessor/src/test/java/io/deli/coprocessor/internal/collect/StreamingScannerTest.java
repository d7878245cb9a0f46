package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.GcMode;
import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.scan.Cells;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.send.GcMetrics;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.junit.jupiter.api.Test;

class StreamingScannerTest {
  private static final int ROWS = 15_000;

  /** HBase asks in between whether the region closes. */
  @Test
  void whereNothingIsKept_itReturnsNowAndThen() throws Exception {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      String row = "row%06d".formatted(i);
      cells.add(Cells.of(row, "", NOW, KeyValue.Type.DeleteFamily, "", 2));
      cells.add(Cells.of(row, "o", NOW - 1, KeyValue.Type.Put, "v", 1));
    }
    GcMetrics metrics =
        new GcMetrics(
            MetricRegistries.global().create(new MetricRegistryInfo("s", "s", "s", "s", false)));
    GcSettings settings = new GcSettings(GcMode.STREAMING, 1 << 20, 5, 1_000);
    int calls = 0;
    try (StreamingScanner scanner =
        new StreamingScanner(
            new RowPieces(new Cells(cells), Cells.matcher(1), Long.MAX_VALUE),
            Unit::free,
            new Windows(
                "f", settings, (table, deletes, millis, done) -> null, new RegionWaits(), metrics),
            metrics,
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
}
