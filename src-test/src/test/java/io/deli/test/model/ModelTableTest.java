package io.deli.test.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The model against the rules of HBase, one by one. */
class ModelTableTest {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] ONE = Bytes.toBytes("one");
  private static final byte[] THREE = Bytes.toBytes("three");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final Column IN_ONE = Column.of(ONE, Q);
  private static final Column IN_THREE = Column.of(THREE, Q);

  private final ModelTable table =
      new ModelTable(Map.of("one", 1, "three", 3), List.of(IN_ONE, IN_THREE));

  private void put(byte[] family, long timestamp, String value) {
    table.apply(new Put(ROW).addColumn(family, Q, timestamp, Bytes.toBytes(value)), 0);
  }

  private Delete delete() {
    return new Delete(ROW);
  }

  private List<String> seen(Column column, long end, int most) {
    return table.visible(ROW, column, end, most).stream()
        .map(version -> Bytes.toString(version.value()) + version.timestamp())
        .toList();
  }

  private List<String> seen(Column column) {
    return seen(column, Long.MAX_VALUE, 10);
  }

  private boolean inDoubt(Column column, long end) {
    return table.inDoubt(ROW, column, end, 10);
  }

  @Test
  void ordersByTimestampAndCountsVersions() {
    put(THREE, 2, "b");
    put(THREE, 4, "d");
    put(THREE, 1, "a");
    put(THREE, 3, "c");
    assertThat(seen(IN_THREE)).containsExactly("d4", "c3", "b2");
    assertThat(seen(IN_THREE, Long.MAX_VALUE, 2)).containsExactly("d4", "c3");
    assertThat(inDoubt(IN_THREE, Long.MAX_VALUE)).isFalse();
  }

  @Test
  void letsTheLaterOfTwoAtOneTimestampWin() {
    put(ONE, 5, "a");
    put(ONE, 5, "b");
    assertThat(seen(IN_ONE)).containsExactly("b5");
    table.apply(delete().addColumn(ONE, Q, 5), 0);
    assertThat(seen(IN_ONE)).isEmpty();
  }

  @Test
  void stampsWhatHasNoTimestamp() {
    table.apply(new Put(ROW).addColumn(ONE, Q, Bytes.toBytes("a")), 7);
    assertThat(seen(IN_ONE)).containsExactly("a7");
    table.apply(delete(), 8);
    assertThat(seen(IN_ONE)).isEmpty();
  }

  @Test
  void hidesByTimestampUntilCompacted() {
    table.apply(delete().addColumns(ONE, Q, 5), 0);
    put(ONE, 5, "a");
    assertThat(seen(IN_ONE)).isEmpty();
    put(ONE, 6, "b");
    assertThat(seen(IN_ONE)).containsExactly("b6");
    table.apply(delete().addColumns(ONE, Q, 6), 0);
    table.compact();
    assertThat(seen(IN_ONE)).isEmpty();
    put(ONE, 4, "c");
    assertThat(seen(IN_ONE)).containsExactly("c4");
  }

  @Test
  void knowsFourKindsOfMarkers() {
    for (long timestamp = 1; timestamp <= 3; timestamp++) {
      put(THREE, timestamp, "v");
      put(ONE, timestamp, "v");
    }
    table.apply(delete().addFamilyVersion(THREE, 2), 0);
    assertThat(seen(IN_THREE)).containsExactly("v3", "v1");
    table.apply(delete().addColumn(THREE, Q), 0);
    assertThat(seen(IN_THREE)).containsExactly("v1");
    table.apply(delete().addFamily(THREE, 1), 0);
    assertThat(seen(IN_THREE)).isEmpty();
    assertThat(seen(IN_ONE)).containsExactly("v3");
    table.apply(delete().addColumns(ONE, Q, 3), 0);
    assertThat(seen(IN_ONE)).isEmpty();
  }

  @Test
  void doubtsWhatWasOnceTooMuch() {
    put(ONE, 1, "a");
    put(ONE, 2, "b");
    assertThat(inDoubt(IN_ONE, Long.MAX_VALUE)).isFalse();
    assertThat(inDoubt(IN_ONE, 2)).isTrue();
    table.apply(delete().addColumn(ONE, Q, 2), 0);
    assertThat(inDoubt(IN_ONE, Long.MAX_VALUE)).isTrue();
    assertThat(settle("x1")).isFalse();
    assertThat(settle("a1")).isTrue();
    assertThat(seen(IN_ONE)).containsExactly("a1");
    assertThat(settle()).isTrue();
    assertThat(seen(IN_ONE)).isEmpty();
    assertThat(inDoubt(IN_ONE, Long.MAX_VALUE)).isFalse();
  }

  @Test
  void doubtsWhatACompactionMayMeetWithoutTheMarker() {
    table.apply(delete().addColumn(ONE, Q, 9), 0);
    put(ONE, 9, "b");
    put(ONE, 5, "a");
    assertThat(seen(IN_ONE)).containsExactly("a5");
    assertThat(inDoubt(IN_ONE, Long.MAX_VALUE)).isTrue();
  }

  @Test
  void doubtsMarkersThatAreOneTooMany() {
    put(ONE, 1, "a");
    table.apply(delete().addColumns(ONE, Q, 2), 0);
    assertThat(inDoubt(IN_ONE, Long.MAX_VALUE)).isFalse();
    put(ONE, 5, "b");
    assertThat(inDoubt(IN_ONE, Long.MAX_VALUE)).isFalse();
    assertThat(inDoubt(IN_ONE, 5)).isTrue();
    assertThat(seen(IN_ONE, 5, 1)).isEmpty();
    List<Version> uncovered = List.of(Version.of(1, Bytes.toBytes("a")));
    assertThat(table.settle(ROW, IN_ONE, 5, 1, uncovered)).isTrue();
    assertThat(seen(IN_ONE, 5, 1)).containsExactly("a1");
    table.apply(delete().addFamily(ONE, 3), 0);
    assertThat(inDoubt(IN_ONE, 5)).isFalse();
    assertThat(seen(IN_ONE, 5, 1)).isEmpty();
  }

  @Test
  void takesForGoneWhatOnlyAVanishedMarkerHid() {
    put(THREE, 3, "c");
    put(THREE, 5, "e");
    table.apply(delete().addColumns(THREE, Q, 6), 0);
    for (long timestamp = 7; timestamp <= 9; timestamp++) {
      put(THREE, timestamp, "v");
    }
    assertThat(seen(IN_THREE, 7, 3)).isEmpty();
    assertThat(inDoubt(IN_THREE, 7)).isTrue();
    Version older = Version.of(3, Bytes.toBytes("c"));
    assertThat(table.settle(ROW, IN_THREE, 7, 3, List.of(older))).isTrue();
    assertThat(seen(IN_THREE, 7, 3)).containsExactly("c3");
  }

  @Test
  void doubtsThatTheLastOfTwoAtOneTimestampIsThere() {
    put(ONE, 5, "a");
    put(ONE, 5, "b");
    assertThat(inDoubt(IN_ONE, Long.MAX_VALUE)).isFalse();
    put(ONE, 7, "c");
    assertThat(inDoubt(IN_ONE, 6)).isTrue();
    Version loser = Version.of(5, Bytes.toBytes("a"));
    assertThat(table.settle(ROW, IN_ONE, 6, 1, List.of(loser))).isTrue();
    assertThat(seen(IN_ONE, 6, 1)).containsExactly("a5");
    assertThat(seen(IN_ONE)).containsExactly("c7");
  }

  @Test
  void doesNotSettleForLessThanWhatIsCertain() {
    put(THREE, 1, "a");
    put(THREE, 2, "b");
    Version newer = Version.of(2, Bytes.toBytes("b"));
    assertThat(table.settle(ROW, IN_THREE, Long.MAX_VALUE, 3, List.of(newer))).isFalse();
    assertThat(table.settle(ROW, IN_THREE, Long.MAX_VALUE, 1, List.of(newer))).isTrue();
    assertThat(seen(IN_THREE)).containsExactly("b2", "a1");
  }

  private boolean settle(String... answer) {
    List<Version> versions =
        List.of(answer).stream()
            .map(v -> Version.of(v.charAt(1) - '0', Bytes.toBytes(v.substring(0, 1))))
            .toList();
    return table.settle(ROW, IN_ONE, Long.MAX_VALUE, 1, versions);
  }

  @Test
  void checksConditions() throws Exception {
    Put put = new Put(ROW).addColumn(ONE, Q, 5, Bytes.toBytes("b"));
    CheckAndMutate ifA =
        CheckAndMutate.newBuilder(ROW).ifEquals(ONE, Q, Bytes.toBytes("a")).build(put);
    CheckAndMutate ifNone = CheckAndMutate.newBuilder(ROW).ifNotExists(ONE, Q).build(put);
    assertThat(table.holds(ifA)).isFalse();
    assertThat(table.holds(ifNone)).isTrue();
    put(ONE, 1, "");
    assertThat(table.holds(ifNone)).isTrue();
    put(ONE, 2, "a");
    assertThat(table.holds(ifNone)).isFalse();
    assertThat(table.apply(ifA, 0)).isTrue();
    assertThat(seen(IN_ONE)).containsExactly("b5");
    assertThat(table.apply(ifA, 0)).isFalse();
  }

  @Test
  void givesAllOfARowMutationOneTimestamp() throws Exception {
    RowMutations both =
        RowMutations.of(
            List.of(new Put(ROW).addColumn(ONE, Q, Bytes.toBytes("a")), delete().addFamily(ONE)));
    table.apply(both, 9);
    assertThat(seen(IN_ONE)).isEmpty();
  }

  @Test
  void whatWasDroppedInMemoryIsThereAgainWhenTheServerDied() {
    put(ONE, 1, "a");
    put(ONE, 2, "b");
    assertThat(table.settle(ROW, IN_ONE, 2, 1, List.of())).isTrue();
    assertThat(seen(IN_ONE, 2, 1)).isEmpty();
    table.recover();
    assertThat(inDoubt(IN_ONE, 2)).isTrue();
    assertThat(seen(IN_ONE, 2, 1)).containsExactly("a1");
  }
}
