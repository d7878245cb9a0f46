package io.deli.lab.experiment;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.Point;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.util.Bytes;

/** A second field of rows, drawn evenly: points, and the squares they are asked for by. */
final class Places {
  /** Of a workload: whether its rows have it. */
  static final String PROPERTY = "places";

  /** Of a workload: how many rows a square has on average, if lookups by a range ask for one. */
  static final String SQUARES = "squares";

  static final String FIELD = "place";

  private static final String INDEX = "by_" + FIELD;

  /** Length and width of where all places are. */
  private static final double SIDE = 100;

  private Places() {}

  static IndexDefinition index(String strategy) {
    return IndexDefinition.on(INDEX, Column.of(HBaseTable.FAMILY, Bytes.toBytes(FIELD)))
        .withType(ValueType.POINT)
        .withStrategy(strategy);
  }

  /** The place of a row that has just been given this key or, later, this value. */
  static byte[] of(String text) {
    SplittableRandom random = new SplittableRandom(text.hashCode());
    return new Point(SIDE * random.nextDouble(), SIDE * random.nextDouble()).toBytes();
  }

  /** Squares anywhere that have so many of a table's rows on average; for one thread. */
  static final class Squares implements Workers.Worker {
    private final DeliTable table;
    private final double side;

    Squares(HBaseTable table, int hits) throws IOException {
      this.table = table.lab().deli().getTable(table.name());
      side = Math.min(SIDE, SIDE * Math.sqrt((double) hits / table.rows()));
    }

    @Override
    public int run(RandomGenerator random) throws IOException {
      double x = (SIDE - side) * random.nextDouble();
      double y = (SIDE - side) * random.nextDouble();
      ValueQuery square =
          ValueQuery.on(INDEX)
              .between(new Point(x, y).toBytes(), new Point(x + side, y + side).toBytes());
      try (ValueScanner scanner = table.readValue(square)) {
        while (scanner.next().isPresent()) {
          // It is there.
        }
      }
      return 1;
    }

    @Override
    public void close() throws IOException {
      table.close();
    }
  }
}
