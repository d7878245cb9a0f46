package io.deli.client.internal.write;

import static io.deli.client.internal.write.PlannedTable.F;
import static io.deli.client.internal.write.PlannedTable.OTHER;
import static io.deli.client.internal.write.PlannedTable.Q;
import static io.deli.client.internal.write.PlannedTable.ROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.service.TimestampRefusal;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.junit.jupiter.api.Test;

class RowRetryTest {
  private static final IndexDefinition INDEX = IndexDefinition.on("i", Column.of(F, Q));

  /** The answers to one operation that was refused. */
  private static Object[] refusal() {
    String refusal = new TimestampRefusal(5_000, 5_001).toMessage("not admitted");
    return new Object[] {new FailedSanityCheckException(refusal)};
  }

  /**
   * A writer, the first requests of which are answered by the futures.
   *
   * @param meanwhile runs when rows were sent
   */
  private static IndexedTableWriter writer(
      RecordedClients recorded,
      CompletableFuture<Object[]> entries,
      CompletableFuture<Object[]> rows,
      Runnable meanwhile) {
    TableClients clients =
        (TableClients)
            Proxy.newProxyInstance(
                TableClients.class.getClassLoader(),
                new Class<?>[] {TableClients.class},
                (self, method, arguments) -> {
                  Object real = method.invoke(recorded, arguments);
                  return switch (method.getName()) {
                    case "index" -> answered(real, recorded.toIndexes(), entries, () -> {});
                    case "base" -> answered(real, recorded.toBase(), rows, meanwhile);
                    default -> real;
                  };
                });
    return new IndexedTableWriter(PlannedTable.setup(clients, System::nanoTime, INDEX));
  }

  private static TableClient answered(
      Object real, List<Row> sent, CompletableFuture<Object[]> first, Runnable meanwhile) {
    return operations -> {
      boolean isFirst = sent.isEmpty();
      CompletableFuture<Object[]> others = ((TableClient) real).send(operations);
      meanwhile.run();
      return isFirst ? first : others;
    };
  }

  private static CompletableFuture<Object[]> done() {
    return CompletableFuture.completedFuture(new Object[1]);
  }

  private static void assertPuts(RecordedClients recorded, int rows) {
    assertThat(recorded.toBase()).filteredOn(Put.class::isInstance).hasSize(rows);
  }

  /** It would hide what others have written since, and had acknowledged. */
  @Test
  void whatIsRefusedBehindItsCaller_isNotWrittenAgain() {
    for (boolean cancels : new boolean[] {false, true}) {
      RecordedClients recorded = new RecordedClients();
      CompletableFuture<Object[]> rows = new CompletableFuture<>();
      CompletableFuture<Object> answer =
          writer(recorded, done(), rows, () -> {}).write(PlannedTable.put());
      if (cancels) {
        answer.cancel(false);
      }
      rows.complete(refusal());
      assertThat(answer).isDone();
      assertPuts(recorded, cancels ? 1 : 2);
    }
  }

  @Test
  void whatHasItsEntriesBehindItsCaller_isNotWritten() {
    RecordedClients recorded = new RecordedClients();
    CompletableFuture<Object[]> entries = new CompletableFuture<>();
    CompletableFuture<Object> answer =
        writer(recorded, entries, done(), () -> {}).write(PlannedTable.put());
    answer.cancel(false);
    entries.complete(new Object[1]);
    assertThat(recorded.toIndexes()).hasSize(1);
    assertPuts(recorded, 0);
  }

  /** One by one, and in a list. */
  @Test
  void whatIsRefusedBehindAnInterruptedCaller_isNotWrittenAgain() {
    for (boolean alone : new boolean[] {true, false}) {
      RecordedClients recorded = new RecordedClients();
      CompletableFuture<Object[]> rows = new CompletableFuture<>();
      BlockingWriter writer =
          new BlockingWriter(
              writer(recorded, done(), rows, Thread.currentThread()::interrupt),
              new InFlightLimiter(4));
      assertThatThrownBy(() -> write(writer, alone)).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertPuts(recorded, 1);
      rows.complete(refusal());
      assertPuts(recorded, 1);
    }
  }

  private static void write(BlockingWriter writer, boolean alone) throws Exception {
    if (alone) {
      Object unused = writer.write(PlannedTable.put(), () -> null);
    } else {
      writer.write(List.of(PlannedTable.put()), null, answers -> {});
    }
  }

  @Test
  void whatIsRefusedForTheWriteOfAnotherCaller_isSentAgainByItself() {
    RecordedClients recorded = new RecordedClients();
    AtomicInteger together = new AtomicInteger();
    TableClient refusing =
        operations -> {
          together.incrementAndGet();
          return CompletableFuture.completedFuture(refusal());
        };
    TableClients clients =
        (TableClients)
            Proxy.newProxyInstance(
                TableClients.class.getClassLoader(),
                new Class<?>[] {TableClients.class},
                (self, method, arguments) ->
                    method.getName().equals("base")
                        ? refusing
                        : method.invoke(recorded, arguments));
    IndexedTableWriter writer =
        new IndexedTableWriter(PlannedTable.setup(clients, System::nanoTime, INDEX));
    assertThat(writer.write(new Increment(ROW).addColumn(F, OTHER, 1)))
        .succeedsWithin(Duration.ZERO);
    assertThat(together).hasValue(1);
  }
}
