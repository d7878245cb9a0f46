package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.service.ServerScan;
import io.deli.service.ServerScan.Answer;
import io.deli.service.ServerScan.Rows;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SharedScansTest {
  private static final byte[] ROW = {1};
  private static final long QUICK = 10_000;

  /** A request that the test answers. */
  private record Request(List<ServerScan> scans, CompletableFuture<Answer> answer) {
    /** The limits of its scans, which tell them apart. */
    List<Integer> limits() {
      return scans.stream().map(ServerScan::limit).toList();
    }

    void answer(long nanosOfScan) {
      List<List<Rows>> found = scans.stream().map(scan -> List.of(rows(scan.limit()))).toList();
      answer.complete(new Answer(found, nanosOfScan * scans.size()));
    }
  }

  private final Deque<Request> requests = new ArrayDeque<>();
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final List<CompletableFuture<List<Rows>>> answers = new ArrayList<>();
  private boolean isClosed;
  private final SharedScans scans =
      new SharedScans(
          (row, asked) -> {
            if (isClosed) {
              throw new IllegalStateException("closed");
            }
            requests.add(new Request(asked, new CompletableFuture<>()));
            return requests.getLast().answer();
          },
          2,
          new Scheduler() {
            @Override
            public Executor after(long millis) {
              return later::add;
            }

            @Override
            public <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, long millis) {
              throw new UnsupportedOperationException();
            }
          });

  private static Rows rows(int number) {
    return new Rows(Bytes.toBytes(number), new byte[0]);
  }

  /** Asks for the next scans, whose limits are their numbers, from 1. */
  private void ask(int count) {
    for (int i = 0; i < count; i++) {
      int number = answers.size() + 1;
      answers.add(scans.ask(ROW, ServerScan.of(new Scan().setLimit(number), List.of())));
    }
  }

  private List<List<Integer>> sent() {
    return requests.stream().map(Request::limits).toList();
  }

  /** Has the server be known as one that answers a scan in so long. */
  private void answerFor(long nanos, int times) {
    for (int i = 0; i < times; i++) {
      CompletableFuture<List<Rows>> answer =
          scans.ask(ROW, ServerScan.of(new Scan().setLimit(1), List.of()));
      requests.remove().answer(nanos);
      assertThat(answer).isCompleted();
    }
  }

  private void expectAnswers(int from, int to) {
    for (int number = from; number <= to; number++) {
      assertThat(answers.get(number - 1)).isCompleted();
      assertThat(answers.get(number - 1).join().get(0).start()).isEqualTo(Bytes.toBytes(number));
    }
  }

  @Test
  void scansAreDividedAmongFewRequests() {
    answerFor(QUICK, 100);
    ask(6);
    assertThat(sent()).containsExactly(List.of(1), List.of(2), List.of(3, 4));
    ask(1);
    assertThat(sent()).hasSize(3);
    requests.removeLast().answer(QUICK);
    expectAnswers(3, 4);
    assertThat(answers.get(1)).isNotDone();
    assertThat(sent()).containsExactly(List.of(1), List.of(2), List.of(5, 6, 7));
  }

  @Test
  void whoIsAnsweredFirstIsNotSentAlone() {
    answerFor(QUICK, 100);
    ask(7);
    requests.removeLast().answer(QUICK);
    requests.removeFirst().answer(QUICK);
    requests.removeFirst().answer(QUICK);
    assertThat(sent()).containsExactly(List.of(5, 6, 7));
    ask(2);
    assertThat(sent()).containsExactly(List.of(5, 6, 7));
    ask(1);
    assertThat(sent()).containsExactly(List.of(5, 6, 7), List.of(8, 9, 10));
  }

  @Test
  void asManyAsKeepAServerBusy_areSentAnyway() {
    answerFor(QUICK, 100);
    ask(1 + 1 + 2 + 4 + 8 + 16 + 15);
    assertThat(requests)
        .extracting(request -> request.scans().size())
        .containsExactly(1, 1, 2, 4, 8, 16);
    ask(1);
    assertThat(requests)
        .extracting(request -> request.scans().size())
        .containsExactly(1, 1, 2, 4, 8, 16, 16);
  }

  @Test
  void noMoreGoTogether_thanAreAnsweredInAShortWhile() {
    answerFor(240_000, 100);
    ask(16);
    assertThat(requests)
        .extracting(request -> request.scans().size())
        .containsExactly(1, 1, 2, 4, 4, 4);
    ask(7);
    requests.remove().answer(240_000);
    assertThat(requests.getLast().limits()).containsExactly(17, 18, 19, 20);
  }

  @Test
  void thoseThatTakeLong_goAlone_andAtOnce() {
    answerFor(5_000_000, 100);
    ask(9);
    assertThat(requests).hasSize(9);
  }

  @Test
  void whatIsNotAnsweredInCompany_isSentByItself() {
    answerFor(QUICK, 100);
    ask(4);
    requests.remove().answer(QUICK);
    Request both = requests.removeLast();
    both.answer().complete(new Answer(List.of(List.of(), List.of(rows(4))), QUICK));
    expectAnswers(4, 4);
    assertThat(answers.get(2)).isNotDone();
    assertThat(sent()).containsExactly(List.of(2), List.of(3));
    requests.getLast().answer().complete(new Answer(List.of(List.of()), QUICK));
    assertThat(answers.get(2)).isCompletedWithValue(List.of());
  }

  @Test
  void aRequestThatFails_failsItsScans_andNoOthers() {
    answerFor(QUICK, 100);
    ask(4);
    requests.remove().answer(QUICK);
    requests.removeLast().answer().completeExceptionally(new IOException("away"));
    for (int failed : List.of(3, 4)) {
      assertThat(answers.get(failed - 1)).isCompletedExceptionally();
    }
    ask(1);
    assertThat(sent()).containsExactly(List.of(2), List.of(5));
  }

  @Test
  void aServerThatCannotBeAsked_orAnswersTooFew_failsTheScans() {
    answerFor(QUICK, 100);
    ask(4);
    requests.remove().answer(QUICK);
    requests.removeLast().answer().complete(new Answer(List.of(List.of(rows(3))), QUICK));
    assertThat(answers.subList(2, 4)).allMatch(CompletableFuture::isCompletedExceptionally);
    isClosed = true;
    ask(2);
    requests.remove().answer(QUICK);
    assertThat(answers.subList(4, 6)).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  @Test
  void nothingWaits_forRequestsThatAreNotAnswered() {
    answerFor(QUICK, 100);
    ask(6);
    assertThat(later).hasSize(1);
    assertThat(sent()).containsExactly(List.of(1), List.of(2), List.of(3, 4));
    later.remove().run();
    assertThat(sent()).containsExactly(List.of(1), List.of(2), List.of(3, 4), List.of(5, 6));
    assertThat(later).isEmpty();
    ask(1);
    assertThat(later).hasSize(1);
  }

  @Test
  void aServerThatWasRestarted_hasTheQueueThatItHad() {
    SharedScans.OfConnection all =
        new SharedScans.OfConnection(
            new MemoryTables().connection()::getTable, 2, Scheduler.SYSTEM);
    TableName table = TableName.valueOf("t");
    Set<SharedScans> queues = new HashSet<>();
    for (int start = 1; start <= 10_000; start++) {
      queues.add(all.to(ServerName.valueOf("host", 16_020, start), table));
    }
    assertThat(queues).hasSize(1);
    queues.add(all.to(ServerName.valueOf("host", 16_021, 1), table));
    queues.add(all.to(ServerName.valueOf("host", 16_020, 1), TableName.valueOf("u")));
    assertThat(queues).hasSize(3);
  }
}
