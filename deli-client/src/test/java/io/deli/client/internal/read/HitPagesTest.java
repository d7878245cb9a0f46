package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HitPagesTest {
  private static final int MANY = 100_000;

  private static HitPage page(boolean last) {
    return new HitPage(List.of(), Optional.empty(), last);
  }

  /** Counts the pages it gives. */
  private static final class EmptyPages implements HitPages {
    private final int awaited;
    private final CompletableFuture<HitPage> first = new CompletableFuture<>();
    private int given;

    /**
     * @param awaited number of the page that is not there at once
     */
    EmptyPages(int awaited) {
      this.awaited = awaited;
    }

    @Override
    public CompletableFuture<HitPage> next() {
      given++;
      return given == awaited ? first : CompletableFuture.completedFuture(page(given >= MANY));
    }
  }

  @Test
  void manyPagesThatAreThereAtOnce_areDrained() {
    EmptyPages pages = new EmptyPages(0);
    assertThat(pages.drain(page -> !page.last())).isCompleted();
    assertThat(pages.given).isEqualTo(MANY);
  }

  @Test
  void manyPagesBehindOneThatComesLater_areDrained() {
    EmptyPages pages = new EmptyPages(10);
    CompletableFuture<Void> drained = pages.drain(page -> !page.last());
    assertThat(drained).isNotDone();
    pages.first.complete(page(false));
    assertThat(drained).isCompleted();
    assertThat(pages.given).isEqualTo(MANY);
  }

  @Test
  void aPageThatFails_andAConsumerThatFails_failTheRun() {
    HitPages failing = () -> CompletableFuture.failedFuture(new IllegalStateException("page"));
    assertThat(failing.drain(page -> true)).isCompletedExceptionally();
    HitPages throwing =
        () -> {
          throw new IllegalStateException("page");
        };
    assertThat(throwing.drain(page -> true)).isCompletedExceptionally();
    EmptyPages pages = new EmptyPages(1);
    CompletableFuture<Void> drained =
        pages.drain(
            page -> {
              throw new IllegalStateException("consumer");
            });
    pages.first.complete(page(false));
    assertThat(drained).isCompletedExceptionally();
  }
}
