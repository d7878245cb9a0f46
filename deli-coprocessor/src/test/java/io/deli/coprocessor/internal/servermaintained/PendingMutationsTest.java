package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.hbase.BatchShape;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.Test;

class PendingMutationsTest {
  /** Those of the second part were stamped with the first, and are looked at by that. */
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
}
