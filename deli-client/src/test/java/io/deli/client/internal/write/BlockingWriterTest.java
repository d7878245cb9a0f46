package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

class BlockingWriterTest {
  private final BlockingWriter writer =
      new BlockingWriter(
          PlannedTable.writer(System::nanoTime, IndexDefinition.on("i", Column.parse("f:q"))),
          new InFlightLimiter(1));

  /** It alone reads replicas. */
  @Test
  void write_getsAlone_areSentByHBasesOwnTable() throws Exception {
    Object[] results = new Object[1];
    writer.write(
        List.of(new Get(PlannedTable.ROW)), results, answers -> answers[0] = Result.EMPTY_RESULT);
    assertThat(results).containsExactly(Result.EMPTY_RESULT);
  }
}
