package io.deli.test.build;

import static io.deli.test.cluster.TestTable.put;

import io.deli.client.DeliConnection;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Clients that write to a table without end, each by a connection of its own. */
final class Writers extends EndlessClients {

  private Writers(int number) {
    super(number);
  }

  /** The name of a row, such that rows are spread evenly from row0 to row9. */
  static String row(int number, int rows) {
    return "row%07d".formatted((long) number * 10_000_000 / rows);
  }

  /**
   * @param rows of the table; others are written, too
   */
  static Writers start(BuiltTable table, int number, int rows) {
    return start(table, number, rows, () -> DeliConnection.wrap(plain()));
  }

  /** The same that know nothing of indexes. */
  static Writers startPlain(BuiltTable table, int number, int rows) {
    return start(table, number, rows, Writers::plain);
  }

  private static Connection plain() throws IOException {
    return ConnectionFactory.createConnection(BuiltTable.configuration());
  }

  private interface Connector {
    Connection connect() throws IOException;
  }

  private static Writers start(BuiltTable table, int number, int rows, Connector connector) {
    Writers writers = new Writers(number);
    for (int i = 0; i < number; i++) {
      long seed = i;
      writers.start(() -> writers.write(table, seed, rows, connector));
    }
    return writers;
  }

  private void write(BuiltTable table, long seed, int known, Connector connector) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Connection own = connector.connect();
        Table rows = own.getTable(table.name())) {
      while (!isEnded()) {
        String row = row(random.nextInt(known), known);
        String value = "v" + random.nextInt(20);
        switch (random.nextInt(6)) {
          case 0 -> rows.delete(new Delete(Bytes.toBytes(row)));
          case 1 -> rows.put(put(row, System.currentTimeMillis() - random.nextInt(100), value));
          case 2 -> rows.put(List.of(put(row, value), put(row + "x", value)));
          default -> rows.put(put(row, value));
        }
      }
    } catch (Exception e) {
      throw new AssertionError("a writer failed", e);
    }
  }
}
