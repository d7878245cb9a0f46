package io.deli.coprocessor.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class LockedWritesTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COUNTER = Bytes.toBytes("n");
  private static final byte[] VALUE = Bytes.toBytes("v");

  private final LockedWrites locked = new LockedWrites();

  private static Put put(String row, String qualifier) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, Bytes.toBytes(qualifier), VALUE);
  }

  @Test
  void whatIsConditionalOvertakesAllOfItsRow() {
    long before = locked.now();
    locked.applied(put("r", "q"), true);
    assertThat(locked.haveOvertaken(put("r", "other"), before)).isTrue();
    assertThat(locked.haveOvertaken(new Delete(ROW), before)).isTrue();
    assertThat(locked.haveOvertaken(put("other", "q"), before)).isFalse();
    assertThat(locked.haveOvertaken(put("r", "q"), locked.now())).isFalse();
  }

  @Test
  void whatIsComputedOvertakesItsColumns() {
    long before = locked.now();
    locked.applied(new Increment(ROW).addColumn(FAMILY, COUNTER, 1), false);
    long between = locked.now();
    locked.applied(new Append(ROW).addColumn(FAMILY, VALUE, VALUE), false);
    assertThat(locked.haveOvertaken(put("r", "n"), before)).isTrue();
    assertThat(locked.haveOvertaken(put("r", "n"), between)).isFalse();
    assertThat(locked.haveOvertaken(put("r", "v"), between)).isTrue();
    assertThat(locked.haveOvertaken(put("r", "q"), before)).isFalse();
    assertThat(locked.haveOvertaken(put("other", "n"), before)).isFalse();
  }

  @Test
  void whatIsComputedOvertakesDeletesOfItsFamily() {
    long before = locked.now();
    locked.applied(new Increment(ROW).addColumn(FAMILY, COUNTER, 1), false);
    assertThat(locked.haveOvertaken(new Delete(ROW).addFamily(FAMILY), before)).isTrue();
    assertThat(locked.haveOvertaken(new Delete(ROW).addColumns(FAMILY, VALUE), before)).isFalse();
  }

  /** A list is refused as a whole, and sent again with all its entries. */
  @Test
  void countersOfOthersLetAlmostAllLargeListsPass() {
    Random random = new Random(7);
    int refused = 0;
    for (int list = 0; list < 100; list++) {
      long before = locked.now();
      for (int i = 0; i < 50; i++) {
        byte[] counter = Bytes.toBytes(random.nextLong());
        locked.applied(new Increment(counter).addColumn(FAMILY, COUNTER, 1), false);
      }
      boolean overtaken = false;
      for (int i = 0; i < 1_000; i++) {
        overtaken |= locked.haveOvertaken(put("row" + random.nextLong(), "n"), before);
      }
      refused += overtaken ? 1 : 0;
    }
    assertThat(refused).isLessThan(5);
  }

  @Test
  void otherWritesOvertakeNone() {
    long before = locked.now();
    locked.applied(put("r", "q"), false);
    assertThat(locked.haveOvertaken(put("r", "q"), before)).isFalse();
  }
}
