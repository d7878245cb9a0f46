package io.deli.client.internal.write;

import static io.deli.client.internal.write.PlannedTable.F;
import static io.deli.client.internal.write.PlannedTable.OTHER;
import static io.deli.client.internal.write.PlannedTable.Q;
import static io.deli.client.internal.write.PlannedTable.ROW;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.service.TimestampRefusal;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.junit.jupiter.api.Test;

class RowRetryTest {
  private static final IndexDefinition INDEX = IndexDefinition.on("i", Column.of(F, Q));

  @Test
  void whatIsRefusedForTheWriteOfAnotherCaller_isSentAgainByItself() {
    RecordedClients recorded = new RecordedClients();
    AtomicInteger together = new AtomicInteger();
    TableClient refusing =
        operations -> {
          together.incrementAndGet();
          String refusal = new TimestampRefusal(5, 6).toMessage("not admitted");
          return CompletableFuture.completedFuture(
              new Object[] {new FailedSanityCheckException(refusal)});
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
