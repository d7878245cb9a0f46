package io.deli.test.gc;

import io.deli.token.Tokenizer;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.util.Bytes;

/** A user's tokenizer that breaks its contract when told to. */
public final class FailingTokenizer implements Tokenizer {
  /** Values at which it fails. */
  static volatile Set<String> refused = Set.of();

  /** How it fails. */
  static volatile Supplier<Throwable> failure = FailingTokenizer::bug;

  static Throwable bug() {
    return new IllegalStateException("a bug of the user's");
  }

  @Override
  public List<byte[]> tokens(byte[] value) {
    if (refused.contains(Bytes.toString(value))) {
      fail(failure.get());
    }
    return List.of(value);
  }

  private static void fail(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }
}
