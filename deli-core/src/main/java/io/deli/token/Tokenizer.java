package io.deli.token;

import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate;
import java.util.List;

/**
 * Turns a value into index tokens and a condition into the range of tokens to read.
 *
 * <p>A user-supplied tokenizer is a public class with a public no-argument constructor, on the
 * class path of the clients <em>and</em> of the region servers. It needs to give {@link #tokens}
 * only: by default a condition is one on tokens, so {@code equalTo(t)} finds the values that have
 * token {@code t}.
 *
 * <p>Contract: deterministic for ever, since garbage collection recomputes the tokens of old values
 * in order to find their entries; stateless and thread-safe; {@code matches(p, v)} implies that
 * some token of {@code v} lies in {@code range(p)}.
 */
public interface Tokenizer {
  /**
   * The tokens of a value, without duplicates, in any order; empty if the value is not indexed.
   *
   * @throws IllegalArgumentException if the bytes are no value that this tokenizer takes; a write
   *     of such a value is refused
   */
  List<byte[]> tokens(byte[] value);

  /**
   * A contiguous range that holds, of every value that matches, at least one token.
   *
   * @throws IllegalArgumentException if this tokenizer cannot answer such a condition
   */
  default TokenRange range(ValuePredicate predicate) {
    return predicate.range();
  }

  /** Whether the values with a token in its range satisfy a condition, all of them. */
  default boolean rangeDecides() {
    return false;
  }

  /** Whether the value satisfies the condition; decided on the value of the base table. */
  default boolean matches(ValuePredicate predicate, byte[] value) {
    return tokens(value).stream().anyMatch(predicate::test);
  }
}
