package io.deli.test.gc;

import io.deli.token.Tokenizer;
import java.util.List;

/** A user's tokenizer that breaks its contract when told to. */
public final class FailingTokenizer implements Tokenizer {
  static volatile boolean fails;

  @Override
  public List<byte[]> tokens(byte[] value) {
    if (fails) {
      throw new IllegalStateException("a bug of the user's");
    }
    return List.of(value);
  }
}
