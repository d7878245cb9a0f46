package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BlockingWriterTest {
  private final BlockingWriter writer =
      new BlockingWriter(
          new IndexedTableWriter(
              PlannedTable.setup(
                  new RecordedClients(),
                  System::nanoTime,
                  IndexDefinition.on("i", Column.parse("f:q")))),
          new InFlightLimiter(1));

  /** It alone reads replicas. */
  @Test
  void write_getsAlone_areSentByHBasesOwnTable() throws Exception {
    Object[] results = new Object[1];
    writer.write(
        List.of(new Get(PlannedTable.ROW)), results, answers -> answers[0] = Result.EMPTY_RESULT);
    assertThat(results).containsExactly(Result.EMPTY_RESULT);
  }

  /** A caller who passes null by mistake, and goes on. */
  @Test
  @Timeout(60)
  void write_null_takesNoRoomFromOthers() throws Exception {
    BlockingWriter.Past<Object, RuntimeException> past =
        () -> {
          throw new AssertionError("the table has an index");
        };
    assertThatThrownBy(() -> writer.write((Row) null, past))
        .isInstanceOf(NullPointerException.class);
    assertThat(writer.<Object, RuntimeException>write(PlannedTable.put(), past))
        .isSameAs(Result.EMPTY_RESULT);
  }
}
