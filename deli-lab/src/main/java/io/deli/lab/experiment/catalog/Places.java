package io.deli.lab.experiment.catalog;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.Point;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows with an indexed number and an indexed place, both drawn evenly. */
record Places(Numbers numbers) {
  private static final String INDEX = "by_place";
  private static final Column PLACE = Column.of(Numbers.FAMILY, Bytes.toBytes("p"));
  private static final long SEED = 0x9A4E;

  /** Length and width of where all places are. */
  private static final double SIDE = 100;

  static IndexDefinition index(String strategy) {
    return IndexDefinition.on(INDEX, PLACE).withType(ValueType.POINT).withStrategy(strategy);
  }

  Put put(int row) {
    SplittableRandom random = new SplittableRandom(SEED + row);
    Point place = new Point(SIDE * random.nextDouble(), SIDE * random.nextDouble());
    return numbers.put(row).addColumn(Numbers.FAMILY, PLACE.qualifier(), place.toBytes());
  }

  /** The rows of a square that has so many on average. */
  ValueQuery square(int hits, SplittableRandom random) {
    double side = Math.min(SIDE, SIDE * Math.sqrt((double) hits / numbers.rows()));
    double x = (SIDE - side) * random.nextDouble();
    double y = (SIDE - side) * random.nextDouble();
    return ValueQuery.on(INDEX)
        .between(new Point(x, y).toBytes(), new Point(x + side, y + side).toBytes());
  }
}
