package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.junit.jupiter.api.Test;

class IndexTableErrorsTest {
  private static final TableName BASE = TableName.valueOf("t");

  @Test
  void aMissingOrDisabledTable_isTheCause_andNothingElse() {
    assertThat(IndexTableErrors.isCause(new TableNotFoundException("t.i"))).isTrue();
    assertThat(IndexTableErrors.isCause(new TableNotEnabledException("t.i"))).isTrue();
    assertThat(IndexTableErrors.isCause(new DoNotRetryIOException("t.i"))).isFalse();
    assertThat(IndexTableErrors.isCause(new IOException(new TableNotFoundException("t.i"))))
        .isFalse();
  }

  @Test
  void theMessage_tellsBothTablesAndTheRemedy() {
    assertThat(IndexTableErrors.message(BASE, "t.i", new TableNotFoundException("t.i")))
        .startsWith("table t: index table t.i is missing.")
        .contains("deli build", "drop it");
    assertThat(IndexTableErrors.message(BASE, "t.i", new TableNotEnabledException("t.i")))
        .startsWith("table t: index table t.i is disabled.")
        .contains("If table t was restored", "otherwise enable the index table");
  }
}
