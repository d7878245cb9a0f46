package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.hbase.BatchShape;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PendingMutationsTest {
  @Test
  void aDrawnTimestampIsHiddenFromHBase_andGivenBackForWhatHBaseGave() throws Exception {
    PendingMutations pending = new PendingMutations(BatchShape.UNKNOWN);
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

  private static List<Long> timestamps(Put put) {
    return RowWrite.cellsOf(put).map(Cell::getTimestamp).toList();
  }
}
