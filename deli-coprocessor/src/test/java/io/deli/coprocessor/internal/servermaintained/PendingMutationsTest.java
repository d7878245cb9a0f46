package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.hbase.BatchShape;
import org.apache.hadoop.hbase.client.Delete;
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
}
