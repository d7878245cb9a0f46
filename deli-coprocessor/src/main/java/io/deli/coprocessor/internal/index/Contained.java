package io.deli.coprocessor.internal.index;

import java.io.IOException;
import java.util.function.Function;

/**
 * Calls that let nothing out but an {@link IOException}. By anything else out of a hook HBase
 * aborts the server, and goes on with what the hook should have refused. A tokenizer of the user's
 * may throw anything, and so may HBase's reader of a malformed file.
 */
public final class Contained {
  private Contained() {}

  /** A call of what may throw anything. */
  public interface Call<T> {
    T call() throws IOException;
  }

  /** The same without an answer. */
  public interface Step {
    void take() throws IOException;
  }

  /**
   * Calls.
   *
   * @param failure makes of anything else the exception that is thrown in its stead
   */
  public static <T> T call(Call<T> call, Function<Throwable, IOException> failure)
      throws IOException {
    try {
      return call.call();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      throw failure.apply(e);
    }
  }

  /** The same without an answer. */
  public static void run(Step step, Function<Throwable, IOException> failure) throws IOException {
    call(
        () -> {
          step.take();
          return null;
        },
        failure);
  }
}
