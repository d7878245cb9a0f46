package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.Fault;
import io.deli.test.fault.Faults;
import io.deli.test.fault.FaultyConnection;
import io.deli.test.fault.FaultyTableClients;
import io.deli.test.fault.Way;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a buffered mutator was given is written, or its caller is told, whoever interrupts whom.
 * Batches are of two mutations, and wait for the test before they go to the base table.
 */
class MutatorFaultsTest {
  private final CompletableFuture<Void> gate = new CompletableFuture<>();
  private FaultyConnection connection;
  private TestTable written;

  @BeforeEach
  void open() throws Exception {
    connection = FaultyConnection.open();
    written = TestTable.create("mutated", 1);
  }

  @AfterEach
  void close() throws Exception {
    gate.complete(null);
    connection.close();
  }

  private BufferedMutatorParams params() {
    return new BufferedMutatorParams(written.name()).setMaxMutations(2);
  }

  private BufferedMutator held(BufferedMutatorParams params) throws Exception {
    BufferedMutator mutator = connection.getBufferedMutator(params);
    connection.mutatorPorts().holdBase(gate);
    return mutator;
  }

  private static List<Mutation> puts(String... rows) {
    return List.of(rows).stream()
        .<Mutation>map(
            row -> new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v")))
        .toList();
  }

  private static void assertInterrupted(ThrowingCallable call) {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(call).isInstanceOf(InterruptedIOException.class);
    } finally {
      assertThat(Thread.interrupted()).as("the flag, which HBase leaves clear").isFalse();
    }
  }

  private static List<String> rows(RetriesExhaustedWithDetailsException failures) {
    return IntStream.range(0, failures.getNumExceptions())
        .mapToObj(i -> Bytes.toString(failures.getRow(i).getRow()))
        .toList();
  }

  private static void assertTold(ThrowingCallable call, String... rows) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            failures -> assertThat(rows(failures)).containsExactlyInAnyOrder(rows));
  }

  @Test
  void whatAnInterruptedCallDidNotSendIsSentLater() throws Exception {
    BufferedMutator mutator = held(params());
    // As many as may be under way.
    mutator.mutate(puts("a", "b"));
    mutator.mutate(puts("c", "d"));
    assertInterrupted(() -> mutator.mutate(puts("e", "f")));
    assertInterrupted(mutator::flush);
    assertInterrupted(mutator::close);
    gate.complete(null);
    mutator.close();
    assertThat(written.justifiedByDead()).hasSize(6);
    written.assertIndexed();
  }

  @Test
  void whatFailsAfterAnInterruptedCallIsToldLater() throws Exception {
    try (BufferedMutator mutator = held(params())) {
      connection.mutatorPorts().suffer(Faults.on(Way.BASE, Fault.LOST));
      mutator.mutate(puts("a", "b"));
      assertInterrupted(mutator::flush);
      gate.complete(null);
      assertTold(mutator::flush, "a", "b");
    }
  }

  @Test
  void whatATimerFindsFailedIsToldByTheNextCall() throws Exception {
    try (BufferedMutator mutator = held(params())) {
      failByTimer(mutator);
      assertTold(mutator::flush, "a", "b", "c");
      mutator.flush();
    }
  }

  @Test
  void aListenerThatTakesItIsToldByTheTimer() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    BufferedMutatorParams params =
        params().listener((failures, mutator) -> heard.addAll(rows(failures)));
    try (BufferedMutator mutator = held(params)) {
      failByTimer(mutator);
      Eventually.holds(() -> assertThat(heard).containsExactlyInAnyOrder("a", "b", "c"));
      mutator.flush();
    }
    assertThat(heard).hasSize(3);
  }

  /** A full buffer left before, and nobody has heard of it when the timer sends another. */
  private void failByTimer(BufferedMutator mutator) throws Exception {
    FaultyTableClients ports = connection.mutatorPorts();
    ports.suffer(Faults.on(Way.BASE, Fault.LOST));
    mutator.mutate(puts("a", "b"));
    mutator.mutate(puts("c"));
    mutator.setWriteBufferPeriodicFlush(1, 1);
    // From here on it keeps other callers out until it has ended.
    Eventually.holds(() -> assertThat(ports.log()).contains("index 1"));
    gate.complete(null);
  }
}
