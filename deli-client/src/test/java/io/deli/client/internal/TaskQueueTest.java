package io.deli.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskQueueTest {
  private static TaskQueue.Task waitingFor(CountDownLatch latch) {
    return () -> {
      try {
        if (!latch.await(30, TimeUnit.SECONDS)) {
          throw new IOException("nobody waits");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    };
  }

  @Test
  void whoWaitsForTasksIsHeardAgainAndAgain() throws IOException {
    List<Integer> settled = new ArrayList<>();
    CountDownLatch heard = new CountDownLatch(2);
    try (TaskQueue tasks = new TaskQueue(2)) {
      tasks.submit(waitingFor(heard), () -> settled.add(1));
      tasks.submit(() -> {}, () -> settled.add(2));
      tasks.settle(() -> settled.add(0));
      assertThat(settled).isEmpty();
      tasks.settleAll(heard::countDown);
    }
    assertThat(settled).containsExactly(1, 2);
  }

  @Test
  void aTaskThatFailsFailsWhoWaits() {
    try (TaskQueue tasks = new TaskQueue(1)) {
      tasks.submit(
          () -> {
            throw new IOException("failed");
          },
          () -> {});
      assertThatThrownBy(() -> tasks.settleAll(() -> {}))
          .isInstanceOf(IOException.class)
          .hasMessage("failed");
    }
  }

  @Test
  void aFailureBehindATaskThatIsHeldIsThrown() {
    CountDownLatch held = new CountDownLatch(1);
    try (TaskQueue tasks = new TaskQueue(2)) {
      tasks.submit(waitingFor(held), () -> {});
      tasks.submit(
          () -> {
            throw new IOException("failed");
          },
          () -> {});
      assertThatThrownBy(() -> tasks.settleAll(tasks::throwFailure))
          .isInstanceOf(IOException.class)
          .hasMessage("failed");
      held.countDown();
    }
  }
}
