package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.token.Tokenizer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PipelineTest {
  private static volatile boolean works;

  private final AtomicLong nanos = new AtomicLong();
  private final IndexedTableWriter writer =
      PlannedTable.writer(
          nanos::get,
          IndexDefinition.on("i", Column.parse("f:q")).withTokenizer(Moody.class.getName()));

  /** A user's tokenizer that does not always work. */
  public static final class Moody implements Tokenizer {
    @Override
    public List<byte[]> tokens(byte[] value) {
      if (!works) {
        throw new IllegalStateException("not now");
      }
      return List.of(value);
    }
  }

  /** It has waited, and is to get another timestamp. The next one must not wait for its room. */
  @Test
  void aBatchThatCannotBePlannedAgainFailsAndMakesRoom() throws IOException {
    InFlightLimiter limiter = new InFlightLimiter(1);
    for (int i = 0; i < 2; i++) {
      works = true;
      WriteBatch batch = writer.plan(List.of(PlannedTable.put())).join();
      works = false;
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
      CompletableFuture<Object[]> answers = new Pipeline(writer, limiter, () -> 0).submit(batch);
      assertThat(answers.join()).hasSize(1).allMatch(IllegalStateException.class::isInstance);
    }
    assertThat(limiter.send(1, () -> 0, () -> CompletableFuture.completedFuture("sent"))).isDone();
  }
}
