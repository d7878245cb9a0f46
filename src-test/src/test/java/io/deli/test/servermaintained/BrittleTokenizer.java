package io.deli.test.servermaintained;

import io.deli.token.Tokenizer;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** A user's tokenizer that breaks its contract at some values, once it is told to. */
public final class BrittleTokenizer implements Tokenizer {
  /** Values at which it throws what each says. */
  static final List<String> VALUES = List.of("a state", "a depth", "a class");

  static volatile boolean broken;

  @Override
  public List<byte[]> tokens(byte[] value) {
    if (broken) {
      fail(Bytes.toString(value));
    }
    return List.of(value);
  }

  private static void fail(String value) {
    switch (value) {
      case "a state" -> throw new IllegalStateException("a bug of the user's");
      case "a depth" -> throw new StackOverflowError();
      case "a class" -> throw new NoClassDefFoundError("the/users/Own");
      default -> {}
    }
  }
}
