package io.deli.coprocessor.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class UnresponsiveIndexesTest {
  private static final TableName UNRESPONSIVE = TableName.valueOf("t.silent");
  private static final TableName OTHER = TableName.valueOf("t.other");
  private static final long PAUSE = 100;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private final UnresponsiveIndexes indexes = new UnresponsiveIndexes(nanos::get);

  @Test
  void isTriedOnceInAPauseUntilItAnswers() {
    assertThat(indexes.mayTry(UNRESPONSIVE, PAUSE)).isTrue();
    indexes.timedOut(UNRESPONSIVE);
    assertThat(indexes.mayTry(UNRESPONSIVE, PAUSE)).isFalse();
    nanos.addAndGet(PAUSE);
    assertThat(indexes.mayTry(UNRESPONSIVE, PAUSE)).isTrue();
    assertThat(indexes.mayTry(UNRESPONSIVE, PAUSE)).isFalse();
    indexes.answered(UNRESPONSIVE);
    assertThat(indexes.mayTry(UNRESPONSIVE, PAUSE)).isTrue();
    assertThat(indexes.mayTry(UNRESPONSIVE, PAUSE)).isTrue();
  }

  @Test
  void leavesOthersAlone() {
    indexes.timedOut(UNRESPONSIVE);
    assertThat(indexes.mayTry(OTHER, PAUSE)).isTrue();
    indexes.answered(OTHER);
    assertThat(indexes.mayTry(UNRESPONSIVE, PAUSE)).isFalse();
  }
}
