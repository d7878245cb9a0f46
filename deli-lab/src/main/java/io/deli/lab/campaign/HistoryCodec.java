package io.deli.lab.campaign;

import io.deli.lab.campaign.HistoryRecord.Answered;
import io.deli.lab.campaign.HistoryRecord.Beat;
import io.deli.lab.campaign.HistoryRecord.Begin;
import io.deli.lab.campaign.HistoryRecord.Failed;
import io.deli.lab.campaign.HistoryRecord.Told;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.RowQuery;
import io.deli.lab.judge.Span;
import io.deli.lab.judge.Step;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;

/**
 * The bytes of a history: of each record its length (4), its type (1), its time (8), then what the
 * type has. Spans are those of the call, which its begin and end give; of an operation it is kept
 * whether its span has an end.
 */
final class HistoryCodec {
  /** In the order of their numbers. */
  private static final List<RowOperation.Outcome> OUTCOMES = List.of(RowOperation.Outcome.values());

  /** The offset of a record's time, which is stamped last. */
  static final int TIME_AT = 5;

  private static final int HEAD = 4;

  private HistoryCodec() {}

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private interface Read<T> {
    T from(DataInputStream in) throws IOException;
  }

  static byte[] encode(HistoryRecord record) {
    if (record instanceof Begin begin) {
      return record('B', begin, out -> call(out, begin.call()).list(begin.writes()));
    } else if (record instanceof Beat beat) {
      return record('H', beat, out -> {});
    } else if (record instanceof Told told) {
      return record('T', told, out -> call(out, told.call()).list(told.operations()));
    } else if (record instanceof Answered answered) {
      return record('Q', answered, out -> call(out, answered.call()).query(answered.query()));
    }
    Failed failed = (Failed) record;
    return record(
        'F',
        failed,
        out -> {
          call(out, failed.call());
          out.writeByte(failed.times());
          out.writeUTF(failed.why());
        });
  }

