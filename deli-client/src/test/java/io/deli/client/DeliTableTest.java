package io.deli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.internal.Unconnected;
import io.deli.client.internal.connect.Engine;
import io.deli.client.internal.connect.Wiring;
import io.deli.client.internal.write.WriteContext;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DeliTableTest {
  private final AtomicInteger made = new AtomicInteger();
  private final Configuration configuration = HBaseConfiguration.create();
  private final Wiring wiring =
      new Wiring(
          new WriteContext(row -> 1, InstantSource.system(), System::nanoTime),
          clients -> {
            made.incrementAndGet();
            return clients;
          });

  private final List<String> called = new ArrayList<>();

  /** One that answers nothing but the operations of a batch. */
  private Table plain() {
    return (Table)
        Proxy.newProxyInstance(
            Table.class.getClassLoader(),
            new Class<?>[] {Table.class},
            (self, method, arguments) -> {
              called.add(method.getName());
              if (method.getName().equals("batch")) {
                Arrays.fill((Object[]) arguments[1], Result.EMPTY_RESULT);
              }
              return method.getName().equals("getName") ? TableName.valueOf("t") : null;
            });
  }

  /** A writer for another time-out combines its own operations only. */
  @Test
  @SuppressWarnings("deprecation") // is what is tested
  void aTimeOutThatIsSetAgainChangesNothing() throws Exception {
    Engine engine = Engine.on(Unconnected.open(configuration), configuration, wiring, table -> {});
    try (DeliTable table = new DeliTable(engine, plain(), List.of())) {
      for (int i = 0; i < 10; i++) {
        table.setOperationTimeout(5_000);
        table.setWriteRpcTimeout(3_000);
        table.setReadRpcTimeout(2_000 + i);
      }
      assertThat(made).as("for the connection, and one for each setting of writes").hasValue(3);
      table.setOperationTimeout(6_000);
      assertThat(made).hasValue(4);
    } finally {
      engine.close();
    }
  }

  /** Operations of tables whose writes keep to the same settings share requests. */
  @Test
  @SuppressWarnings("deprecation") // is what is tested
  void settingsOfReadsLeaveWritesWithThoseOfOtherTables() throws Exception {
    Engine engine = Engine.on(Unconnected.open(configuration), configuration, wiring, table -> {});
    try (DeliTable table =
        new DeliTable(engine, plain(), List.of(new DeliTableBuilder.ReadRpcTimeout(2_000)))) {
      table.setReadRpcTimeout(3_000);
      assertThat(made).as("for the connection").hasValue(1);
    } finally {
      engine.close();
    }
  }

  /** As HBase's table takes it. */
  @Test
  void aBatchWithoutCallbackLocatesNothing() throws Exception {
    Engine engine = Engine.on(Unconnected.open(configuration), configuration, wiring, table -> {});
    try (DeliTable table = new DeliTable(engine, plain(), List.of())) {
      Object[] results = new Object[1];
      table.batchCallback(List.of(new Get(new byte[] {'r'})), results, null);
      assertThat(results).containsExactly(Result.EMPTY_RESULT);
      assertThat(called).contains("batch").doesNotContain("getRegionLocator");
    } finally {
      engine.close();
    }
  }

  /** The answers that an earlier call left there are told to nobody. */
  @Test
  void aBatchWithoutAPlaceForEachAnswerIsRefusedAsByHBase() throws Exception {
    byte[] name = {'f'};
    List<Put> puts = Collections.nCopies(2, new Put(name).addColumn(name, name, name));
    List<Object> told = new ArrayList<>();
    Engine engine = Engine.on(Unconnected.open(configuration), configuration, wiring, table -> {});
    try (DeliTable table = new DeliTable(engine, plain(), List.of())) {
      for (int places : new int[] {1, 3}) {
        Object[] earlier = Collections.nCopies(places, Result.EMPTY_RESULT).toArray();
        assertThatThrownBy(
                () ->
                    table.<Result>batchCallback(
                        puts, earlier, (region, row, answer) -> told.add(answer)))
            .isInstanceOf(AssertionError.class)
            .hasMessage("results.length");
      }
      assertThat(told).isEmpty();
    } finally {
      engine.close();
    }
  }

  /** Nobody tells them; without a time of its own, a table waits for minutes. */
  @Test
  @Timeout(60)
  void writesWaitForDefinitionsNoLongerThanTheirTableAllows() throws Exception {
    byte[] name = {'f'};
    Put put = new Put(name).addColumn(name, name, name);
    Engine engine = Engine.on(Unconnected.open(configuration), configuration, wiring, table -> {});
    try (DeliTable table =
        new DeliTable(engine, plain(), List.of(new DeliTableBuilder.OperationTimeout(100)))) {
      BufferedMutator mutator =
          engine.mutator(new BufferedMutatorParams(table.getName()).operationTimeout(100));
      for (ThrowingCallable write :
          List.<ThrowingCallable>of(
              () -> table.put(put),
              () -> table.put(List.of(put)),
              () -> table.batch(List.of(put), new Object[1]),
              () -> table.append(new Append(name).addColumn(name, name, name)))) {
        assertThatThrownBy(write).isInstanceOf(TimeoutIOException.class);
      }
      assertThatThrownBy(() -> mutator.mutate(put))
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              failures ->
                  assertThat(failures.getCauses())
                      .singleElement()
                      .isInstanceOf(TimeoutIOException.class));
      mutator.close();
    } finally {
      engine.close();
    }
  }
}
