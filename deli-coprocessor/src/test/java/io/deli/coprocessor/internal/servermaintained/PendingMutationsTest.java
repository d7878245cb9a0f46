package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.hbase.BatchShape;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.Test;

class PendingMutationsTest {
  /** Mutations of the second part are held against the timestamps drawn with the first. */
  @Test
  void aBatchIsDoneWhenItsLastPartIs() {
    PendingMutations pending = new PendingMutations();
    pending.begin(new WALEdit(), BatchShape.UNKNOWN);
    byte[] row = Bytes.toBytes("r");
    pending.timestamp(row, drawn -> 7);
    pending.met();
    pending.met();
    pending.take(new Delete(row));
    assertThat(pending.isDone()).isFalse();
    pending.take(new Delete(row));
    assertThat(pending.isDone()).isTrue();
  }

  @Test
  void aDrawnTimestampIsHiddenFromHBase_andGivenBackForWhatHBaseGave() throws Exception {
    PendingMutations pending = new PendingMutations();
    pending.begin(new WALEdit(), BatchShape.UNKNOWN);
    Put put = LockedBatches.put("r", "given", 5);
    put.addColumn(LockedBatches.FAMILY, Bytes.toBytes("drawn"), Bytes.toBytes("v"));
    pending.stamp(put, row -> 7);
    assertThat(timestamps(put)).containsExactly(5L, 7L);
    pending.hide(put);
    assertThat(timestamps(put)).containsExactly(5L, HConstants.LATEST_TIMESTAMP);
    PrivateCellUtil.updateLatestStamp(put.getFamilyCellMap().get(LockedBatches.FAMILY).get(1), 9);
    pending.show();
    assertThat(timestamps(put)).containsExactly(5L, 7L);
  }

  /** As an observer may have its region apply one. */
  @Test
  void whatIsHiddenIsGivenBack_afterAnotherBatchBeganAmidIt() throws Exception {
    PendingMutations pending = new PendingMutations();
    List<Put> puts = new ArrayList<>();
    for (long drawn = 7; drawn < 9; drawn++) {
      long timestamp = drawn;
      Put put = new Put(Bytes.toBytes("r" + drawn));
      put.addColumn(LockedBatches.FAMILY, LockedBatches.FAMILY, Bytes.toBytes("v"));
      pending.begin(new WALEdit(), BatchShape.UNKNOWN);
      pending.stamp(put, row -> timestamp);
      pending.hide(put);
      puts.add(put);
    }
    pending.show();
    assertThat(puts.stream().map(PendingMutationsTest::timestamps))
        .containsExactly(List.of(7L), List.of(8L));
  }

  /** HBase hands another one along as soon as an observer adds to it. */
  @Test
  void aRowKeepsItsTimestamp_afterAnotherEditCameAmidTheBatch() throws Exception {
    PendingMutations pending = new PendingMutations();
    WALEdit edit = new WALEdit();
    Put put = LockedBatches.put("r", "q", 5);
    pending.begin(edit, BatchShape.UNKNOWN);
    assertThat(pending.timestamp(put.getRow(), row -> 7)).isEqualTo(7);
    edit.add(put.get(LockedBatches.FAMILY, Bytes.toBytes("q")).get(0));
    assertThat(pending.goesOn(new WALEdit())).isTrue();
    assertThat(pending.timestamp(put.getRow(), row -> 8)).isEqualTo(7);
    assertThat(pending.goesOn(new WALEdit())).as("of a batch within").isFalse();
    edit = new WALEdit();
    pending.begin(edit, BatchShape.UNKNOWN);
    edit.add(put.get(LockedBatches.FAMILY, Bytes.toBytes("q")).get(0));
    pending.end();
    assertThat(pending.goesOn(new WALEdit())).as("of the next batch").isFalse();
  }

  private static List<Long> timestamps(Put put) {
    return RowWrite.cellsOf(put).map(Cell::getTimestamp).toList();
  }
}
