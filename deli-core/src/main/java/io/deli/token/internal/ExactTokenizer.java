package io.deli.token.internal;

import io.deli.token.Tokenizer;
import java.util.List;

/** The value is its own token. */
public final class ExactTokenizer implements Tokenizer {
  @Override
  public List<byte[]> tokens(byte[] value) {
    return List.of(value);
  }

  @Override
  public boolean rangeDecides() {
    return true;
  }
}
