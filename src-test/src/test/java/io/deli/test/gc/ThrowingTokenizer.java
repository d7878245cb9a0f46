package io.deli.test.gc;

import io.deli.token.Tokenizer;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** A user's tokenizer that throws what it is told to, at values that begin with "bad". */
public final class ThrowingTokenizer implements Tokenizer {
  /** What a tokenizer may throw. */
  enum Kind {
    STATE,
    DEPTH,
    CLASS,
    ASSERTION;

    void fail() {
      switch (this) {
        case STATE -> throw new IllegalStateException("a bug of the user's");
        case DEPTH -> throw new StackOverflowError();
        case CLASS -> throw new NoClassDefFoundError("the/users/Own");
        default -> throw new AssertionError("the user's own");
      }
    }
  }

  /** What it throws at present; null for nothing. */
  static volatile Kind thrown;

  @Override
  public List<byte[]> tokens(byte[] value) {
    Kind now = thrown;
    if (now != null && Bytes.toString(value).startsWith("bad")) {
      now.fail();
    }
    return List.of(value);
  }
}