  private static byte[] record(char type, HistoryRecord record, Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(0);
      out.writeByte(type);
      out.writeLong(record.time());
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] all = bytes.toByteArray();
    ByteBuffer.wrap(all).putInt(0, all.length - HEAD);
    return all;
  }

  /**
   * Takes the next record, if all of it is there.
   *
   * @param begun when the call of a record that ends one began
   */
  static Optional<HistoryRecord> decode(ByteBuffer in, LongUnaryOperator begun) {
    if (in.remaining() < HEAD || in.remaining() < HEAD + in.getInt(in.position())) {
      return Optional.empty();
    }
    byte[] record = new byte[in.getInt()];
    in.get(record);
    try {
      return Optional.of(decode(new DataInputStream(new ByteArrayInputStream(record)), begun));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HistoryRecord decode(DataInputStream in, LongUnaryOperator begun)
      throws IOException {
    char type = (char) in.readByte();
    long time = in.readLong();
    if (type == 'H') {
      return new Beat(time);
    }
    long call = in.readLong();
    return switch (type) {
      case 'B' -> new Begin(call, time, operations(in, Span.UNKNOWN));
      case 'T' -> new Told(call, time, operations(in, new Span(begun.applyAsLong(call), time)));
      case 'Q' -> new Answered(call, time, query(in, new Span(begun.applyAsLong(call), time)));
      case 'F' -> new Failed(call, time, in.readByte(), in.readUTF());
      default -> throw new IOException("no record is of type " + type);
    };
  }

  private static Writer call(DataOutputStream out, long call) throws IOException {
    out.writeLong(call);
    return new Writer(out);
  }

  /** Writes the parts of a record. */
  private record Writer(DataOutputStream out) {
    void list(List<RowOperation> operations) throws IOException {
      out.writeShort(operations.size());
      for (RowOperation each : operations) {
        operation(each);
      }
    }

    private void operation(RowOperation operation) throws IOException {
      out.writeUTF(operation.row());
      out.writeByte(
          OUTCOMES.indexOf(operation.outcome())
              | (operation.optional() ? 4 : 0)
              | (operation.span().hasEnd() ? 8 : 0)
              | (operation.test().isPresent() ? 16 : 0));
      if (operation.test().isPresent()) {
        out.writeUTF(operation.test().get().column());
        optional(operation.test().get().value());
      }
      out.writeByte(operation.steps().size());
      for (Step step : operation.steps()) {
        step(step);
      }
      out.writeByte(operation.seen().size());
      for (Map.Entry<String, Optional<String>> each : operation.seen().entrySet()) {
        out.writeUTF(each.getKey());
        optional(each.getValue());
      }
    }

    private void step(Step step) throws IOException {
      if (step instanceof Step.Write write) {
        out.writeByte('w');
        out.writeByte(write.values().size());
        for (Map.Entry<String, String> each : write.values().entrySet()) {
          out.writeUTF(each.getKey());
          out.writeUTF(each.getValue());
        }
      } else if (step instanceof Step.Removal removal) {
        out.writeByte('r');
        out.writeUTF(removal.scope().name());
        out.writeByte(removal.columns().size());
        for (String column : removal.columns()) {
          out.writeUTF(column);
        }
        out.writeUTF(removal.mark());
      } else if (step instanceof Step.Addition addition) {
        out.writeByte('a');
        out.writeUTF(addition.column());
        out.writeLong(addition.amount());
      } else {
        Step.Extension extension = (Step.Extension) step;
        out.writeByte('e');
        out.writeUTF(extension.column());
        out.writeUTF(extension.text());
      }
    }

    private void optional(Optional<String> text) throws IOException {
      out.writeBoolean(text.isPresent());
      out.writeUTF(text.orElse(""));
    }

    void query(RowQuery query) throws IOException {
      out.writeUTF(query.how());
      condition(query.condition());
      out.writeInt(query.hits().size());
      for (RowQuery.Hit hit : query.hits()) {
        out.writeUTF(hit.row());
        out.writeUTF(hit.value());
        out.writeLong(hit.taken());
      }
      out.writeBoolean(query.page().isPresent());
      if (query.page().isPresent()) {
        position(query.page().get().after());
        position(query.page().get().upTo());
      }
    }

    private void position(Optional<RowQuery.Position> position) throws IOException {
      out.writeBoolean(position.isPresent());
      if (position.isPresent()) {
        out.writeUTF(position.get().value());
        out.writeUTF(position.get().row());
      }
    }

    private void condition(QueryCondition condition) throws IOException {
      if (condition instanceof QueryCondition.Between between) {
        out.writeByte('b');
        out.writeUTF(between.column());
        out.writeUTF(between.low());
        out.writeUTF(between.high());
      } else if (condition instanceof QueryCondition.Prefix prefix) {
        out.writeByte('p');
        out.writeUTF(prefix.column());
        out.writeUTF(prefix.prefix());
      } else if (condition instanceof QueryCondition.Both both) {
        out.writeByte('&');
        condition(both.one());
        condition(both.other());
      } else {
        QueryCondition.Either either = (QueryCondition.Either) condition;
        out.writeByte('|');
        condition(either.one());
        condition(either.other());
      }
    }
  }

  private static <T> List<T> list(int size, DataInputStream in, Read<T> one) throws IOException {
    List<T> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      all.add(one.from(in));
    }
    return all;
  }

  private static List<RowOperation> operations(DataInputStream in, Span span) throws IOException {
    return list(in.readUnsignedShort(), in, each -> operation(each, span));
  }

  private static RowOperation operation(DataInputStream in, Span span) throws IOException {
    String row = in.readUTF();
    int flags = in.readByte();
    Optional<RowOperation.Test> test =
        (flags & 16) == 0
            ? Optional.empty()
            : Optional.of(new RowOperation.Test(in.readUTF(), optional(in)));
    List<Step> steps = list(in.readUnsignedByte(), in, HistoryCodec::step);
    Map<String, Optional<String>> seen = new TreeMap<>();
    int columns = in.readUnsignedByte();
    for (int i = 0; i < columns; i++) {
      seen.put(in.readUTF(), optional(in));
    }
    return new RowOperation(
        row,
        test,
        OUTCOMES.get(flags & 3),
        steps,
        seen,
        (flags & 8) == 0 ? new Span(span.begun(), Span.NEVER) : span,
        (flags & 4) != 0);
  }

  private static Step step(DataInputStream in) throws IOException {
    char type = (char) in.readByte();
    return switch (type) {
      case 'w' -> new Step.Write(values(in));
      case 'r' -> {
        Step.Scope scope = Step.Scope.valueOf(in.readUTF());
        yield new Step.Removal(
            scope,
            new TreeSet<>(list(in.readUnsignedByte(), in, each -> each.readUTF())),
            in.readUTF());
      }
      case 'a' -> new Step.Addition(in.readUTF(), in.readLong());
      case 'e' -> new Step.Extension(in.readUTF(), in.readUTF());
      default -> throw new IOException("no step is of type " + type);
    };
  }

  private static Map<String, String> values(DataInputStream in) throws IOException {
    Map<String, String> values = new TreeMap<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      values.put(in.readUTF(), in.readUTF());
    }
    return values;
  }

  private static Optional<String> optional(DataInputStream in) throws IOException {
    boolean present = in.readBoolean();
    String text = in.readUTF();
    return present ? Optional.of(text) : Optional.empty();
  }

  private static RowQuery query(DataInputStream in, Span span) throws IOException {
    String how = in.readUTF();
    QueryCondition condition = condition(in);
    List<RowQuery.Hit> hits =
        list(in.readInt(), in, i -> new RowQuery.Hit(i.readUTF(), i.readUTF(), i.readLong()));
    Optional<RowQuery.Page> page =
        in.readBoolean()
            ? Optional.of(new RowQuery.Page(position(in), position(in)))
            : Optional.empty();
    return new RowQuery(how, condition, hits, span, page);
  }

  private static Optional<RowQuery.Position> position(DataInputStream in) throws IOException {
    return in.readBoolean()
        ? Optional.of(new RowQuery.Position(in.readUTF(), in.readUTF()))
        : Optional.empty();
  }

  private static QueryCondition condition(DataInputStream in) throws IOException {
    char type = (char) in.readByte();
    return switch (type) {
      case 'b' -> new QueryCondition.Between(in.readUTF(), in.readUTF(), in.readUTF());
      case 'p' -> new QueryCondition.Prefix(in.readUTF(), in.readUTF());
      case '&' -> new QueryCondition.Both(condition(in), condition(in));
      case '|' -> new QueryCondition.Either(condition(in), condition(in));
      default -> throw new IOException("no condition is of type " + type);
    };
  }
}
