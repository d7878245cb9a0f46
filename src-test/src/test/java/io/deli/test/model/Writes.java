package io.deli.test.model;

import io.deli.index.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Draws writes through every door that HBase's API has. */
final class Writes {
  private static final List<CompareOperator> COMPARISONS =
      List.of(CompareOperator.EQUAL, CompareOperator.NOT_EQUAL);

  private final Random random;
  private final Samples samples;
  private final Mutations mutations;
  private final ModelTable model;
  private final Set<Column> drawnFor;

  /**
   * @param drawnFor the columns for whose indexes the client draws timestamps
   */
  Writes(Random random, TestTime time, ModelTable model, Set<Column> drawnFor) {
    this.drawnFor = drawnFor;
    this.random = random;
    this.samples = new Samples(random);
    this.mutations = new Mutations(random, samples, time, model);
    this.model = model;
  }

  Operation draw() {
    int dice = random.nextInt(100);
    if (dice < 40) {
      return put(mutations.put(samples.row()));
    } else if (dice < 60) {
      Delete delete = mutations.delete(samples.row(), true);
      return new Operation("delete", List.of(delete), sent((c, t) -> t.delete(delete)));
    } else if (dice < 68) {
      return puts();
    } else if (dice < 71) {
      return deletes();
    } else if (dice < 79) {
      return batch();
    } else if (dice < 86) {
      RowMutations row = rowMutations(samples.row());
      return new Operation("mutateRow", List.of(row), sent((c, t) -> t.mutateRow(row)));
    } else if (dice < 95) {
      return conditional();
    }
    return buffered();
  }

  private interface Call {
    void on(Connection connection, Table table) throws IOException, InterruptedException;
  }

  private static Operation.Sending sent(Call call) {
    return (connection, table) -> {
      call.on(connection, table);
      return Optional.empty();
    };
  }

  private static Operation put(Put put) {
    return new Operation("put", List.of(put), sent((c, t) -> t.put(put)));
  }

  /** Several of one row, which must count in their order. */
  private Operation puts() {
    List<Put> puts = new ArrayList<>();
    byte[] row = samples.row();
    for (int i = 2 + random.nextInt(5); i > 0; i--) {
      puts.add(mutations.stampedPut(random.nextInt(3) == 0 ? samples.row() : row));
    }
    return new Operation("put(List)", List.copyOf(puts), sent((c, t) -> t.put(puts)));
  }

  private Operation deletes() {
    List<Delete> deletes = new ArrayList<>();
    for (byte[] row : distinctRows()) {
      deletes.add(mutations.delete(row, true));
    }
    List<Row> all = List.copyOf(deletes);
    return new Operation("delete(List)", all, sent((c, t) -> t.delete(deletes)));
  }

  /** HBase promises no order within a batch, so each row comes once. */
  private Operation batch() {
    List<Row> actions = new ArrayList<>();
    for (byte[] row : distinctRows()) {
      actions.add(
          switch (random.nextInt(4)) {
            case 0 -> mutations.delete(row, true);
            case 1 -> rowMutations(row);
            default -> mutations.put(row);
          });
    }
    return new Operation(
        "batch", actions, sent((c, t) -> t.batch(actions, new Object[actions.size()])));
  }

  private List<byte[]> distinctRows() {
    Set<String> seen = new HashSet<>();
    List<byte[]> rows = new ArrayList<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      byte[] row = samples.row();
      if (seen.add(Bytes.toStringBinary(row))) {
        rows.add(row);
      }
    }
    return rows;
  }

  /**
   * One Put and perhaps Deletes. No second Put: which of two at one place and one timestamp wins,
   * is not said. No delete of the latest version: the server looks for that before all of them.
   */
  private RowMutations rowMutations(byte[] row) {
    List<Mutation> parts = new ArrayList<>();
    parts.add(mutations.stampedPut(row));
    for (int i = random.nextInt(3); i > 0; i--) {
      parts.add(random.nextInt(parts.size() + 1), mutations.delete(row, false));
    }
    try {
      return RowMutations.of(parts);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Operation conditional() {
    byte[] row = samples.row();
    Column column = samples.pick(Schema.INDEXED);
    CheckAndMutate.Builder condition = CheckAndMutate.newBuilder(row);
    List<Version> current = model.visible(row, column, Long.MAX_VALUE, 1);
    if (random.nextInt(3) == 0) {
      condition.ifNotExists(column.family(), column.qualifier());
    } else {
      byte[] value =
          current.isEmpty() || random.nextInt(3) == 0
              ? samples.value(column)
              : current.get(0).value();
      condition.ifMatches(column.family(), column.qualifier(), samples.pick(COMPARISONS), value);
    }
    CheckAndMutate action = action(condition, row);
    return new Operation(
        "checkAndMutate",
        List.of(action),
        (connection, table) -> Optional.of(table.checkAndMutate(action).isSuccess()));
  }

  /** An action that the client stamps: servers would stamp the others, in their time. */
  private CheckAndMutate action(CheckAndMutate.Builder condition, byte[] row) {
    CheckAndMutate action =
        switch (random.nextInt(4)) {
          case 0 -> condition.build(mutations.delete(row, true));
          case 1 -> condition.build(rowMutations(row));
          default -> condition.build(mutations.put(row));
        };
    return Operation.needsStamp(action) && !Operation.concerns(action, drawnFor)
        ? action(condition, row)
        : action;
  }

  private Operation buffered() {
    List<Mutation> all = new ArrayList<>();
    for (byte[] row : distinctRows()) {
      all.add(random.nextInt(4) == 0 ? mutations.delete(row, true) : mutations.put(row));
    }
    return new Operation(
        Operation.BUFFERED,
        List.copyOf(all),
        sent(
            (connection, table) -> {
              try (BufferedMutator mutator = connection.getBufferedMutator(table.getName())) {
                for (Mutation each : all) {
                  mutator.mutate(each);
                }
              }
            }));
  }

  /** What must be refused with nothing written, the good parts of it included. */
  Operation refused() {
    byte[] row = samples.row();
    Put good = mutations.put(row);
    Put shout =
        new Put(samples.row()).addColumn(Schema.NOTE.family(), Schema.NOTE.qualifier(), shouted());
    Put half =
        new Put(samples.row())
            .addColumn(Schema.NUMBER.family(), Schema.NUMBER.qualifier(), new byte[7]);
    Append append =
        new Append(row).addColumn(Schema.TEXT.family(), Schema.TEXT.qualifier(), shouted());
    List<Row> actions =
        switch (random.nextInt(4)) {
          case 0 -> List.of(shout);
          case 1 -> List.of(half);
          case 2 -> List.of(append);
          default -> List.of(good, shout);
        };
    return new Operation(
        "refused batch", actions, sent((c, t) -> t.batch(actions, new Object[actions.size()])));
  }

  private static byte[] shouted() {
    return Bytes.toBytes("red!");
  }
}
