package io.deli.query;

import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/**
 * A contiguous range of tokens in unsigned byte order: from {@code first}, inclusive, up to {@code
 * end}, exclusive; without an end it is unbounded. Of the tokens of points it may hold but those in
 * a rectangle.
 */
public final class TokenRange {
  private static final byte UNBOUNDED = 0;
  private static final byte BOUNDED = 1;
  private static final byte RECTANGLE = 2;

  /** Each takes some forty bytes of a request, and one seek. */
  private static final int MOST_PARTS = 64;

  private final byte[] first;
  private final byte[] end;
  private final Optional<Box> box;

  private TokenRange(byte[] first, byte[] end) {
    this(first, end, Optional.empty());
  }

  private TokenRange(byte[] first, byte[] end, Optional<Box> box) {
    this.first = Objects.requireNonNull(first);
    this.end = end;
    this.box = box;
  }

  /** The tokens of the points in a rectangle. */
  public static TokenRange within(Box box) {
    return new TokenRange(Box.token(box.low()), successor(Box.token(box.high())), Optional.of(box));
  }

  /** From {@code first}, inclusive, to {@code end}, exclusive. */
  public static TokenRange of(byte[] first, Optional<byte[]> end) {
    return new TokenRange(first, end.orElse(null));
  }

  /** Exactly one token. */
  public static TokenRange only(byte[] token) {
    return new TokenRange(token, successor(token));
  }

  /** Returns the range of all tokens with a prefix. */
  public static TokenRange startingWith(byte[] prefix) {
    return new TokenRange(prefix, behindPrefix(prefix).orElse(null));
  }

  /**
   * The least byte string greater than all that begin with the prefix; empty if there is none, for
   * the prefix is {@code FF} throughout.
   */
  public static Optional<byte[]> behindPrefix(byte[] prefix) {
    return Optional.of(ClientUtil.calculateTheClosestNextRowKeyForPrefix(prefix))
        .filter(end -> end.length > 0);
  }

  /**
   * The least range that holds all tokens of this one that are no longer than a length. Its bounds
   * are no longer, either; it is empty if there are no such tokens.
   *
   * @param length in bytes
   */
  public TokenRange limitedTo(int length) {
    // What follows a token that was cut begins with it, and is longer than the length.
    Optional<byte[]> least =
        first.length <= length ? Optional.of(first) : behindPrefix(Arrays.copyOf(first, length));
    byte[] stop =
        end == null || end.length <= length
            ? end
            : behindPrefix(Arrays.copyOf(end, length)).orElse(null);
    return least
        .map(from -> new TokenRange(from, stop, box))
        .orElseGet(() -> new TokenRange(new byte[0], new byte[0]));
  }

  /** The least byte string greater than the given one. */
  public static byte[] successor(byte[] token) {
    return Arrays.copyOf(token, token.length + 1);
  }

  /**
   * The least row key greater than the given one; empty if there is none. Behind one of the
   * greatest length, which HBase does not let grow, comes what is greater than all that begin with
   * it.
   */
  public static Optional<byte[]> behindRow(byte[] row) {
    return row.length < HConstants.MAX_ROW_LENGTH ? Optional.of(successor(row)) : behindPrefix(row);
  }

  public byte[] first() {
    return first.clone();
  }

  /** The first token behind the range, or empty if the range has no upper bound. */
  public Optional<byte[]> end() {
    return Optional.ofNullable(end).map(byte[]::clone);
  }

  /** The rectangle to which the range is limited, if it is. */
  public Optional<Box> box() {
    return box;
  }

  /**
   * Ranges that hold all its tokens and fewer others, in their order: the range itself, but of a
   * rectangle the stretches of the curve in which its points lie.
   */
  public List<TokenRange> parts() {
    return box.filter(limit -> !isSingle())
        .map(limit -> CurveCover.of(limit, MOST_PARTS))
        .orElse(List.of(this));
  }

  public boolean contains(byte[] token) {
    return Bytes.compareTo(token, first) >= 0
        && (end == null || Bytes.compareTo(token, end) < 0)
        && (box.isEmpty() || box.get().contains(Box.point(token)));
  }

  /** Whether some token may be in both ranges. */
  public boolean overlaps(TokenRange other) {
    return !isEmpty()
        && !other.isEmpty()
        && beginsBeforeEndOf(other)
        && other.beginsBeforeEndOf(this)
        && (box.isEmpty() || other.box.isEmpty() || box.get().overlaps(other.box.get()));
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

  /**
   * Writes it: the first token; a byte, 0 if there is no end, 1 if there is one, 2 if the range is
   * limited to a rectangle; the end, if there is one. Both as {@link Bytes#writeByteArray}.
   */
  public void write(DataOutput out) throws IOException {
    Bytes.writeByteArray(out, first);
    out.writeByte(box.isPresent() ? RECTANGLE : end != null ? BOUNDED : UNBOUNDED);
    if (end != null) {
      Bytes.writeByteArray(out, end);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param in knows how much is left of it, so that no length asks for more memory than that
   * @throws IOException if it is nothing of the kind
   */
  public static TokenRange read(DataInputStream in) throws IOException {
    byte[] first = readToken(in);
    byte kind = in.readByte();
    return switch (kind) {
      case UNBOUNDED -> new TokenRange(first, null);
      case BOUNDED -> new TokenRange(first, readToken(in));
      case RECTANGLE -> rectangle(first, readToken(in));
      default -> throw new IOException("no range of tokens of kind " + kind);
    };
  }

  private static byte[] readToken(DataInputStream in) throws IOException {
    int length = WritableUtils.readVInt(in);
    if (length < 0 || length > in.available()) {
      throw new IOException("no token of %d bytes".formatted(length));
    }
    return in.readNBytes(length);
  }

  private static TokenRange rectangle(byte[] first, byte[] end) throws IOException {
    try {
      byte[] last = Arrays.copyOf(end, Math.max(0, end.length - 1));
      return within(new Box(Box.point(first), Box.point(last)));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return "["
        + Bytes.toStringBinary(first)
        + ", "
        + (end == null ? "unbounded" : Bytes.toStringBinary(end))
        + ")"
        + box.map(limit -> " within " + limit.low() + " to " + limit.high()).orElse("");
  }
}
