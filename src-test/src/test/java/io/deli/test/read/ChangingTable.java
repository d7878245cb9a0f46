package io.deli.test.read;

import io.deli.client.DeliConnection;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with an index on each of its columns, a and b, written by DELI's own client. */
final class ChangingTable extends ClientTable {
  final HookObserver base;
  final HookObserver a;
  final HookObserver b;

  /** What indexes differ in. */
  enum Kind {
    BY_KEY(definition -> definition),
    BY_TIME(definition -> definition.withOrder(EntryOrder.BY_TIME)),
    IN_PLACE(definition -> definition.withStrategy("in-place")),
    COMPOSITE(definition -> definition.withStrategy("composite")),
    LAZY(definition -> definition.withStrategy("lazy")),
    SERVER(definition -> definition.withMaintenance(Maintenance.SERVER)),
    EMBEDDED(definition -> definition.withStrategy("embedded")),
    NEXT(definition -> definition.withStrategy("next")),
    NONE(definition -> definition.withStrategy("none"));

    @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
    private final UnaryOperator<IndexDefinition> definition;

    Kind(UnaryOperator<IndexDefinition> definition) {
      this.definition = definition;
    }

    private IndexDefinition on(String column) {
      return definition.apply(IndexDefinition.on(column, Column.of(FAMILY, Bytes.toBytes(column))));
    }

    /** Whether it is base rows that are scanned. */
    boolean scansBase() {
      return this == EMBEDDED || this == NEXT || this == NONE;
    }
  }

  /**
   * Creates it.
   *
   * @param page how many entries readers take at a time
   * @param settings of the connection, too: key, value, key, value ...
   */
  ChangingTable(Kind kind, int page, String... settings) throws IOException {
    super(
        createAsOperator(describe("changing", 1), List.of(kind.on("a"), kind.on("b"))),
        connect(page, settings));
    base = HookObserver.on(name());
    a = kind.scansBase() ? base : HookObserver.on(index("a").table());
    b = kind.scansBase() ? base : HookObserver.on(index("b").table());
  }

  private ChangingTable(ChangingTable other, int page) throws IOException {
    super(other, connect(page));
    base = other.base;
    a = other.a;
    b = other.b;
  }

  private static DeliConnection connect(int page, String... settings) throws IOException {
    Stream<String> pages = Stream.of(DeliSettings.READ_PAGE.key(), Integer.toString(page));
    return MiniCluster.connect(Stream.concat(pages, Stream.of(settings)).toArray(String[]::new));
  }

  /** The same by a connection of its own, which has read nothing of the table yet. */
  ChangingTable again() throws IOException {
    return new ChangingTable(this, 2);
  }

  /** Puts later, by the clock, than whatever was put before. */
  void put(String row, String column, String value) throws IOException {
    Eventually.nextMillisecond();
    client()
        .put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, Bytes.toBytes(column), bytes(value)));
  }

  void putBoth(String row, String valueOfA, String valueOfB) throws IOException {
    client()
        .put(
            new Put(Bytes.toBytes(row))
                .addColumn(FAMILY, Bytes.toBytes("a"), bytes(valueOfA))
                .addColumn(FAMILY, Bytes.toBytes("b"), bytes(valueOfB)));
  }

  ValueScanner open(ValueQuery query) throws IOException {
    return client().readValue(query);
  }

  /** The rows found, in order. */
  List<String> rows(ValueQuery query) throws IOException {
    return find(query);
  }

  /** The rows to come. */
  static void rest(ValueScanner scanner, List<String> rows) throws IOException {
    for (Optional<ValueHit> hit = scanner.next(); hit.isPresent(); hit = scanner.next()) {
      rows.add(Bytes.toString(hit.get().row()));
    }
  }

  static byte[] bytes(String value) {
    return Bytes.toBytes(value);
  }
}
