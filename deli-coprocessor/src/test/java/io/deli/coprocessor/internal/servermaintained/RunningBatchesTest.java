package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RunningBatchesTest {
  private static final byte[] ROW = Bytes.toBytes("r");

  private final RunningBatches batches = new RunningBatches(Bytes.toBytes("region"));

  /** As an observer may have its region apply one. */
  @Test
  void aBatchAmidAnotherHasItsOwn() {
    batches.begin();
    PendingMutations outer = batches.pending(ROW);
    ExposingDeletes.Unsent deletes = batches.deletes(ROW);
    batches.begin();
    assertThat(batches.pending()).isNotSameAs(outer);
    assertThat(batches.pending(ROW)).isNotSameAs(outer).isSameAs(batches.pending());
    assertThat(batches.deletes(ROW)).isNotSameAs(deletes);
    batches.end();
    assertThat(batches.pending()).isSameAs(outer);
    assertThat(batches.pending(ROW)).isSameAs(outer);
    assertThat(batches.deletes(ROW)).isSameAs(deletes);
  }

  @Test
  void nothingOfABatchIsLeft_afterItsEnd() {
    batches.begin();
    PendingMutations ended = batches.pending(ROW);
    batches.end();
    batches.begin();
    assertThat(batches.pending(ROW)).isNotSameAs(ended);
  }

  @Test
  void aBatchThatHBaseDidNotBegin_hasNothing() {
    assertThat(batches.pending(ROW)).isNotSameAs(batches.pending());
    batches.end();
  }
}
