package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
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

  /** A call of HBase's table, and a write that makes it. */
  private interface Call {
    Object run() throws IOException;
  }

  private interface Write {
    void by(BlockingWriter writer, Call call) throws Exception;
  }

  /** One by one, and in lists. By then the definitions are old, and nobody tells newer ones. */
  @Test
  @Timeout(20)
  void write_interruptedWithoutIndex_endsAtOnce() {
    Row delete = new Delete(PlannedTable.ROW);
    InterruptedIOException interrupted = new InterruptedIOException("by the test");
    for (Write write :
        List.<Write>of(
            (writer, call) -> writer.write(delete, call::run),
            (writer, call) ->
                writer.write(List.of(delete), Object.class, () -> List.of(call.run())),
            (writer, call) -> writer.write(List.of(delete), null, answers -> call.run()))) {
      AtomicLong nanos = new AtomicLong();
      BlockingWriter writer = unindexed(nanos::get, new CompletableFuture<>());
      assertThatThrownBy(
              () ->
                  write.by(
                      writer,
                      () -> {
                        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
                        throw interrupted;
                      }))
          .isSameAs(interrupted);
    }
  }

  /** Whoever writes those again that a failure names takes the others of its list for done. */
  @Test
  void write_listWithoutIndexThatFailsInPart_namesAlsoWhatIsNotConfirmed() {
    AtomicLong nanos = new AtomicLong();
    BlockingWriter writer =
        unindexed(nanos::get, CompletableFuture.failedFuture(new IOException("nobody tells them")));
    Put failed = PlannedTable.put();
    Put unconfirmed = PlannedTable.put();
    assertThatThrownBy(
            () ->
                writer.write(
                    List.of(failed, unconfirmed),
                    Object.class,
                    () -> {
                      nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
                      throw new RetriesExhaustedWithDetailsException(
                          List.of(new IOException("refused")), List.of(failed), List.of("server"));
                    }))
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            named -> {
              assertThat(named.getNumExceptions()).isEqualTo(2);
              assertThat(named.getRow(0)).isSameAs(failed);
              assertThat(named.getCause(0)).hasMessage("refused");
              assertThat(named.getRow(1)).isSameAs(unconfirmed);
              assertThat(named.getCause(1)).hasMessageContaining("nobody tells them");
            });
  }

  /** A writer to a table whose definitions can be read once; later, as the future says. */
  private static BlockingWriter unindexed(
      LongSupplier ticker, CompletableFuture<TableDescriptor> later) {
    Setup setup = PlannedTable.setup(new RecordedClients(), ticker);
    CompletableFuture<TableDescriptor> once =
        CompletableFuture.completedFuture(PlannedTable.table().descriptor());
    AtomicReference<CompletableFuture<TableDescriptor>> next = new AtomicReference<>(once);
    DefinitionCache definitions =
        new DefinitionCache(name -> next.getAndSet(later), 60_000, ticker);
    return new BlockingWriter(
        new IndexedTableWriter(
            new Setup(
                setup.table(),
                definitions,
                setup.clients(),
                setup.context(),
                setup.rules(),
                setup.meter())),
        new InFlightLimiter(1));
  }

  /** Their region hangs, say. */
  @Test
  @Timeout(60)
  void write_whileOthersHaveAllRoom_failsInTheTimeOfAnOperation() throws Exception {
    InFlightLimiter limiter = new InFlightLimiter(4);
    CompletableFuture<Object> unanswered = limiter.send(4, () -> 0, CompletableFuture::new);
    RecordedClients clients = RecordedClients.hasty(100);
    BlockingWriter hasty =
        new BlockingWriter(
            new IndexedTableWriter(PlannedTable.setup(clients, System::nanoTime, INDEX)), limiter);
    assertThatThrownBy(() -> hasty.write(PlannedTable.put(), () -> null))
        .isInstanceOf(TimeoutIOException.class);
    Object[] answers = new Object[2];
    assertThatThrownBy(
            () ->
                hasty.write(List.of(PlannedTable.put(), PlannedTable.put()), answers, places -> {}))
        .isInstanceOf(RetriesExhaustedWithDetailsException.class);
    assertThat(answers).allMatch(TimeoutIOException.class::isInstance);
    unanswered.complete(null);
    assertThat(hasty.<Object, IOException>write(PlannedTable.put(), () -> null))
        .isSameAs(Result.EMPTY_RESULT);
  }

  /** Else one that is never free at once would be waited for without end. */
  @Test
  @Timeout(60)
  void send_behindOneThatWaitsForMuchRoom_waitsToo() throws Exception {
    InFlightLimiter limiter = new InFlightLimiter(4);
    CompletableFuture<Object> unanswered = limiter.send(1, () -> 0, CompletableFuture::new);
    FutureTask<CompletableFuture<Object>> large =
        new FutureTask<>(() -> limiter.send(4, () -> 0, CompletableFuture::new));
    Thread caller = new Thread(large);
    caller.start();
    while (caller.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(limiter.send(1, () -> 100, CompletableFuture::new))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(TimeoutIOException.class);
    unanswered.complete(null);
    assertThat(large.get()).isNotDone();
  }
}
