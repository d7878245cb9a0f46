package io.deli.tools.mapreduce;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.query.Condition;
import io.deli.query.Condition.And;
import io.deli.query.Condition.OnIndex;
import io.deli.query.Condition.Or;
import io.deli.query.ValuePredicate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import org.apache.hadoop.hbase.util.Bytes;

/** Queries as values of a configuration, to be read by the version that wrote them. */
final class QueryText {
  private static final byte AND = 1;
  private static final byte OR = 2;
  private static final byte ON_INDEX = 3;
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
      Bytes.writeByteArray(out, options.rows().from());
      Bytes.writeByteArray(out, options.rows().before());
      out.writeInt(options.projection().size());
      for (Column column : options.projection()) {
        Bytes.writeByteArray(out, column.family());
        Bytes.writeByteArray(out, column.qualifier());
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
      out.writeByte(ON_INDEX);
      out.writeUTF(on.index());
      on.predicate().write(out);
    }
  }

  static ValueQuery read(String text) throws IOException {
    DataInput in = new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)));
    ValueQuery query = readCondition(in);
    long asOf = in.readLong();
    query = asOf == NOW ? query : query.asOf(asOf);
    query = query.versions(in.readInt());
    query = in.readBoolean() ? query.allowScan() : query;
    query = query.rows(Bytes.readByteArray(in), Bytes.readByteArray(in));
    Column[] projection = new Column[in.readInt()];
    for (int i = 0; i < projection.length; i++) {
      projection[i] = Column.of(Bytes.readByteArray(in), Bytes.readByteArray(in));
    }
    return query.project(projection);
  }

  private static ValueQuery readCondition(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case AND -> readCondition(in).and(readCondition(in));
      case OR -> readCondition(in).or(readCondition(in));
      case ON_INDEX -> ValueQuery.on(in.readUTF()).matching(ValuePredicate.read(in));
      default -> throw new IOException("no condition is of kind " + kind);
    };
  }
}
