package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Work is counted once, workers are closed, and what goes wrong is not lost. */
class WorkersTest {
  @Test
  void runsUntilAllHaveNoMoreToDo() throws IOException {
    AtomicInteger closed = new AtomicInteger();
    Outcome timing =
        Workers.run(
            Optional.empty(),
            OptionalDouble.empty(),
            3,
            thread ->
                new Workers.Worker() {
                  private int left = 10;

                  @Override
                  public int run(RandomGenerator random) {
                    return left-- > 0 ? 2 : 0;
                  }

                  @Override
                  public void close() {
                    closed.incrementAndGet();
                  }
                });
    assertThat(timing.operations()).isEqualTo(60);
    assertThat(timing.stepNanos().getTotalCount()).isEqualTo(30);
    assertThat(closed).hasValue(3);
  }

  @Test
  void runsAtLeastOnceHoweverShortTheTime() throws IOException {
    assertThat(Workers.during(Duration.ZERO, 2, thread -> random -> 1).operations()).isEqualTo(2);
  }

  @Test
  void pacedThreadsBeginOneAfterTheOther() throws IOException {
    long start = System.nanoTime();
    long[] begun = new long[4];
    Workers.run(
        Optional.of(Duration.ZERO),
        OptionalDouble.of(20),
        begun.length,
        thread ->
            random -> {
              begun[thread] = System.nanoTime() - start;
              return 1;
            });
    for (int thread = 0; thread < begun.length; thread++) {
      assertThat(Duration.ofNanos(begun[thread]))
          .isGreaterThanOrEqualTo(Duration.ofMillis(50L * thread));
    }
  }

  @Test
  void aFailureOfOneThreadIsTheFailureOfAll() {
    assertThatThrownBy(
            () ->
                Workers.run(
                    Optional.empty(),
                    OptionalDouble.empty(),
                    2,
                    thread ->
                        random -> {
                          throw new IOException("no such table");
                        }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such table");
  }
}
