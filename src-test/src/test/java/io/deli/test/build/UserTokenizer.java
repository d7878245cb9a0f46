package io.deli.test.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.token.Tokenizer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.util.Bytes;

/** A user's tokenizer that fails or waits at one value when told to: there a build stops. */
public final class UserTokenizer implements Tokenizer {
  private static volatile Optional<String> failing = Optional.empty();
  private static volatile Optional<Stop> stop = Optional.empty();

  /** Where it waits. */
  record Stop(String value, CountDownLatch reached, CountDownLatch goOn) {
    Stop(String value) {
      this(value, new CountDownLatch(1), new CountDownLatch(1));
    }

    /** Returns when it was reached. */
    void awaitReached() throws InterruptedException {
      assertThat(reached.await(2, TimeUnit.MINUTES)).as("reached %s", value).isTrue();
    }

    private void pass() {
      reached.countDown();
      try {
        if (!goOn.await(4, TimeUnit.MINUTES)) {
          throw new IllegalStateException("nobody lets it go on");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  static void failAt(String value) {
    failing = Optional.of(value);
  }

  static Stop waitAt(String value) {
    Stop made = new Stop(value);
    stop = Optional.of(made);
    return made;
  }

  static void work() {
    failing = Optional.empty();
    stop.ifPresent(each -> each.goOn().countDown());
    stop = Optional.empty();
  }

  @Override
  public List<byte[]> tokens(byte[] value) {
    String text = Bytes.toString(value);
    if (failing.filter(text::equals).isPresent()) {
      throw new IllegalStateException("a bug of the user's");
    }
    stop.filter(each -> each.value().equals(text)).ifPresent(Stop::pass);
    return List.of(value);
  }
}
