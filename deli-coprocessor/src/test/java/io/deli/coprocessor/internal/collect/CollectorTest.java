package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.GcMode;
import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Cells;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.junit.jupiter.api.Test;

class CollectorTest {
  private static final GcSettings SETTINGS = new GcSettings(GcMode.STREAMING, 1 << 20, 5, 1_000);
  private static final FamilyIndexes INDEXES =
      new FamilyIndexes(
          List.of(Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")))),
          List.of(),
          false);

  private boolean refuses;
  private final Collector collector =
      new Collector(
          this::answer,
          new GcMetrics(
              MetricRegistries.global().create(new MetricRegistryInfo("c", "c", "c", "c", false))),
          new RegionWaits(),
          Runnable::run);

  private CompletableFuture<Void> answer(
      TableName table, List<IndexDelete> deletes, long timeoutMillis, Runnable acknowledged) {
    deletes.forEach(
        delete -> {
          if (refuses) {
            delete.fail(new IOException("refused"));
          } else {
            delete.acknowledge();
          }
        });
    acknowledged.run();
    return CompletableFuture.completedFuture(null);
  }

  /** Rewrites rows of two versions, of which one dies. */
  private List<Cell> rewrite(ScanType type, int rows) throws IOException {
    List<Cell> cells =
        IntStream.range(0, rows)
            .boxed()
            .flatMap(
                i ->
                    Stream.of(NOW, NOW - 1)
                        .map(at -> Cells.of("r" + i, "q", at, KeyValue.Type.Put, "v" + at, 1)))
            .toList();
    RowPieces pieces = new RowPieces(new Cells(cells), Cells.matcher(1), Long.MAX_VALUE);
    List<Cell> out = new ArrayList<>();
    try (InternalScanner scanner =
        collector.collect(pieces, Purge.of(type), "f", INDEXES, SETTINGS)) {
      while (scanner.next(out, null)) {
        assertThat(out).hasSizeLessThanOrEqualTo(cells.size());
      }
    }
    return out;
  }

  @Test
  void whatACompactionOfAllFilesKept_isTold_untilTheNextOfAll() throws Exception {
    refuses = true;
    assertThat(rewrite(ScanType.COMPACT_DROP_DELETES, 3)).hasSize(6);
    assertThat(collector.kept()).isEqualTo(3);
    assertThat(rewrite(ScanType.COMPACT_RETAIN_DELETES, 2)).hasSize(4);
    refuses = false;
    assertThat(rewrite(ScanType.COMPACT_RETAIN_DELETES, 5)).hasSize(5);
    assertThat(collector.kept()).isEqualTo(3);
    assertThat(rewrite(ScanType.COMPACT_DROP_DELETES, 4)).hasSize(4);
    assertThat(collector.kept()).isZero();
  }
}
