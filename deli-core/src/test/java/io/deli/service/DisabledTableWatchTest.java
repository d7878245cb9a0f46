package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.junit.jupiter.api.Test;

/** With pauses that end, and questions that are answered, when the test says so. */
class DisabledTableWatchTest {
  private static final long PAUSE = 50;

  private final Deque<CompletableFuture<Void>> pauses = new ArrayDeque<>();
  private final List<Long> millis = new ArrayList<>();
  private final Deque<CompletableFuture<Boolean>> questions = new ArrayDeque<>();
  private final CompletableFuture<Void> first = new CompletableFuture<>();
  private final CompletableFuture<Void> second = new CompletableFuture<>();

  private final DisabledTableWatch watch =
      new DisabledTableWatch(
          TableName.valueOf("t.i"),
          this::question,
          (future, pause) -> {
            pauses.add(future);
            millis.add(pause);
            return future;
          });

  private CompletableFuture<Boolean> question() {
    CompletableFuture<Boolean> question = new CompletableFuture<>();
    questions.add(question);
    return question;
  }

  private void pauseEnds() {
    pauses.remove().completeExceptionally(new TimeoutException());
  }

  private static void assertFailed(CompletableFuture<Void> operation) {
    assertThat(operation)
        .failsWithin(0, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(TableNotEnabledException.class)
        .withMessageContaining("t.i");
  }

  @Test
  void anOperationOnADisabledTable_failsAfterOnePause() {
    watch.watch(List.of(first, second), PAUSE);
    second.complete(null);
    assertThat(questions).as("most operations need no question").isEmpty();
    assertThat(millis).containsExactly(PAUSE);
    pauseEnds();
    assertThat(first).isNotDone();
    questions.remove().complete(true);
    assertFailed(first);
    assertThat(second).isCompleted();
    assertThat(pauses).as("nothing is left to watch").isEmpty();
  }

  @Test
  void aTableThatIsNotDisabled_isAskedForAgain() {
    watch.watch(List.of(first), PAUSE);
    for (int i = 0; i < 3; i++) {
      pauseEnds();
      questions.remove().complete(false);
      assertThat(first).isNotDone();
    }
    assertThat(millis).containsOnly(PAUSE).hasSize(4);
    pauseEnds();
    questions.remove().complete(true);
    assertFailed(first);
  }

  @Test
  void aQuestionWithoutAnswer_failsNothing() {
    watch.watch(List.of(first), PAUSE);
    pauseEnds();
    questions.remove().completeExceptionally(new IOException("no master"));
    assertThat(first).isNotDone();
    assertThat(pauses).hasSize(1);
  }

  @Test
  void afterADisabledTable_theNextOperationsAreAskedForAtOnce_untilItIsEnabled() {
    watch.watch(List.of(first), PAUSE);
    pauseEnds();
    questions.remove().complete(true);

    watch.watch(List.of(second), PAUSE);
    assertThat(pauses).isEmpty();
    questions.remove().complete(false);
    assertThat(second).isNotDone();

    watch.watch(List.of(new CompletableFuture<>()), PAUSE);
    assertThat(questions).isEmpty();
    assertThat(pauses).hasSize(2);
  }

  @Test
  void operationsThatAreDone_areNotAskedFor() {
    watch.watch(List.of(first, second), PAUSE);
    first.complete(null);
    second.completeExceptionally(new IOException("of another cause"));
    assertThat(pauses.remove()).isDone();
    assertThat(questions).isEmpty();
    assertThat(pauses).isEmpty();
  }

  @Test
  void anOperationThatIsDoneAsItsPauseEnds_isNotAskedFor() {
    CompletableFuture<Void> pause = new CompletableFuture<>();
    DisabledTableWatch late =
        new DisabledTableWatch(TableName.valueOf("t.i"), this::question, (all, each) -> pause);
    late.watch(List.of(first), PAUSE);
    first.complete(null);
    pause.completeExceptionally(new TimeoutException());
    assertThat(questions).isEmpty();
  }
}
