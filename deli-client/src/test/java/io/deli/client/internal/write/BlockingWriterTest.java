package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BlockingWriterTest {
  private static final IndexDefinition INDEX = IndexDefinition.on("i", Column.parse("f:q"));

  private final BlockingWriter writer =
      writer(CompletableFuture.completedFuture(PlannedTable.table(INDEX).descriptor()));

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

  /** Their region hangs, say. */
  @Test
  @Timeout(60)
  void write_whileOthersHaveAllRoom_failsInTheTimeOfAnOperation() throws Exception {
    InFlightLimiter limiter = new InFlightLimiter(4);
    CompletableFuture<Object> unanswered = limiter.send(4, () -> 0, CompletableFuture::new);
    BlockingWriter hasty = new BlockingWriter(hasty(new RecordedClients()), limiter);
    assertThatThrownBy(() -> hasty.write(PlannedTable.put(), () -> null))
        .isInstanceOf(TimeoutIOException.class);
    assertThatThrownBy(() -> hasty.write(List.of(PlannedTable.put()), null, answers -> {}))
        .isInstanceOf(TimeoutIOException.class);
    unanswered.complete(null);
    assertThat(hasty.<Object, IOException>write(PlannedTable.put(), () -> null))
        .isSameAs(Result.EMPTY_RESULT);
  }

  /** A writer to a table whose operations have a tenth of a second. */
  private static IndexedTableWriter hasty(RecordedClients recorded) {
    TableClients clients =
        (TableClients)
            Proxy.newProxyInstance(
                TableClients.class.getClassLoader(),
                new Class<?>[] {TableClients.class},
                (self, method, arguments) ->
                    method.getName().equals("ownOperationMillis")
                        ? 100L
                        : method.invoke(recorded, arguments));
    return new IndexedTableWriter(PlannedTable.setup(clients, System::nanoTime, INDEX));
  }
}
