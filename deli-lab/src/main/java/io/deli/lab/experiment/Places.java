package io.deli.lab.experiment;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.Point;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.util.Bytes;

/** A second field of rows, drawn evenly: points, and the squares they are asked for by. */
final class Places {
  /** Of a workload: whether its rows have it. */
  static final String PROPERTY = "places";

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

  static byte[] of(String key) {
    SplittableRandom random = new SplittableRandom(key.hashCode());
    return new Point(SIDE * random.nextDouble(), SIDE * random.nextDouble()).toBytes();
  }

  /** Reads by squares that have so many of the rows on average, one after the other. */
  static Outcome readSquares(HBaseTable table, int hits, Duration time) throws IOException {
    double side = Math.min(SIDE, SIDE * Math.sqrt((double) hits / table.rows()));
    return Workers.during(
        time,
        1,
        thread -> {
          DeliTable open = table.lab().deli().getTable(table.name());
          return new Workers.Closing(
              open,
              random -> {
                read(open, side, random);
                return 1;
              });
        });
  }

  private static void read(DeliTable table, double side, SplittableRandom random)
      throws IOException {
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
  }
}
