package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.Box;
import io.deli.query.Point;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Points in a rectangle are found by every strategy, and the same. */
class RectanglesTest {
  private static final Column PLACE = Column.parse("f:place");
  private static final List<String> STRATEGIES =
      List.of("deferred", "composite", "in-place", "eager", "lazy", "embedded", "next", "none");
  private static final int ROWS = 300;

  private final Random random = new Random(Long.getLong("deli.seed", 20240406));
  private final TreeMap<String, Point> places = new TreeMap<>();
  private final TableName name = MiniCluster.uniqueTable("places");
  @AutoClose private ClientTable indexed;
  private DeliTable table;

  private void create(List<String> strategies) throws IOException {
    indexed =
        ClientTable.createIndexed(
            TestTable.describe(name, family -> family.setBlocksize(1 << 10)),
            strategies.stream()
                .map(
                    each ->
                        IndexDefinition.on(each, PLACE)
                            .withType(ValueType.POINT)
                            .withStrategy(each))
                .toArray(IndexDefinition[]::new));
    table = indexed.client();
  }

  /** Half of them in a city, the others anywhere. */
  private Point place() {
    double x = random.nextInt(3600) / 10.0 - 180;
    double y = random.nextInt(1800) / 10.0 - 90;
    return random.nextBoolean() ? new Point(8 + x / 1000, 47 + y / 1000) : new Point(x, y);
  }

  private void write() throws IOException {
    String row = "row%03d".formatted(random.nextInt(ROWS));
    if (random.nextInt(10) == 0) {
      places.remove(row);
      table.delete(new Delete(Bytes.toBytes(row)));
    } else {
      Point place = place();
      places.put(row, place);
      table.put(
          new Put(Bytes.toBytes(row))
              .addColumn(PLACE.family(), PLACE.qualifier(), place.toBytes()));
    }
  }

  private Box box() {
    Point one = place();
    Point other = place();
    return new Box(
        new Point(Math.min(one.x(), other.x()), Math.min(one.y(), other.y())),
        new Point(Math.max(one.x(), other.x()), Math.max(one.y(), other.y())));
  }

  @Test
  void everyStrategyFindsThePointsInside() throws IOException {
    create(STRATEGIES);
    for (int file = 0; file < 3; file++) {
      for (int i = 0; i < ROWS; i++) {
        write();
      }
      if (file < 2) {
        MiniCluster.utility().flush(name);
      }
    }
    int found = 0;
    for (int round = 0; round < 10; round++) {
      Box box = box();
      List<String> inside =
          places.entrySet().stream()
              .filter(place -> box.contains(place.getValue()))
              .map(Map.Entry::getKey)
              .toList();
      for (String strategy : STRATEGIES) {
        ValueQuery query =
            ValueQuery.on(strategy).between(box.low().toBytes(), box.high().toBytes());
        assertThat(indexed.find(query))
            .as("%s: %s", strategy, box)
            .containsExactlyInAnyOrderElementsOf(inside);
        assertThat(indexed.find(query.reversed())).containsExactlyInAnyOrderElementsOf(inside);
        assertThat(indexed.find(query.limit(3)))
            .hasSize(Math.min(3, inside.size()))
            .isSubsetOf(inside);
      }
      found += inside.size();
    }
    assertThat(found).isGreaterThan(50);
    Point known = places.firstEntry().getValue();
    for (String strategy : STRATEGIES) {
      assertThat(indexed.find(ValueQuery.on(strategy).equalTo(known.toBytes())))
          .contains(places.firstKey());
    }
  }

  @Test
  void whatIsNoRectangleIsRefused() throws IOException {
    create(List.of("deferred"));
    ValueQuery.Target places = ValueQuery.on("deferred");
    byte[] southWest = new Point(1, 2).toBytes();
    byte[] northEast = new Point(3, 4).toBytes();
    assertThatThrownBy(() -> indexed.find(places.between(northEast, southWest)))
        .hasMessageContaining("no rectangle")
        .hasMessageContaining("least");
    assertThatThrownBy(() -> indexed.find(places.between(southWest, false, northEast, true)))
        .hasMessageContaining("rectangle");
    assertThatThrownBy(() -> indexed.find(places.atLeast(southWest)))
        .hasMessageContaining("two corners");
    assertThatThrownBy(() -> indexed.find(places.prefix(southWest))).hasMessageContaining("prefix");
    assertThatThrownBy(() -> indexed.find(places.equalTo(new byte[3])))
        .hasMessageContaining("16 bytes");
    Put put =
        new Put(Bytes.toBytes("row"))
            .addColumn(PLACE.family(), PLACE.qualifier(), Bytes.toBytes("none"));
    assertThatThrownBy(() -> table.put(put)).hasMessageContaining("16 bytes");
  }

  /** The curve from corner to corner passes half of all points. */
  @Test
  void aRectangleAcrossTheAxesReadsFewPointsBesideIt() throws IOException {
    List<String> strategies = List.of("deferred", "lazy");
    create(strategies);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Point place = new Point(random.nextDouble(-180, 180), random.nextDouble(-90, 90));
      puts.add(
          new Put(Bytes.toBytes("row%04d".formatted(i)))
              .addColumn(PLACE.family(), PLACE.qualifier(), place.toBytes()));
    }
    table.put(puts);
    for (String strategy : strategies) {
      ValueQuery query =
          ValueQuery.on(strategy).between(new Point(-18, -9).toBytes(), new Point(18, 9).toBytes());
      int hits = indexed.find(query).size();
      assertThat(hits).isBetween(5, 60);
      for (ValueQuery way : List.of(query, query.reversed())) {
        assertThat(table.explain(way).reads().servers().rows())
            .as(strategy)
            .isBetween((long) hits, 200L);
      }
    }
  }

  /** Lists of points outside, longer than an answer, lie between those of points inside. */
  @Test
  void longListsBesideARectangleArePassed() throws IOException {
    create(List.of("eager", "lazy"));
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      Point place = i % 300 == 0 ? new Point(1, 5 + i / 300) : new Point(i % 3, 1);
      puts.add(
          new Put(Bytes.toBytes("row%03d".formatted(i)))
              .addColumn(PLACE.family(), PLACE.qualifier(), place.toBytes()));
    }
    table.put(puts);
    for (String strategy : List.of("eager", "lazy")) {
      ValueQuery query =
          ValueQuery.on(strategy).between(new Point(0, 5).toBytes(), new Point(2, 9).toBytes());
      assertThat(indexed.find(query)).containsExactlyInAnyOrder("row000", "row300", "row600");
      assertThat(indexed.find(query.reversed()))
          .containsExactlyInAnyOrder("row000", "row300", "row600");
      assertThat(indexed.find(query.limit(2))).hasSize(2);
    }
  }
}
