package io.deli.coprocessor.spi;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Calls of what may throw anything: tokenizers and strategies that are the user's own, and HBase's
 * reader of a malformed file.
 *
 * <p>By anything but an {@link IOException} out of a hook HBase aborts the server, or unloads the
 * observer and goes on with what the hook should have refused. So every hook passes here, and
 * decides what becomes of its operation. Only what tells that the virtual machine itself is broken
 * or out of memory goes through: a {@link VirtualMachineError} that is no {@link
 * StackOverflowError}.
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
   * @param failure makes of anything but an {@link IOException} the one that is thrown in its stead
   */
  public static <T> T call(Call<T> call, Function<Throwable, IOException> failure)
      throws IOException {
    try {
      return call.call();
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw failure.apply(containable(e));
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

  /**
   * Calls where nothing may be thrown.
   *
   * @param otherwise gives the answer in the stead of one that failed
   */
  public static <T> T orElse(Call<T> call, Function<Throwable, T> otherwise) {
    try {
      return call.call();
    } catch (Throwable e) {
      return otherwise.apply(containable(e));
    }
  }

  /** The same without an answer; what was thrown is told instead. */
  public static void quietly(Step step, Consumer<Throwable> told) {
    try {
      step.take();
    } catch (Throwable e) {
      told.accept(containable(e));
    }
  }

  /**
   * Returns what was thrown, if it may be contained.
   *
   * @throws VirtualMachineError which it is if not
   */
  public static Throwable containable(Throwable thrown) {
    if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
      throw fatal;
    }
    return thrown;
  }
}
