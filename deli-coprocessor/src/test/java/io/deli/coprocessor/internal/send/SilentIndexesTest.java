package io.deli.coprocessor.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class SilentIndexesTest {
  private static final TableName SILENT = TableName.valueOf("t.silent");
  private static final TableName OTHER = TableName.valueOf("t.other");
  private static final long PAUSE = 100;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private final SilentIndexes indexes = new SilentIndexes(nanos::get);

  @Test
  void isTriedOnceInAPauseUntilItAnswers() {
    assertThat(indexes.mayTry(SILENT, PAUSE)).isTrue();
    indexes.timedOut(SILENT);
    assertThat(indexes.mayTry(SILENT, PAUSE)).isFalse();
    nanos.addAndGet(PAUSE);
    assertThat(indexes.mayTry(SILENT, PAUSE)).isTrue();
    assertThat(indexes.mayTry(SILENT, PAUSE)).isFalse();
    indexes.answered(SILENT);
    assertThat(indexes.mayTry(SILENT, PAUSE)).isTrue();
    assertThat(indexes.mayTry(SILENT, PAUSE)).isTrue();
  }

  @Test
  void leavesOthersAlone() {
    indexes.timedOut(SILENT);
    assertThat(indexes.mayTry(OTHER, PAUSE)).isTrue();
    indexes.answered(OTHER);
    assertThat(indexes.mayTry(SILENT, PAUSE)).isFalse();
  }
}
