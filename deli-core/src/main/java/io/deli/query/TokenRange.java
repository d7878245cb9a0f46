package io.deli.query;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A contiguous range of tokens in unsigned byte order: from {@code first}, inclusive, up to {@code
 * end}, exclusive; without an end it is unbounded.
 */
public final class TokenRange {
  private final byte[] first;
  private final byte[] end;

  private TokenRange(byte[] first, byte[] end) {
    this.first = Objects.requireNonNull(first);
    this.end = end;
  }

  /** From {@code first}, inclusive, to {@code end}, exclusive. */
  public static TokenRange of(byte[] first, Optional<byte[]> end) {
    return new TokenRange(first, end.orElse(null));
  }

  /** Exactly one token. */
  public static TokenRange only(byte[] token) {
    return new TokenRange(token, successor(token));
  }

  /** All tokens that begin with the prefix. */
  public static TokenRange startingWith(byte[] prefix) {
    int last = prefix.length - 1;
    while (last >= 0 && prefix[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return new TokenRange(prefix, null);
    }
    byte[] end = Arrays.copyOf(prefix, last + 1);
    end[last]++;
    return new TokenRange(prefix, end);
  }

  /** The least byte string greater than the given one. */
  public static byte[] successor(byte[] token) {
    return Arrays.copyOf(token, token.length + 1);
  }

  public byte[] first() {
    return first.clone();
  }

  /** The first token behind the range, or empty if the range has no upper bound. */
  public Optional<byte[]> end() {
    return Optional.ofNullable(end).map(byte[]::clone);
  }

  public boolean contains(byte[] token) {
    return Bytes.compareTo(token, first) >= 0 && (end == null || Bytes.compareTo(token, end) < 0);
  }

  /** Whether some token may be in both ranges. */
  public boolean overlaps(TokenRange other) {
    return !isEmpty()
        && !other.isEmpty()
        && beginsBeforeEndOf(other)
        && other.beginsBeforeEndOf(this);
  }

  private boolean beginsBeforeEndOf(TokenRange other) {
    return other.end == null || Bytes.compareTo(first, other.end) < 0;
  }

  /** Whether the range holds one token only. */
  public boolean isSingle() {
    return end != null && Arrays.equals(end, successor(first));
  }

  public boolean isEmpty() {
    return end != null && Bytes.compareTo(first, end) >= 0;
  }

  @Override
  public String toString() {
    return "["
        + Bytes.toStringBinary(first)
        + ", "
        + (end == null ? "unbounded" : Bytes.toStringBinary(end))
        + ")";
  }
}
