package io.deli.test.gc;

import io.deli.token.Tokenizer;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/** A user's tokenizer that breaks its contract when told to. */
public final class FailingTokenizer implements Tokenizer {
  /** Values at which it fails. */
  static volatile Set<String> refused = Set.of();

  @Override
  public List<byte[]> tokens(byte[] value) {
    if (refused.contains(Bytes.toString(value))) {
      throw new IllegalStateException("a bug of the user's");
    }
    return List.of(value);
  }
}
