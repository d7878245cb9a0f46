package io.deli.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class QueryCommandTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private static ValuePage page(ValueHit... hits) {
    return new ValuePage(List.of(hits), Optional.empty());
  }

  @Test
  void aQueryGoesOn_ifAnotherHitFollows() {
    ValueHit hit = new ValueHit(new byte[1], new byte[1], 1, Result.EMPTY_RESULT);
    assertThat(QueryCommand.goesOn(CompletableFuture.completedFuture(page(hit)), LONG)).isTrue();
    assertThat(QueryCommand.goesOn(CompletableFuture.completedFuture(page()), LONG)).isFalse();
  }

  @Test
  @Timeout(60)
  void aQueryMayGoOn_ifThatIsNotKnownSoon() {
    CompletableFuture<ValuePage> never = new CompletableFuture<>();
    assertThat(QueryCommand.goesOn(never, Duration.ofMillis(10))).isTrue();
    assertThat(never).isDone();
    CompletableFuture<ValuePage> failed = CompletableFuture.failedFuture(new IOException("test"));
    assertThat(QueryCommand.goesOn(failed, LONG)).isTrue();
  }
}
