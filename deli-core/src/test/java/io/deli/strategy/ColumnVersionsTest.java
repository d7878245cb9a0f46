package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ColumnVersionsTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final long NOW = 1_000_000;

  private final List<Cell> cells = new ArrayList<>();

  private static VersionRules keeping(int versions) {
    return new VersionRules(versions, 0, Long.MAX_VALUE, true);
  }

  private static Cell cell(long timestamp, KeyValue.Type type) {
    boolean family =
        type == KeyValue.Type.DeleteFamily || type == KeyValue.Type.DeleteFamilyVersion;
    return new KeyValue(
        ROW, COLUMN.family(), family ? new byte[0] : COLUMN.qualifier(), timestamp, type);
  }

  private static Cell exact(long timestamp) {
    return cell(timestamp, KeyValue.Type.Delete);
  }

  private static Cell latest() {
    return exact(HConstants.LATEST_TIMESTAMP);
  }

  private ColumnVersionsTest put(long... newestFirst) {
    for (long timestamp : newestFirst) {
      cells.add(cell(timestamp, KeyValue.Type.Put));
    }
    return this;
  }

  private ColumnVersionsTest putPassing(long timestamp) {
    return putPassing(timestamp, 60_000);
  }

  private ColumnVersionsTest putPassing(long timestamp, long ttl) {
    cells.add(
        KeyValueUtil.copyToNewKeyValue(
            PrivateCellUtil.createCell(
                cell(timestamp, KeyValue.Type.Put),
                List.of(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(ttl))))));
    return this;
  }

  private ColumnVersionsTest delete(long timestamp, KeyValue.Type type) {
    cells.add(cell(timestamp, type));
    return this;
  }

  private List<Long> exposed(VersionRules rules, Cell... deletes) {
    return timestamps(
        ColumnVersions.of(COLUMN, cells)
            .resurrected(rules, Integer.MAX_VALUE, NOW)
            .under(List.of(deletes)));
  }

  private static List<Long> timestamps(List<Cell> versions) {
    return versions.stream().map(Cell::getTimestamp).toList();
  }

  @Test
  void exactDelete_ofALivingVersion_exposesTheNextOne() {
    put(50, 40, 30, 20, 10);
    assertThat(exposed(keeping(3), exact(40))).containsExactly(20L);
    assertThat(exposed(keeping(3), exact(50), exact(40))).containsExactly(20L, 10L);
    assertThat(exposed(keeping(1), cell(50, KeyValue.Type.DeleteFamilyVersion)))
        .containsExactly(40L);
  }

  @Test
  void exactDelete_ofWhatIsNotLiving_exposesNothing() {
    put(50, 40, 30, 20, 10).delete(40, KeyValue.Type.Delete);
    assertThat(exposed(keeping(2), exact(20))).isEmpty();
    assertThat(exposed(keeping(2), exact(40))).isEmpty();
    assertThat(exposed(keeping(2), exact(45))).isEmpty();
  }

  @Test
  void deletesOfTheLatest_countFromTheNewestLivingVersion() {
    put(50, 40, 30, 20, 10).delete(50, KeyValue.Type.Delete);
    assertThat(exposed(keeping(2), latest())).containsExactly(20L);
    assertThat(exposed(keeping(2), latest(), latest())).containsExactly(20L, 10L);
  }

  @Test
  void whatIsHidden_isNotExposed() {
    put(50, 40, 30).delete(40, KeyValue.Type.DeleteColumn);
    assertThat(exposed(keeping(1), exact(50))).isEmpty();
    assertThat(exposed(keeping(1), cell(45, KeyValue.Type.DeleteFamily), latest())).isEmpty();
  }

  @Test
  void minVersions_showTheNextExpiredVersion() {
    VersionRules rules = new VersionRules(3, 1, 100, true);
    put(NOW - 200, NOW - 300, NOW - 400);
    assertThat(timestamps(ColumnVersions.of(COLUMN, cells).seen(rules, NOW)))
        .containsExactly(NOW - 200);
    assertThat(exposed(rules, latest())).containsExactly(NOW - 300);
  }

  @Test
  void passingVersions_hideForGoodWhatEndsBefore() {
    putPassing(30).put(20).putPassing(10);
    assertThat(exposed(keeping(2), exact(20))).containsExactly(10L);
    assertThat(exposed(keeping(2), exact(30))).containsExactly(10L);
  }

  @Test
  void passingVersions_hideNothingForGood() {
    put(50).putPassing(40).putPassing(30, 90_000).put(20, 10);
    assertThat(exposed(keeping(1), exact(50))).containsExactly(40L, 30L, 20L);
    assertThat(exposed(keeping(1), exact(40))).isEmpty();
  }

  @Test
  void whatPasses_mayHaveATwinThatHidesForGood() {
    putPassing(40).putPassing(30).put(20, 10);
    assertThat(exposed(keeping(1), exact(40))).containsExactly(30L, 20L);
    assertThat(exposed(keeping(1), latest())).containsExactly(30L, 20L);
    assertThat(exposed(keeping(1), exact(30))).containsExactly(20L);
    cells.clear();
    put(40).putPassing(30).put(20, 10);
    assertThat(exposed(keeping(2), exact(40))).containsExactly(20L, 10L);
  }

  @Test
  void newVersionBehavior_exposesNothing() {
    put(50, 40, 30);
    VersionRules rules =
        VersionRules.of(
            ColumnFamilyDescriptorBuilder.newBuilder(COLUMN.family())
                .setNewVersionBehavior(true)
                .build());
    assertThat(exposed(rules, exact(50))).isEmpty();
  }

  @Test
  void anIndexOfTheNewest_isExposedToWhatItForgot() {
    put(50, 40, 30);
    assertThat(
            timestamps(
                ColumnVersions.of(COLUMN, cells)
                    .resurrected(keeping(3), 1, NOW)
                    .under(List.of(latest()))))
        .containsExactly(40L);
    assertThat(exposed(keeping(3), latest())).isEmpty();
  }

  @Test
  void moreDeletesOfTheLatest_thanVersions_exposeNothing() {
    put(50);
    assertThat(exposed(keeping(2), latest(), latest())).isEmpty();
  }

  @Test
  void onlyMarkersOfOneVersion_areExposing() {
    assertThat(ColumnVersions.mayResurrect(exact(1), COLUMN)).isTrue();
    assertThat(ColumnVersions.mayResurrect(exact(1), Column.parse("f:other"))).isFalse();
    Cell ofFamily = cell(1, KeyValue.Type.DeleteFamilyVersion);
    assertThat(ColumnVersions.mayResurrect(ofFamily, Column.parse("f:other"))).isTrue();
    for (KeyValue.Type type :
        List.of(KeyValue.Type.DeleteFamily, KeyValue.Type.DeleteColumn, KeyValue.Type.Put)) {
      assertThat(ColumnVersions.mayResurrect(cell(1, type), COLUMN)).isFalse();
    }
  }

  @Test
  void eachKindOfMarker_hidesWhatHBaseHides() {
    put(50, 40, 30);
    List<Long> all = List.of(50L, 40L, 30L);
    assertThat(timestamps(ColumnVersions.of(COLUMN, cells).all())).isEqualTo(all);
    assertThat(seenUnder(KeyValue.Type.Delete)).containsExactly(50L, 30L);
    assertThat(seenUnder(KeyValue.Type.DeleteFamilyVersion)).containsExactly(50L, 30L);
    assertThat(seenUnder(KeyValue.Type.DeleteColumn)).containsExactly(50L);
    assertThat(seenUnder(KeyValue.Type.DeleteFamily)).containsExactly(50L);
    for (KeyValue.Type type : List.of(KeyValue.Type.Delete, KeyValue.Type.DeleteColumn)) {
      Cell other = new KeyValue(ROW, COLUMN.family(), new byte[] {'o'}, 40, type);
      ColumnVersions versions = ColumnVersions.of(COLUMN, cells).under(List.of(other));
      assertThat(timestamps(versions.seen(keeping(3), NOW))).isEqualTo(all);
    }
  }

  private List<Long> seenUnder(KeyValue.Type type) {
    ColumnVersions versions = ColumnVersions.of(COLUMN, cells).under(List.of(cell(40, type)));
    return timestamps(versions.seen(keeping(3), NOW));
  }

  /** It may hide versions from some users only, so that others see what it would expose. */
  @Test
  void aMarkerWithALabel_doesNotHideWhatMayBeExposed() {
    put(50, 40, 30);
    cells.add(
        KeyValueUtil.copyToNewKeyValue(
            PrivateCellUtil.createCell(
                exact(40), List.of(new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, "x")))));
    assertThat(exposed(keeping(1), exact(50))).containsExactly(40L);
  }

  @Test
  void aScan_showsAllOfOneRow() throws Exception {
    Scan scan = ColumnVersions.scan(COLUMN, ROW);
    assertThat(scan.isRaw()).isTrue();
    assertThat(scan.getMaxVersions()).isEqualTo(Integer.MAX_VALUE);
    assertThat(scan.isGetScan()).isTrue();
    assertThat(scan.getStartRow()).isEqualTo(ROW);
    assertThat(scan.getFamilyMap()).containsOnlyKeys(COLUMN.family());
    Filter filter = scan.getFilter();
    for (Cell cell : List.of(exact(1), cell(1, KeyValue.Type.DeleteFamily))) {
      assertThat(filter.filterCell(cell)).isEqualTo(Filter.ReturnCode.INCLUDE);
    }
    Cell other = new KeyValue(ROW, COLUMN.family(), new byte[] {'o'}, 1, KeyValue.Type.Put);
    assertThat(filter.filterCell(other)).isNotEqualTo(Filter.ReturnCode.INCLUDE);
  }

  @Test
  void rules_areThoseOfTheFamily() {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(COLUMN.family()).setMaxVersions(4);
    assertThat(VersionRules.of(family.build()))
        .isEqualTo(new VersionRules(4, 0, Long.MAX_VALUE, true));
    family.setTimeToLive(60).setMinVersions(2).setNewVersionBehavior(true);
    assertThat(VersionRules.of(family.build())).isEqualTo(new VersionRules(4, 2, 60_000, false));
  }

  @Test
  void aVersion_isSeenToTheEndOfItsTime() {
    VersionRules rules = new VersionRules(1, 0, 100, true);
    assertThat(rules.show(NOW - 100, 0, NOW)).isTrue();
    assertThat(rules.show(NOW - 101, 0, NOW)).isFalse();
  }

  @Test
  void unhidden_isWhatNoMarkerHides() {
    put(50, 40, 30).delete(30, KeyValue.Type.Delete);
    ColumnVersions versions = ColumnVersions.of(COLUMN, cells).under(List.of(exact(50)));
    assertThat(versions.unhidden(40)).isPresent();
    assertThat(versions.unhidden(50)).isEmpty();
    assertThat(versions.unhidden(30)).isEmpty();
    assertThat(versions.unhidden(20)).isEmpty();
  }

  @Test
  void tellDeleted_isSureOnlyWhereAVersionWouldBeSeen() {
    put(50, 40);
    assertThat(keeping(3).tellDeleted(30, cells)).isTrue();
    assertThat(keeping(3).tellDeleted(40, cells)).isFalse();
    assertThat(keeping(2).tellDeleted(30, cells)).isFalse();
    assertThat(keeping(2).tellDeleted(45, cells)).isTrue();
    assertThat(keeping(1).tellDeleted(45, cells)).isFalse();
    assertThat(keeping(1).tellDeleted(60, cells)).isTrue();
    assertThat(new VersionRules(3, 1, 100, true).tellDeleted(30, cells)).isFalse();
  }
}
