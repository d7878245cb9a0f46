package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.send.RowMarks;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowTimestampsTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COUNTER = Bytes.toBytes("n");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final TableName TABLE = TableName.valueOf("t");

  private final RowMarks marks = new RowMarks();
  private final RowTimestamps rows = new RowTimestamps(marks, TABLE);

  private static Put put(String row, String qualifier) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, Bytes.toBytes(qualifier), VALUE);
  }

  /** Whether a mutation would lie before anything that its row, or what it writes, was given. */
  private static boolean areNewer(RowTimestamps rows, Mutation mutation, long timestamp) {
    return rows.newest(mutation.getRow()) >= timestamp || rows.haveComputed(mutation, timestamp);
  }

  private static RowWrite write(Mutation... mutations) {
    return new RowWrite(0, List.of(mutations));
  }

  private static Put at(long timestamp, String... qualifiers) {
    Put put = new Put(ROW);
    for (String each : qualifiers) {
      put.addColumn(FAMILY, Bytes.toBytes(each), timestamp, VALUE);
    }
    return put;
  }

  private void wrote(Mutation mutation, long timestamp) {
    rows.raise(mutation, timestamp);
    rows.wrote(write(mutation), 10_000);
  }

  @Test
  void ofSeveralThreadsWithOneTimestampOneIsFirst() {
    for (int i = 1; i < 5_000; i++) {
      long timestamp = i;
      assertThat(IntStream.range(0, 4).parallel().filter(n -> rows.raise(put("r", "q"), timestamp)))
          .hasSize(1);
    }
  }

  @Test
  void whatARowWasGivenIsNewerThanAllOfItThatIsNoNewer() {
    rows.raise(put("r", "q"), 100);
    rows.raise(put("r", "o"), 90);
    assertThat(rows.newest(ROW)).isEqualTo(100);
    assertThat(areNewer(rows, put("r", "q"), 100)).isTrue();
    assertThat(areNewer(rows, new Delete(ROW), 99)).isTrue();
    assertThat(areNewer(rows, put("r", "q"), 101)).isFalse();
    assertThat(areNewer(rows, put("other", "q"), 1)).isFalse();
    assertThat(areNewer(new RowTimestamps(marks, TableName.valueOf("u")), put("r", "q"), 1))
        .isFalse();
  }

  @Test
  void whatWasDecidedOvertakesAllOfItsRowAndOtherWritesNone() {
    rows.raise(put("r", "q"), 100);
    assertThat(rows.haveOvertaken(write(put("r", "q")), 100)).isFalse();
    rows.decided(ROW);
    assertThat(rows.haveOvertaken(write(put("r", "other")), 100)).isTrue();
    assertThat(rows.haveOvertaken(write(new Delete(ROW)), 100)).isTrue();
    assertThat(rows.haveOvertaken(write(put("r", "q")), 101)).isFalse();
    assertThat(rows.haveOvertaken(write(put("other", "q")), 100)).isFalse();
  }

  @Test
  void whatIsComputedConcernsItsColumns() {
    rows.computed(new Increment(ROW).addColumn(FAMILY, COUNTER, 1), 100);
    rows.computed(new Append(ROW).addColumn(FAMILY, VALUE, VALUE), 200);
    assertThat(areNewer(rows, put("r", "n"), 100)).isTrue();
    assertThat(areNewer(rows, put("r", "n"), 101)).isFalse();
    assertThat(areNewer(rows, put("r", "v"), 200)).isTrue();
    assertThat(areNewer(rows, put("r", "q"), 100)).isFalse();
    assertThat(areNewer(rows, put("other", "n"), 100)).isFalse();
    assertThat(rows.newestOrComputed(ROW)).isEqualTo(200);
  }

  @Test
  void whatHidesAPart_overtakes() {
    wrote(at(200, "a"), 200);
    assertThat(rows.haveOvertaken(write(at(100, "a", "b")), 100)).isTrue();
    assertThat(rows.haveOvertaken(write(at(100, "a"), at(100, "b")), 100)).isTrue();
    assertThat(rows.haveOvertaken(write(at(200, "a", "b")), 200)).isFalse();
    assertThat(rows.haveOvertaken(write(at(100, "a")), 100)).isFalse();
    assertThat(rows.haveOvertaken(write(at(100, "b", "c")), 100)).isFalse();
    // It was given an older timestamp by its writer.
    assertThat(rows.haveOvertaken(write(at(100, "b"), at(50, "a")), 100)).isFalse();
  }

  @Test
  void whatHidesAll_doesNotOvertake() {
    wrote(at(200, "a"), 200);
    wrote(at(300, "b", "a"), 300);
    wrote(at(400, "b"), 400);
    assertThat(rows.haveOvertaken(write(at(100, "a", "b")), 100)).isFalse();
    assertThat(rows.haveOvertaken(write(at(300, "a", "b")), 300)).isTrue();
    assertThat(rows.haveOvertaken(write(at(100, "a", "b", "c")), 100)).isTrue();
    wrote(new Delete(ROW).addColumn(FAMILY, VALUE, 500).addColumn(FAMILY, COUNTER, 500), 500);
    assertThat(rows.haveOvertaken(write(at(450, "v", "n")), 450)).isTrue();
  }

  /** Deletes of families, and what has very many columns. */
  @Test
  void whatIsOfAllColumns_overtakesAllAndIsOvertakenByAll() {
    String[] many = IntStream.range(0, 100).mapToObj(i -> "c" + i).toArray(String[]::new);
    wrote(at(200, many), 200);
    assertThat(rows.haveOvertaken(write(at(100, many)), 100)).isFalse();
    assertThat(rows.haveOvertaken(write(at(100, "a", "b")), 100)).isTrue();
    assertThat(rows.haveOvertaken(write(at(100, "a")), 100)).isFalse();
    wrote(at(300, "a"), 300);
    assertThat(rows.haveOvertaken(write(at(250, many)), 250)).isTrue();
    Delete delete = new Delete(ROW).addFamily(FAMILY, 250);
    assertThat(rows.haveOvertaken(write(delete), 250)).isTrue();
    wrote(new Delete(ROW).addFamily(FAMILY, 400), 400);
    assertThat(rows.haveOvertaken(write(at(350, "a", "b")), 350)).isTrue();
    assertThat(rows.haveOvertaken(write(delete), 250)).isFalse();
  }

  @Test
  void timestampsFromTheFuture_overtakeNothing() {
    wrote(at(20_000, "a", "b"), 5_000);
    assertThat(rows.haveOvertaken(write(at(4_000, "b", "c")), 4_000)).isFalse();
  }

  @Test
  void aWriteWithAComputedPart_comesBehindAllThatWasGiven_butNotWhatWasComputed() {
    Increment count = new Increment(ROW).addColumn(FAMILY, COUNTER, 1);
    rows.computed(count, 100);
    assertThat(rows.haveOvertaken(write(at(90, "a"), count), 90)).isFalse();
    wrote(at(95, "a"), 95);
    assertThat(rows.haveOvertaken(write(at(90, "a")), 90)).isFalse();
    assertThat(rows.haveOvertaken(write(at(90, "a"), count), 90)).isTrue();
    assertThat(rows.haveOvertaken(write(at(96, "a"), count), 96)).isFalse();
  }

  @Test
  void deletesAreToldApart() {
    rows.raise(new Delete(ROW), 100);
    rows.raise(put("r", "q"), 200);
    assertThat(rows.newestDelete(ROW)).isEqualTo(100);
    assertThat(rows.newest(ROW)).isEqualTo(200);
  }

  @Test
  void whatIsComputedConcernsDeletesOfItsFamily() {
    rows.computed(new Increment(ROW).addColumn(FAMILY, COUNTER, 1), 100);
    assertThat(areNewer(rows, new Delete(ROW).addFamily(FAMILY), 100)).isTrue();
    assertThat(areNewer(rows, new Delete(ROW).addColumns(FAMILY, VALUE), 100)).isFalse();
  }

  @Test
  void aNewOneIsNewerThanAllAndNoOlderThanTheClock() {
    long now = System.currentTimeMillis();
    assertThat(rows.next(ROW)).isGreaterThanOrEqualTo(now);
    rows.raise(put("r", "q"), now + 5_000);
    assertThat(rows.next(ROW)).isEqualTo(now + 5_001);
    assertThat(rows.next(ROW)).isEqualTo(now + 5_002);
    rows.computed(new Increment(ROW).addColumn(FAMILY, COUNTER, 1), now + 9_000);
    assertThat(rows.next(ROW)).isEqualTo(now + 9_001);
  }

  /** Where rows share a mark, writes are refused in vain. */
  @Test
  void rowsOfManyBatchesDoNotShareMarks() {
    Random random = new Random(7);
    int inVain = 0;
    for (int batch = 0; batch < 200; batch++) {
      for (int i = 0; i < 1_000; i++) {
        Put put = put("user" + random.nextLong(), "q");
        inVain += areNewer(rows, put, 1_000 + batch) ? 1 : 0;
        rows.raise(put, 1_000 + batch);
      }
    }
    assertThat(inVain).as("of 200,000 writes").isLessThan(5);
  }

  @Test
  void whatHadToLeaveIsNotTakenForOlder() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000_000; i++) {
      rows.raise(put("user" + random.nextLong(), "q"), 1_000_000 + i);
      if (i == 0) {
        rows.raise(put("r", "q"), 2_000);
      }
    }
    assertThat(rows.newest(ROW)).isBetween(2_000L, 3_000_000L);
    assertThat(areNewer(rows, put("r", "q"), 2_000)).isTrue();
  }
}
