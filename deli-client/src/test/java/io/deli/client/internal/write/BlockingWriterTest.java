package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BlockingWriterTest {
  private final BlockingWriter writer =
      writer(
          CompletableFuture.completedFuture(
              PlannedTable.table(IndexDefinition.on("i", Column.parse("f:q"))).descriptor()));

  private static BlockingWriter writer(CompletableFuture<TableDescriptor> definitions) {
    return new BlockingWriter(
        new IndexedTableWriter(
            PlannedTable.setup(new RecordedClients(), System::nanoTime, definitions)),
        new InFlightLimiter(1));
  }

  /** It alone reads replicas. */
  @Test
  void write_getsAlone_areSentByHBasesOwnTable() throws Exception {
    assertGet(writer);
  }

  @Test
  void write_getsAlone_needNoDefinitions() throws Exception {
    assertGet(writer(CompletableFuture.failedFuture(new IOException("nobody tells them"))));
  }

  private static void assertGet(BlockingWriter writer) throws Exception {
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
