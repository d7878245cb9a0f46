package io.deli.tools.demo;

import io.deli.client.CollectReport;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.Finding.Kind;
import io.deli.client.IndexStatistics;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.token.Tokenizers;
import io.deli.tools.Failure;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Shows on one table what DELI does, and checks every answer against a plain scan. */
public record Demo(Terminal terminal, DeliConnection connection, TableName table, Steps steps) {
  /** Of all versions; the updates make one more than that of a third of the rows. */
  private static final int VERSIONS = 2;

  private static final int SAMPLE = 2_000;

  private static final List<IndexDefinition> INDEXES =
      List.of(
          index("by_country", "country"),
          index("by_city", "city").withTokenizer(Tokenizers.PREFIX),
          index("by_altitude", "altitude").withType(ValueType.LONG),
          index("by_status", "status").withOrder(EntryOrder.BY_TIME));

  private DeliAdmin admin() {
    return DeliAdmin.of(connection);
  }

  /**
   * Runs all of it.
   *
   * @throws Failure if an answer differs from that of the plain scan, or garbage is left
   */
  public void run() throws IOException {
    List<Airport> airports = Airports.generated();
    steps.run("create a table that keeps 2 versions, and 4 indexes", this::create);
    steps.run("load %,d airports".formatted(airports.size()), () -> write(airports, "rows loaded"));
    List<Airport> third = third(airports);
    long then = update(third);
    Interrogation interrogation =
        new Interrogation(terminal, connection, table, Questions.all(then));
    steps.run("ask one question of each kind", () -> interrogation.run(true));
    Map<String, IndexStatistics> before = new TreeMap<>();
    steps.run("look for garbage", () -> survey(before));
    steps.run(
        "collect it: flush and compact",
        () -> {
          CollectReport report = admin().collect(table, ProgressListener.NONE);
          return "%d ms for the table and the deletes, %d ms for the indexes"
              .formatted(report.base().toMillis(), report.indexes().toMillis());
        });
    Map<String, IndexStatistics> after = new TreeMap<>();
    steps.run("look for garbage again", () -> survey(after));
    show(before, after);
    steps.run("ask the same questions again", () -> interrogation.run(false));
  }

  public void drop() throws IOException {
    for (IndexDefinition index : INDEXES) {
      admin().dropIndex(table, index.name());
    }
    try (Admin hbase = connection.getAdmin()) {
      hbase.disableTable(table);
      hbase.deleteTable(table);
    }
  }

  private String create() throws IOException {
    try (Admin hbase = connection.getAdmin()) {
      if (hbase.tableExists(table)) {
        throw Failure.of("table " + table + " exists already: drop it, or choose another --table");
      }
      hbase.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(Airport.FAMILY))
                      .setMaxVersions(VERSIONS)
                      .build())
              .build());
    }
    for (IndexDefinition index : INDEXES) {
      admin().createIndex(table, index);
    }
    return "by_country, by_city (prefixes), by_altitude (numbers), by_status (newest first)";
  }

  private String write(List<Airport> airports, String what) throws IOException {
    long start = System.nanoTime();
    try (BufferedMutator rows = connection.getBufferedMutator(table)) {
      for (Airport airport : airports) {
        rows.mutate(airport.put());
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return "%,d %s, %,.0f rows/s".formatted(airports.size(), what, airports.size() / seconds);
  }

  private static List<Airport> third(List<Airport> airports) {
    List<Airport> third = new ArrayList<>();
    for (int i = 0; i < airports.size(); i += 3) {
      third.add(airports.get(i));
    }
    return third;
  }

  /** Updates the rows twice and returns a time between. */
  private long update(List<Airport> third) throws IOException {
    List<Airport> first = third.stream().map(airport -> airport.surveyed(1)).toList();
    List<Airport> second = first.stream().map(airport -> airport.surveyed(2)).toList();
    steps.run("update a third of them", () -> write(first, "rows updated"));
    long then = System.currentTimeMillis();
    while (System.currentTimeMillis() == then) {
      Thread.onSpinWait();
    }
    steps.run("update the same third again", () -> write(second, "rows updated"));
    return then;
  }

  private String survey(Map<String, IndexStatistics> found) throws IOException {
    long entries = 0;
    long stale = 0;
    for (IndexDefinition index : INDEXES) {
      IndexStatistics statistics =
          admin().statistics(table, index.name(), SAMPLE, ProgressListener.NONE);
      found.put(index.name(), statistics);
      entries += statistics.entries();
      stale += statistics.stale();
    }
    return "%,d entries; in samples of %,d each: %,d stale".formatted(entries, SAMPLE, stale);
  }

  private void show(Map<String, IndexStatistics> before, Map<String, IndexStatistics> after)
      throws IOException {
    Map<String, Long> live = new TreeMap<>();
    for (IndexDefinition index : INDEXES) {
      live.put(index.name(), live(index.name()));
    }
    terminal.print("");
    terminal.table(
        List.of("index", "entries before", "stale", "entries after", "live"),
        before.entrySet().stream()
            .map(
                index ->
                    List.of(
                        index.getKey(),
                        index.getValue().entries(),
                        "%.0f %%".formatted(100 * index.getValue().garbageRatio()),
                        after.get(index.getKey()).entries(),
                        live.get(index.getKey())))
            .toList());
    live.forEach(
        (name, entries) -> {
          if (after.get(name).entries() != entries) {
            throw Failure.of(
                "index %s holds %,d entries after collection, but %,d versions are live"
                    .formatted(name, after.get(name).entries(), entries));
          }
        });
  }

  /** Entries that a version justifies; all that there should be. */
  private long live(String index) throws IOException {
    VerifyReport report =
        admin().verify(table, index, VerifyOptions.DEFAULT, ProgressListener.NONE);
    if (!report.isClean()) {
      throw Failure.of("index %s is damaged: %s".formatted(index, report.found()));
    }
    return report.entries() - report.count(Kind.OBSOLETE) - report.count(Kind.DANGLING);
  }

  private static IndexDefinition index(String name, String qualifier) {
    return IndexDefinition.on(name, Column.parse(Airport.FAMILY + ":" + qualifier))
        .withType(ValueType.STRING);
  }
}
