package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.service.TimestampRefusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerQueueTest {
  private static final ServerQueue.Limits LIMITS = new ServerQueue.Limits(2, 1, 4, 4, 1 << 20);

  /** Requests that wait until the test answers them. */
  private static final class ManualClient implements Consumer<List<Call>> {
    private final List<List<Call>> requests = new ArrayList<>();

    @Override
    public synchronized void accept(List<Call> calls) {
      requests.add(calls);
    }

    synchronized List<Integer> sizes() {
      return requests.stream().map(List::size).toList();
    }

    List<String> rows(int request) {
      return requests.get(request).stream()
          .map(call -> Bytes.toString(call.operation().getRow()))
          .toList();
    }

    void answer(int request) {
      requests.get(request).forEach(call -> call.answered(call.operation(), null));
    }
  }

  /** Tasks that were scheduled although no request is late; each may take a thread. */
  private final List<Runnable> tasks = new ArrayList<>();

  /** One to which no request is late, however slow the test is. */
  private final Scheduler patient =
      new Scheduler() {
        @Override
        public Executor after(long millis) {
          return tasks::add;
        }

        @Override
        public <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, long millis) {
          return answer;
        }
      };

  private final ManualClient client = new ManualClient();
  private ServerQueue queue = new ServerQueue(client, LIMITS, patient);

  /** A call, and what it is answered. */
  private record Single(Call call, CompletableFuture<Object> answer) {
    static Single of(Row operation) {
      CompletableFuture<Object> answer = new CompletableFuture<>();
      return new Single(
          new Call(
              operation,
              (result, error) -> {
                if (error == null) {
                  answer.complete(result);
                } else {
                  answer.completeExceptionally(error);
                }
              }),
          answer);
    }

    Row operation() {
      return call.operation();
    }
  }

  @AfterEach
  void nothingIsScheduled() {
    assertThat(tasks).isEmpty();
  }

  private Single submit(String row) {
    return submit(new Get(Bytes.toBytes(row)));
  }

  private Single submit(Row operation) {
    Single single = Single.of(operation);
    queue.submit(single.call(), "region");
    return single;
  }

  @Test
  void fewGoAtOnceEachByItself() {
    Single a = submit("a");
    submit("b");
    assertThat(client.sizes()).containsExactly(1, 1);
    client.answer(0);
    assertThat(a.answer()).isCompletedWithValue(a.operation());
    submit("c");
    assertThat(client.sizes()).containsExactly(1, 1, 1);
  }

  @Test
  void manyQueueAndLeaveTogetherInTheirOrderUpToTheLimit() {
    for (String row : List.of("a", "b", "c", "d", "e", "f", "g", "h", "i")) {
      submit(row);
    }
    assertThat(client.sizes())
        .as("two alone, one request, the rest waits")
        .containsExactly(1, 1, 1);
    client.answer(2);
    assertThat(client.rows(3)).containsExactly("d", "e", "f", "g");
    client.answer(3);
    assertThat(client.rows(4)).containsExactly("h", "i");
  }

  @Test
  void largeListsOfManyCallersLeaveTogetherBehindTwo() {
    ServerQueue wide =
        new ServerQueue(client, new ServerQueue.Limits(16, 1, 4, 1_000, Long.MAX_VALUE), patient);
    for (int caller = 0; caller < 5; caller++) {
      wide.enqueue("region", gets(100, "row"));
      wide.drain();
    }
    assertThat(client.sizes()).containsExactly(100, 100);
    client.answer(0);
    assertThat(client.sizes()).containsExactly(100, 100, 300);
  }

  @Test
  void aRequestIsOfAsFewRegionsAsMakeUpItsShare() {
    ServerQueue wide =
        new ServerQueue(client, new ServerQueue.Limits(16, 1, 4, 1_000, Long.MAX_VALUE), patient);
    for (String region : List.of("a", "b", "a", "b", "c", "d")) {
      wide.enqueue(region, gets(15, region));
    }
    wide.drain();
    assertThat(client.sizes())
        .as("two requests, a part for each region")
        .containsExactly(30, 30, 15, 15);
    assertThat(client.rows(0)).containsOnly("a");
    assertThat(client.rows(1)).containsOnly("b");
    client.answer(0);
    wide.enqueue("a", gets(60, "a"));
    wide.drain();
    assertThat(client.sizes()).as("the first is not answered whole").hasSize(4);
    client.answer(1);
    assertThat(client.rows(4)).containsOnly("a");
  }

  @Test
  void aRegionThatIsNeverEmptyLetsOthersGoFirst() {
    for (int row = 0; row < 9; row++) {
      queue.enqueue("busy", gets(1, "busy " + row));
    }
    queue.enqueue("other", gets(1, "other"));
    queue.drain();
    client.answer(0);
    assertThat(client.rows(1)).containsExactly("other", "busy 4", "busy 5", "busy 6");
  }

  @Test
  void regionsWithLittleShareAPartOfFour() {
    ServerQueue wide =
        new ServerQueue(client, new ServerQueue.Limits(16, 1, 4, 1_000, Long.MAX_VALUE), patient);
    for (int region = 0; region < 15; region++) {
      wide.enqueue("region " + region, gets(2, "row"));
    }
    wide.drain();
    assertThat(client.sizes()).containsExactly(8, 8, 8, 6);
  }

  private static List<Call> gets(int count, String row) {
    return Collections.nCopies(count, Single.of(new Get(Bytes.toBytes(row))).call());
  }

  /** Else a request would be made for the first of them alone. */
  @Test
  void whatCallersSendNextWaitsUntilAllOfARequestAreTold() {
    List<Single> calls = new ArrayList<>();
    for (String row : List.of("a", "b", "c", "d", "e", "f")) {
      calls.add(submit(row));
    }
    client.answer(2);
    for (Single told : calls.subList(3, 6)) {
      FutureUtils.addListener(
          told.answer(),
          (done, error) ->
              CompletableFuture.runAsync(() -> queue.submit(told.call(), "region")).join());
    }
    client.answer(3);
    assertThat(client.rows(4)).containsExactly("d", "e", "f");
  }

  @Test
  void eachGetsItsOwnAnswerOrError() {
    List<Single> calls = new ArrayList<>();
    for (String row : List.of("a", "b", "c", "d", "e")) {
      calls.add(submit(row));
    }
    client.answer(2);
    IOException broken = new IOException("broken");
    client.requests.get(3).get(0).answered(null, broken);
    client.requests.get(3).get(1).answered("fine", null);
    assertThat(calls.get(3).answer()).isCompletedExceptionally();
    assertThat(calls.get(4).answer()).isCompletedWithValue("fine");
  }

  /** Else the second might be applied first. */
  @Test
  void thoseOfARowThatAreRefusedInCompanyAreSentAgainOneByOne() {
    submit("a");
    submit("b");
    List<Single> row =
        List.of(
            Single.of(new Delete(Bytes.toBytes("row"))), Single.of(new Put(Bytes.toBytes("row"))));
    queue.enqueue("region", row.stream().map(Single::call).toList());
    queue.drain();
    client.requests.get(2).forEach(call -> call.answered(null, new DoNotRetryIOException("one")));
    assertThat(client.sizes()).containsExactly(1, 1, 2, 1);
    assertThat(client.requests.get(3).get(0).operation()).isInstanceOf(Delete.class);
    client.answer(3);
    assertThat(client.sizes()).containsExactly(1, 1, 2, 1, 1);
    client.answer(4);
    row.forEach(each -> assertThat(each.answer()).isCompletedWithValue(each.operation()));
  }

  @Test
  void oneThatIsLateHoldsUpNeitherTheOthersNorTheLane() throws Exception {
    queue = new ServerQueue(client, LIMITS, Scheduler.SYSTEM);
    List<Single> calls = new ArrayList<>();
    for (String row : List.of("a", "b", "c", "d", "e", "f")) {
      calls.add(submit(row));
    }
    client.answer(2);
    assertThat(client.rows(3)).containsExactly("d", "e", "f");
    submit("g");
    client.requests.get(3).get(0).answered("prompt", null);
    assertThat(calls.get(3).answer().get(10, TimeUnit.SECONDS)).isEqualTo("prompt");
    assertThat(calls.get(4).answer()).isNotDone();
    calls.get(3).answer().get(10, TimeUnit.SECONDS);
    while (client.sizes().size() < 5) {
      Thread.onSpinWait();
    }
    assertThat(client.rows(4)).containsExactly("g");
    client.requests.get(3).get(1).answered("late", null);
    assertThat(calls.get(4).answer()).isCompletedWithValue("late");
  }

  @Test
  void whatAnswersSetOffLeavesCombined() {
    ManualClient base = new ManualClient();
    ServerQueue behind = new ServerQueue(base, LIMITS, patient);
    for (String row : List.of("a", "b", "c", "d", "e", "f")) {
      Single index = submit(row);
      FutureUtils.addListener(
          index.answer(),
          (done, error) -> behind.submit(Single.of(index.operation()).call(), "region"));
    }
    client.answer(2);
    assertThat(base.sizes()).containsExactly(1);
    base.answer(0);
    client.answer(3);
    assertThat(base.sizes()).as("d, e and f, together").containsExactly(1, 3);
  }

  @Test
  void whatIsRefusedInCompanyIsSentByItself() {
    sentByItself(new DoNotRetryIOException("by the region"));
  }

  @Test
  void whatHBasesClientRefusesInCompanyIsSentByItself() {
    sentByItself(new IllegalArgumentException("KeyValue size too large"));
  }

  private void sentByItself(Exception refused) {
    List<Single> calls = new ArrayList<>();
    for (String row : List.of("a", "b", "c", "d", "e")) {
      calls.add(submit(new Put(Bytes.toBytes(row))));
    }
    client.answer(2);
    client.requests.get(3).forEach(call -> call.answered(null, refused));
    assertThat(client.sizes()).as("d and e, together and then each").endsWith(2, 1, 1);
    client.requests.get(4).get(0).answered(null, refused);
    client.requests.get(5).get(0).answered("fine", null);
    assertThat(calls.get(3).answer()).isCompletedExceptionally();
    assertThat(calls.get(4).answer()).isCompletedWithValue("fine");
  }

  /** HBase's client gives what fails in a region the failure of the last condition there. */
  @Test
  void anOperationWithoutTimestampTakesNoRefusalOfOne() {
    submit("a");
    submit("b");
    Increment computed = new Increment(Bytes.toBytes("c"));
    Put given = new Put(Bytes.toBytes("d"));
    Put drawn = new Put(Bytes.toBytes("e"));
    new ClientTimestamp(1, 0, 0).setOn(drawn, false);
    List<Single> calls = Stream.of(computed, given, drawn).map(Single::of).toList();
    queue.enqueue("region", calls.stream().map(Single::call).toList());
    queue.drain();
    String refusal = new TimestampRefusal(5, 3).toMessage("not admitted");
    client
        .requests
        .get(2)
        .forEach(call -> call.answered(null, new FailedSanityCheckException(refusal)));
    assertThat(client.sizes()).containsExactly(1, 1, 3, 1, 1);
    assertThat(client.rows(3)).containsExactly("c");
    assertThat(client.rows(4)).containsExactly("d");
    client.answer(3);
    client.answer(4);
    assertThat(calls.get(0).answer()).isCompletedWithValue(computed);
    assertThat(calls.get(1).answer()).isCompletedWithValue(given);
    assertThat(calls.get(2).answer()).isCompletedExceptionally();
  }

  /** Sent by itself it would be applied, or its condition decided, without the other. */
  @Test
  void anOperationBehindARefusedOneOfItsRowTakesThatRefusal() {
    submit("a");
    submit("b");
    Put drawn = new Put(Bytes.toBytes("row"));
    new ClientTimestamp(1, 0, 0).setOn(drawn, false);
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(drawn.getRow()).ifNotExists(drawn.getRow(), null).build(drawn);
    List<Single> calls =
        Stream.of(drawn, new Increment(drawn.getRow()), conditional, conditional)
            .map(Single::of)
            .toList();
    queue.enqueue("region", calls.stream().map(Single::call).toList());
    queue.drain();
    List<Throwable> refusals = new ArrayList<>();
    for (Call call : client.requests.get(2)) {
      String refusal = new TimestampRefusal(5, refusals.size()).toMessage("not admitted");
      refusals.add(new FailedSanityCheckException(refusal));
      call.answered(null, refusals.get(refusals.size() - 1));
    }
    assertThat(client.sizes()).containsExactly(1, 1, 4);
    calls.forEach(
        each ->
            assertThat(each.answer())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCause(refusals.get(0)));
  }

  /** If it were cut, its end could be applied before its beginning. */
  @Test
  void aRowIsNotCut() {
    List<Call> calls = new ArrayList<>();
    for (String row : List.of("a", "b", "c", "d", "d", "d", "e")) {
      calls.add(Single.of(new Get(Bytes.toBytes(row))).call());
    }
    queue.enqueue("region", calls);
    queue.drain();
    assertThat(client.sizes()).containsExactly(6);
    client.answer(0);
    assertThat(client.sizes()).containsExactly(6, 1);
  }
}
