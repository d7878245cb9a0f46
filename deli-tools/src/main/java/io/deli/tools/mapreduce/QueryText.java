package io.deli.tools.mapreduce;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.query.Condition;
import io.deli.query.Condition.And;
import io.deli.query.Condition.OnIndex;
import io.deli.query.Condition.Or;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Leading;
import io.deli.query.ValuePredicate.Prefix;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;

/** Queries as values of a configuration, to be read by the version that wrote them. */
final class QueryText {
  private static final byte AND = 1;
  private static final byte OR = 2;
  private static final byte EQUAL = 3;
  private static final byte PREFIX = 4;
  private static final byte BETWEEN = 5;
  private static final byte LEADING = 6;
  private static final long NOW = -1;

  private QueryText() {}

  /**
   * Writes a query that several readers share.
   *
   * @throws IllegalArgumentException if it has options of one scanner
   */
  static String write(ValueQuery query) {
    ValueQuery.Options options = query.options();
    if (options.reversed()
        || options.limit().isPresent()
        || options.mostRecent().isPresent()
        || options.from().isPresent()) {
      throw new IllegalArgumentException(
          "a job reads a query in parts, in no order: leave out limit, mostRecent, from and"
              + " reversed");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutput out = new DataOutputStream(bytes);
      write(out, query.condition());
      out.writeLong(options.asOf().orElse(NOW));
      out.writeInt(options.versions());
      out.writeBoolean(options.scanAllowed());
      write(out, options.rows().from());
      write(out, options.rows().before());
      out.writeInt(options.projection().size());
      for (Column column : options.projection()) {
        write(out, column.family());
        write(out, column.qualifier());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("bytes go into memory", e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static void write(DataOutput out, Condition condition) throws IOException {
    if (condition instanceof And and) {
      out.writeByte(AND);
      write(out, and.left());
      write(out, and.right());
    } else if (condition instanceof Or or) {
      out.writeByte(OR);
      write(out, or.left());
      write(out, or.right());
    } else if (condition instanceof OnIndex on) {
      write(out, on.predicate());
      out.writeUTF(on.index());
    }
  }

  private static void write(DataOutput out, ValuePredicate predicate) throws IOException {
    if (predicate instanceof EqualTo equal) {
      out.writeByte(EQUAL);
      write(out, equal.value());
    } else if (predicate instanceof Prefix prefix) {
      out.writeByte(PREFIX);
      write(out, prefix.prefix());
    } else if (predicate instanceof Between between) {
      out.writeByte(BETWEEN);
      write(out, between.low());
      write(out, between.high());
    } else if (predicate instanceof Leading leading) {
      out.writeByte(LEADING);
      out.writeInt(leading.values().size());
      for (byte[] value : leading.values()) {
        write(out, value);
      }
      write(out, leading.next());
    }
  }

  private static void write(DataOutput out, Optional<Bound> bound) throws IOException {
    out.writeBoolean(bound.isPresent());
    if (bound.isPresent()) {
      out.writeBoolean(bound.get().inclusive());
      write(out, bound.get().value());
    }
  }

  private static void write(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static ValueQuery read(String text) throws IOException {
    DataInput in = new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)));
    ValueQuery query = readCondition(in);
    long asOf = in.readLong();
    query = asOf == NOW ? query : query.asOf(asOf);
    query = query.versions(in.readInt());
    query = in.readBoolean() ? query.allowScan() : query;
    query = query.rows(readBytes(in), readBytes(in));
    Column[] projection = new Column[in.readInt()];
    for (int i = 0; i < projection.length; i++) {
      projection[i] = Column.of(readBytes(in), readBytes(in));
    }
    return query.project(projection);
  }

  private static ValueQuery readCondition(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case AND -> readCondition(in).and(readCondition(in));
      case OR -> readCondition(in).or(readCondition(in));
      case LEADING -> {
        byte[][] leading = new byte[in.readInt()][];
        for (int i = 0; i < leading.length; i++) {
          leading[i] = readBytes(in);
        }
        yield readPredicate(in.readByte(), in, leading);
      }
      default -> readPredicate(kind, in);
    };
  }

  private static ValueQuery readPredicate(byte kind, DataInput in, byte[]... leading)
      throws IOException {
    return switch (kind) {
      case EQUAL -> {
        byte[] value = readBytes(in);
        yield ValueQuery.on(in.readUTF()).leading(leading).equalTo(value);
      }
      case PREFIX -> {
        byte[] prefix = readBytes(in);
        yield ValueQuery.on(in.readUTF()).leading(leading).prefix(prefix);
      }
      case BETWEEN ->
          between(readBound(in), readBound(in), ValueQuery.on(in.readUTF()).leading(leading));
      default -> throw new IOException("no condition is of kind " + kind);
    };
  }

  private static ValueQuery between(
      Optional<Bound> low, Optional<Bound> high, ValueQuery.Target index) throws IOException {
    if (low.isPresent() && high.isPresent()) {
      return index.between(
          low.get().value(), low.get().inclusive(), high.get().value(), high.get().inclusive());
    }
    if (low.isPresent()) {
      byte[] least = low.get().value();
      return low.get().inclusive() ? index.atLeast(least) : index.greaterThan(least);
    }
    Bound most = high.orElseThrow(() -> new IOException("an interval has no bound"));
    return most.inclusive() ? index.atMost(most.value()) : index.lessThan(most.value());
  }

  private static Optional<Bound> readBound(DataInput in) throws IOException {
    if (!in.readBoolean()) {
      return Optional.empty();
    }
    boolean inclusive = in.readBoolean();
    return Optional.of(new Bound(readBytes(in), inclusive));
  }

  private static byte[] readBytes(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }
}
