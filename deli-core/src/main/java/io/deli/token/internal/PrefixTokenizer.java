package io.deli.token.internal;

import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Prefix;
import io.deli.token.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Every prefix of the value up to a length, in bytes: a prefix query reads one token, and with
 * {@code BY_TIME} its most recent matches come first. The empty value has the empty token, as every
 * value has, so that {@code prefix("")} means all.
 */
public record PrefixTokenizer(int length) implements Tokenizer {
  private static final int LONGEST = 1000;

  public PrefixTokenizer {
    if (length < 1 || length > LONGEST) {
      throw new IllegalArgumentException("prefix length " + length);
    }
  }

  @Override
  public List<byte[]> tokens(byte[] value) {
    int longest = Math.min(value.length, length);
    List<byte[]> tokens = new ArrayList<>(longest + 1);
    for (int end = 0; end <= longest; end++) {
      tokens.add(Arrays.copyOf(value, end));
    }
    return tokens;
  }

  @Override
  public TokenRange range(ValuePredicate predicate) {
    if (predicate instanceof Between between) {
      if (between.low().isEmpty() && between.high().isEmpty()) {
        return TokenRange.only(new byte[0]);
      }
      throw new IllegalArgumentException(
          "the prefix tokenizer answers equalTo and prefix; for between use an index with 'exact'");
    }
    byte[] operand =
        predicate instanceof EqualTo equal ? equal.value() : ((Prefix) predicate).prefix();
    return TokenRange.only(Arrays.copyOf(operand, Math.min(operand.length, length)));
  }

  @Override
  public boolean matches(ValuePredicate predicate, byte[] value) {
    return predicate.test(value);
  }
}
