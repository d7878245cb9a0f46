package io.deli.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.junit.jupiter.api.Test;

class IndexGenerationsTest {
  private static final TableName TABLE = TableName.valueOf("t.i.2");

  /** The master's procedures go on, whether their client waits or not. */
  @Test
  void aTableMayBeNamedYet_unlessTheMasterRefused() {
    for (IOException failure :
        List.of(new TimeoutIOException(), new InterruptedIOException(), new IOException("reset"))) {
      assertThat(IndexGenerations.mayBeNamedYet(TABLE, failure)).isTrue();
      assertThat(failure.getSuppressed()).singleElement().asString().contains("t.i.2", "is left");
    }
    for (Exception failure :
        List.of(new DoNotRetryIOException("vetoed"), new IllegalStateException())) {
      assertThat(IndexGenerations.mayBeNamedYet(TABLE, failure)).isFalse();
      assertThat(failure.getSuppressed()).isEmpty();
    }
  }
}
