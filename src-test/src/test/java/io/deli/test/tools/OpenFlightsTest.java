package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Airports and routes in the form of OpenFlights: load, update a third, query, collect. With the
 * environment variable {@code DELI_OPENFLIGHTS} naming the directory of the real files it runs on
 * them, else on made-up ones of the same form.
 */
class OpenFlightsTest {
  private static final String AIRPORTS =
      "id,name,city,country,iata,icao,latitude,longitude,altitude,offset,dst,zone,kind,source";
  private static final String ROUTES = "airline,-,from,-,to,-,codeshare,stops,equipment";

  private static Cli deli;
  private static Path data;
  @TempDir private Path scratch;

  @BeforeAll
  static void connect() throws URISyntaxException {
    deli = new Cli("--zookeeper", MiniCluster.zooKeeper());
    String given = System.getenv("DELI_OPENFLIGHTS");
    data =
        given != null
            ? Path.of(given)
            : Path.of(OpenFlightsTest.class.getResource("/openflights/airports.dat").toURI())
                .getParent();
  }

  @Test
  void airports() throws Exception {
    TableName table = MiniCluster.uniqueTable("airports");
    create(table, "country", "STRING");
    create(table, "city", "STRING");
    create(table, "altitude", "LONG");
    loadAndUpdate(table, "airports.dat", "--key", "id", "--escape", "\\", "--columns", AIRPORTS);
    try (DeliConnection connection = open();
        DeliTable rows = connection.getTable(table)) {
      for (boolean collected : new boolean[] {false, true}) {
        same(rows, ValueQuery.on("country").equalTo(text("Iceland")), "country", "Iceland"::equals);
        same(rows, ValueQuery.on("city").prefix(text("San")), "city", c -> c.startsWith("San"));
        same(
            rows,
            ValueQuery.on("altitude").between(feet(-2000), true, feet(83), false),
            "altitude",
            a -> Long.parseLong(a) >= -2000 && Long.parseLong(a) < 83);
        same(
            rows,
            ValueQuery.on("altitude").greaterThan(feet(8000)).reversed(),
            "altitude",
            a -> Long.parseLong(a) > 8000);
        if (!collected) {
          collect(connection, table);
        }
      }
    }
  }

  @Test
  void routes() throws Exception {
    TableName table = MiniCluster.uniqueTable("routes");
    create(table, "airline", "STRING");
    loadAndUpdate(table, "routes.dat", "--key", "airline,from,to", "--columns", ROUTES);
    try (DeliConnection connection = open();
        DeliTable rows = connection.getTable(table)) {
      for (boolean collected : new boolean[] {false, true}) {
        same(rows, ValueQuery.on("airline").equalTo(text("FI")), "airline", "FI"::equals);
        same(
            rows,
            ValueQuery.on("airline").atMost(text("4")),
            "airline",
            a -> a.compareTo("4") <= 0);
        if (!collected) {
          collect(connection, table);
        }
      }
    }
  }

  private static void create(TableName table, String column, String type) throws IOException {
    if (!MiniCluster.utility().getAdmin().tableExists(table)) {
      assertThat(deli.run("create-table", table.getNameAsString(), "d").code()).isZero();
    }
    Outcome created =
        deli.run("create-index", table.getNameAsString(), column, "d:" + column, "--type", type);
    assertThat(created.code()).as(created.err()).isZero();
  }

  /** Loads all rows, then every third again with its neighbour's values. */
  private void loadAndUpdate(TableName table, String file, String... options) throws IOException {
    List<String> lines = Files.readAllLines(data.resolve(file));
    List<String> third = new ArrayList<>();
    for (int i = 0; i + 1 < lines.size(); i += 3) {
      third.add(
          file.equals("airports.dat")
              ? lines.get(i).split(",", 2)[0] + "," + lines.get(i + 1).split(",", 2)[1]
              : lines.get(i));
    }
    Path updates = Files.write(scratch.resolve("third-" + file), third);
    for (Path input : List.of(data.resolve(file), updates)) {
      List<String> command =
          new ArrayList<>(List.of("load", table.getNameAsString(), input.toString()));
      command.addAll(List.of(options));
      Outcome loaded = deli.run(command.toArray(String[]::new));
      assertThat(loaded.code()).as(loaded.err()).isZero();
      System.out.println(file + ": " + loaded.out().strip());
    }
  }

  private static void same(DeliTable rows, ValueQuery query, String column, Predicate<String> holds)
      throws IOException {
    long start = System.nanoTime();
    Map<String, Long> found = new TreeMap<>();
    try (ValueScanner scanner = rows.readValue(query)) {
      for (ValueHit hit : scanner) {
        assertThat(found.put(Bytes.toString(hit.row()), hit.timestamp())).isNull();
      }
    }
    long middle = System.nanoTime();
    Map<String, Long> expected = scan(rows.getName(), column, holds);
    System.out.printf(
        "%s: %,d hits, index %d ms, scan %d ms%n",
        query.condition(),
        found.size(),
        (middle - start) / 1_000_000,
        (System.nanoTime() - middle) / 1_000_000);
    assertThat(expected).isNotEmpty();
    assertThat(found).isEqualTo(expected);
  }

  private static Map<String, Long> scan(TableName name, String column, Predicate<String> holds)
      throws IOException {
    ValueType type = column.equals("altitude") ? ValueType.LONG : ValueType.STRING;
    Map<String, Long> found = new TreeMap<>();
    try (Table table = MiniCluster.connection().getTable(name);
        ResultScanner rows = table.getScanner(new Scan())) {
      for (Result row : rows) {
        Column of = Column.parse("d:" + column);
        Cell cell = row.getColumnLatestCell(of.family(), of.qualifier());
        if (cell != null && holds.test(type.format(CellUtil.cloneValue(cell)))) {
          found.put(Bytes.toString(row.getRow()), cell.getTimestamp());
        }
      }
    }
    return found;
  }

  private static void collect(DeliConnection connection, TableName table) throws IOException {
    DeliAdmin admin = DeliAdmin.of(connection);
    Map<String, Long> before = entries(admin, table);
    admin.collect(table, ProgressListener.NONE);
    Map<String, Long> after = entries(admin, table);
    Map<String, Long> live = new TreeMap<>();
    for (String index : after.keySet()) {
      live.put(index, (long) scan(table, index, any -> true).size());
    }
    System.out.println("entries before " + before + ", after " + after);
    assertThat(after).isEqualTo(live);
    assertThat(before).isNotEqualTo(after);
  }

  private static Map<String, Long> entries(DeliAdmin admin, TableName table) throws IOException {
    Map<String, Long> entries = new TreeMap<>();
    for (var index : admin.list(table)) {
      entries.put(
          index.name(), admin.statistics(table, index.name(), 0, ProgressListener.NONE).entries());
    }
    return entries;
  }

  private static DeliConnection open() throws IOException {
    return MiniCluster.connect();
  }

  private static byte[] text(String value) {
    return Bytes.toBytes(value);
  }

  private static byte[] feet(long value) {
    return ValueType.LONG.parse(Long.toString(value));
  }
}
