package io.deli.query;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A condition on an indexed value. Operands are in the encoding of the column; a tokenizer maps
 * them to its tokens by {@link #map}. All comparisons are of unsigned bytes. Callers must not
 * change arrays they passed in or got.
 */
public sealed interface ValuePredicate {
  /** The tokens that satisfy the predicate, where tokens are compared as bytes. */
  TokenRange range();

  /** Returns the condition with every operand mapped. */
  ValuePredicate map(UnaryOperator<byte[]> mapping);

  /** Whether the bytes satisfy the predicate. */
  default boolean test(byte[] bytes) {
    return range().contains(bytes);
  }

  /**
   * Writes it: a byte, 1 for equality, 2 for a prefix, 3 for an interval, 4 for leading values;
   * then its operands. Each is its length, four bytes, and its bytes; before a bound of an interval
   * goes a byte, 0 if it is missing, 1 if it is open, 2 if it is closed. Leading values are their
   * number, four bytes, themselves, and the next condition. Tokens of continuations have a digest
   * of this.
   */
  void write(DataOutput out) throws IOException;

  /**
   * Reads what {@link #write} wrote; what else there is may be read as anything.
   *
   * @throws IOException if it is of no kind, or ends too early
   */
  static ValuePredicate read(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 1 -> new EqualTo(readOperand(in));
      case 2 -> new Prefix(readOperand(in));
      case 3 -> new Between(readBound(in), readBound(in));
      case 4 -> {
        List<byte[]> values = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
          values.add(readOperand(in));
        }
        yield new Leading(values, read(in));
      }
      default -> throw new IOException("no condition is of kind " + kind);
    };
  }

  private static Optional<Bound> readBound(DataInput in) throws IOException {
    byte kind = in.readByte();
    return kind == 0 ? Optional.empty() : Optional.of(new Bound(readOperand(in), kind == 2));
  }

  private static byte[] readOperand(DataInput in) throws IOException {
    byte[] operand = new byte[in.readInt()];
    in.readFully(operand);
    return operand;
  }

  private static void writeBound(DataOutput out, Optional<Bound> bound) throws IOException {
    out.writeByte(bound.map(b -> b.inclusive() ? 2 : 1).orElse(0));
    if (bound.isPresent()) {
      writeOperand(out, bound.get().value());
    }
  }

  private static void writeOperand(DataOutput out, byte[] operand) throws IOException {
    out.writeInt(operand.length);
    out.write(operand);
  }

  /** Equality. */
  record EqualTo(byte[] value) implements ValuePredicate {
    public EqualTo {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public TokenRange range() {
      return TokenRange.only(value);
    }

    @Override
    public ValuePredicate map(UnaryOperator<byte[]> mapping) {
      return new EqualTo(mapping.apply(value));
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeByte(1);
      writeOperand(out, value);
    }

    @Override
    public String toString() {
      return "= " + Bytes.toStringBinary(value);
    }
  }

  /** Everything that begins with the given bytes. */
  record Prefix(byte[] prefix) implements ValuePredicate {
    public Prefix {
      Objects.requireNonNull(prefix, "prefix");
    }

    @Override
    public TokenRange range() {
      return TokenRange.startingWith(prefix);
    }

    @Override
    public ValuePredicate map(UnaryOperator<byte[]> mapping) {
      return new Prefix(mapping.apply(prefix));
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeByte(2);
      writeOperand(out, prefix);
    }

    @Override
    public String toString() {
      return "starts with " + Bytes.toStringBinary(prefix);
    }
  }

  /**
   * Equality on the first columns of an index on several, and a condition on the next.
   *
   * @param next none of this kind
   */
  record Leading(List<byte[]> values, ValuePredicate next) implements ValuePredicate {
    public Leading {
      values = List.copyOf(values);
      Objects.requireNonNull(next, "next");
      if (next instanceof Leading) {
        throw new IllegalArgumentException("leading values are followed by leading values");
      }
    }

    @Override
    public TokenRange range() {
      throw new IllegalArgumentException(
          "leading values need an index on several columns; this one is on one");
    }

    @Override
    public ValuePredicate map(UnaryOperator<byte[]> mapping) {
      return new Leading(values.stream().map(mapping).toList(), next.map(mapping));
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeByte(4);
      out.writeInt(values.size());
      for (byte[] value : values) {
        writeOperand(out, value);
      }
      next.write(out);
    }

    @Override
    public String toString() {
      return values.stream().map(Bytes::toStringBinary).collect(Collectors.joining(", ", "= ", ""))
          + ", then "
          + next;
    }
  }

  /** One end of an interval. */
  record Bound(byte[] value, boolean inclusive) {
    public Bound {
      Objects.requireNonNull(value, "value");
    }

    private Bound map(UnaryOperator<byte[]> mapping) {
      return new Bound(mapping.apply(value), inclusive);
    }
  }

  /** An interval; a missing bound means unbounded on that side. */
  record Between(Optional<Bound> low, Optional<Bound> high) implements ValuePredicate {
    @Override
    public TokenRange range() {
      byte[] first =
          low.map(b -> b.inclusive() ? b.value() : TokenRange.successor(b.value()))
              .orElseGet(() -> new byte[0]);
      return TokenRange.of(
          first, high.map(b -> b.inclusive() ? TokenRange.successor(b.value()) : b.value()));
    }

    @Override
    public ValuePredicate map(UnaryOperator<byte[]> mapping) {
      return new Between(low.map(b -> b.map(mapping)), high.map(b -> b.map(mapping)));
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeByte(3);
      writeBound(out, low);
      writeBound(out, high);
    }

    @Override
    public String toString() {
      return "in "
          + low.map(b -> (b.inclusive() ? "[" : "(") + Bytes.toStringBinary(b.value()))
              .orElse("(unbounded")
          + ", "
          + high.map(b -> Bytes.toStringBinary(b.value()) + (b.inclusive() ? "]" : ")"))
              .orElse("unbounded)");
    }
  }
}
