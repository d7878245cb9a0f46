package io.deli.test.cluster;

import io.deli.token.Tokenizer;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.util.Bytes;

/** A user's tokenizer that breaks its contract when told to. */
public final class FailingTokenizer implements Tokenizer {
  /** The kinds of failure that a tokenizer may throw. */
  public enum Failure implements Supplier<Throwable> {
    STATE,
    DEPTH,
    CLASS,
    ASSERTION;

    @Override
    public Throwable get() {
      return switch (this) {
        case STATE -> new IllegalStateException("a bug of the user's");
        case DEPTH -> new StackOverflowError();
        case CLASS -> new NoClassDefFoundError("the/users/Own");
        case ASSERTION -> new AssertionError("the user's own");
      };
    }
  }

  private static volatile Supplier<Throwable> failure = Failure.STATE;
  private static volatile Predicate<String> refused = value -> false;

  /** From now on it fails at some values. */
  public static void fail(Predicate<String> values, Supplier<Throwable> thrown) {
    failure = thrown;
    refused = values;
  }

  /** From now on it works. */
  public static void work() {
    refused = value -> false;
  }

  @Override
  public List<byte[]> tokens(byte[] value) {
    if (refused.test(Bytes.toString(value))) {
      fail(failure.get());
    }
    return List.of(value);
  }

  private static void fail(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }
}
