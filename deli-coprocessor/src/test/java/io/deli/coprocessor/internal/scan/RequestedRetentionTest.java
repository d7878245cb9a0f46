package io.deli.coprocessor.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.regionserver.CustomizedScanInfoBuilder;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.junit.jupiter.api.Test;

class RequestedRetentionTest {
  private static final ScanInfo FAMILY =
      new ScanInfo(
          new Configuration(false),
          Cells.FAMILY,
          1,
          3,
          60_000,
          KeepDeletedCells.FALSE,
          HConstants.DEFAULT_BLOCKSIZE,
          500,
          CellComparator.getInstance(),
          false);

  /** What one coprocessor ahead of DELI's asks for, and one behind. */
  private static String asked(Consumer<ScanOptions> ahead, Consumer<ScanOptions> behind) {
    CustomizedScanInfoBuilder options = new CustomizedScanInfoBuilder(FAMILY);
    ahead.accept(options);
    RequestedRetention retention = RequestedRetention.keepAll(null, () -> FAMILY, options);
    ScanInfo kept = options.build();
    assertThat(List.of(kept.getMaxVersions(), kept.getTtl(), kept.getTimeToPurgeDeletes()))
        .allMatch(number -> number.longValue() >= Integer.MAX_VALUE - 1);
    assertThat(kept.getKeepDeletedCells()).isNotEqualTo(KeepDeletedCells.FALSE);
    behind.accept(options);
    return describe(retention.asked());
  }

  private static String describe(ScanInfo info) {
    return List.of(
            info.getMinVersions(),
            info.getMaxVersions(),
            info.getTtl(),
            info.getKeepDeletedCells(),
            info.getTimeToPurgeDeletes())
        .toString();
  }

  @Test
  void whatIsAsked_isTheFamilys_butForWhatOthersAskFor() {
    String ofFamily = "[1, 3, 60000, FALSE, 500]";
    assertThat(describe(FAMILY)).isEqualTo(ofFamily);
    assertThat(asked(options -> {}, options -> {})).isEqualTo(ofFamily);
    Consumer<ScanOptions> greedy =
        options -> {
          options.setMaxVersions(7);
          options.setMinVersions(2);
          options.setTTL(90_000);
          options.setKeepDeletedCells(KeepDeletedCells.TRUE);
          options.setTimeToPurgeDeletes(900);
        };
    String ofGreedy = "[2, 7, 90000, TRUE, 900]";
    assertThat(asked(greedy, options -> {})).isEqualTo(ofGreedy);
    assertThat(asked(options -> {}, greedy)).isEqualTo(ofGreedy);
    Consumer<ScanOptions> all =
        options -> {
          options.setMaxVersions(Integer.MAX_VALUE);
          options.setTTL(Long.MAX_VALUE);
        };
    assertThat(asked(options -> {}, all)).startsWith("[1, 2147483647, 9223372036854775807,");
  }

  @Test
  void aRetention_isOfItsStore() {
    CustomizedScanInfoBuilder options = new CustomizedScanInfoBuilder(FAMILY);
    assertThat(RequestedRetention.keepAll(null, () -> FAMILY, options).isOf(null)).isTrue();
  }
}
