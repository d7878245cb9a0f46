package io.deli.tools.dashboard;

import io.deli.client.BuildProgress;
import io.deli.client.CollectedRegion;
import io.deli.client.DeliTable;
import io.deli.client.IndexStatistics;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.KeyColumn;
import io.deli.index.ValueType;
import io.deli.strategy.IndexDefinitions;
import io.deli.tools.Failure;
import io.deli.tools.Failures;
import io.deli.tools.Session;
import io.deli.tools.dashboard.Answers.Parameters;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Reads tables, their indexes, their regions and hits for the page, and notes what passes. */
record Overview(Session session, IndexHistory history) {
  private static final int SAMPLE = 1_000;
  private static final int MOST = 200;
  private static final Set<String> PASSING = Set.of("state", "built", "bytes", "collected");

  /** The tables with indexes, and these; only one table, if it is named. */
  Map<String, Object> tables(Parameters asked) throws IOException {
    String only = asked.get("table", "");
    List<Object> tables = new ArrayList<>();
    try (Admin admin = session.connection().getAdmin()) {
      for (TableDescriptor table : admin.listTableDescriptors()) {
        String name = table.getTableName().getNameAsString();
        if ((only.isEmpty() || only.equals(name)) && !IndexDefinitions.names(table).isEmpty()) {
          tables.add(tableOrError(admin, table));
        }
      }
    }
    return Map.of("tables", tables);
  }

  /** One that cannot be told of, or is dropped meanwhile, hides no other. */
  private Map<String, Object> tableOrError(Admin admin, TableDescriptor descriptor) {
    TableName name = descriptor.getTableName();
    try {
      return table(admin, name, IndexDefinitions.of(descriptor));
    } catch (IOException | InvalidIndexException e) {
      Map<String, Object> table = new LinkedHashMap<>();
      table.put("table", name.getNameAsString());
      table.put("indexes", List.of());
      table.put("error", Failures.explain(e).getMessage());
      return table;
    }
  }

  private Map<String, Object> table(Admin admin, TableName name, List<IndexDefinition> indexes)
      throws IOException {
    Map<String, Object> table = new LinkedHashMap<>();
    table.put("table", name.getNameAsString());
    List<CollectedRegion> regions = regions(admin, name);
    putSize(regions, table);
    List<Object> described = new ArrayList<>();
    for (IndexDefinition index : indexes) {
      Map<String, Object> facts = index(admin, name, index);
      waiting(regions).ifPresent(time -> facts.put("collected", time.toEpochMilli()));
      described.add(facts);
      Map<String, Object> passing = new LinkedHashMap<>(facts);
      passing.keySet().retainAll(PASSING);
      history.note(name.getNameAsString(), index.name(), passing);
    }
    table.put("indexes", described);
    return table;
  }

  private Map<String, Object> index(Admin admin, TableName table, IndexDefinition definition)
      throws IOException {
    Map<String, Object> index = new LinkedHashMap<>();
    index.put("index", definition.name());
    index.put("column", definition.columnNames());
    index.put("type", definition.typeNames());
    index.put("strategy", definition.strategy());
    index.put("maintenance", definition.maintenance().toString());
    index.put("state", definition.state().toString());
    if (definition.state() == IndexState.BUILDING || definition.isRebuilt()) {
      Optional<BuildProgress> progress = session.admin().buildProgress(table, definition.name());
      progress.ifPresent(
          done -> {
            index.put("progress", "%d of %d ranges".formatted(done.done(), done.ranges()));
            index.put("built", (double) done.done() / Math.max(1, done.ranges()));
          });
    }
    Optional<TableName> entries = IndexDefinitions.indexTable(table, definition);
    index.put("counted", entries.isPresent());
    if (entries.isPresent()) {
      putSize(regions(admin, entries.get()), index);
    }
    return index;
  }

  /** A table that is disabled has no regions on servers. */
  private List<CollectedRegion> regions(Admin admin, TableName table) throws IOException {
    return admin.tableExists(table) && admin.isTableEnabled(table)
        ? session.admin().regions(table)
        : List.of();
  }

  private static void putSize(List<CollectedRegion> regions, Map<String, Object> into) {
    if (!regions.isEmpty()) {
      into.put("regions", regions.size());
      into.put("bytes", regions.stream().mapToLong(CollectedRegion::bytes).sum());
    }
  }

  /** When the region that waits longest was collected; empty if one never was. */
  private static Optional<Instant> waiting(List<CollectedRegion> regions) {
    return regions.stream().allMatch(region -> region.compacted().isPresent())
        ? regions.stream()
            .flatMap(region -> region.compacted().stream())
            .min(Comparator.naturalOrder())
        : Optional.empty();
  }

  /** The passing facts of an index, over time. */
  Map<String, Object> history(Parameters asked) {
    return history.of(asked.get("table"), asked.get("index"));
  }

  /** Counts an index's entries, and checks a sample of them. */
  Map<String, Object> statistics(Parameters asked) throws IOException {
    IndexStatistics statistics =
        session
            .admin()
            .statistics(
                TableName.valueOf(asked.get("table")),
                asked.get("index"),
                SAMPLE,
                ProgressListener.NONE);
    history.note(
        asked.get("table"), asked.get("index"), Map.of("garbage", statistics.garbageRatio()));
    return Map.of(
        "entries", statistics.entries(),
        "sampled", statistics.sampled(),
        "stale", statistics.stale(),
        "garbageRatio", statistics.garbageRatio());
  }

  /** The regions of a table, and when each was last collected. */
  Map<String, Object> regions(Parameters asked) throws IOException {
    List<Object> regions = new ArrayList<>();
    for (CollectedRegion region : session.admin().regions(TableName.valueOf(asked.get("table")))) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("startKey", Texts.format(region.startKey()));
      row.put("server", region.server().getServerName());
      row.put("files", region.files());
      row.put("bytes", region.bytes());
      region.compacted().ifPresent(time -> row.put("compacted", time.toString()));
      regions.add(row);
    }
    return Map.of("regions", regions);
  }

  /** The hits of a query by value, with a limit. */
  Map<String, Object> hits(Parameters asked) throws IOException {
    TableName table = TableName.valueOf(asked.get("table"));
    IndexDefinition index = session.admin().describe(table, asked.get("index"));
    int limit = limit(asked.get("limit", "20"));
    ValueQuery query = condition(index, asked).limit(limit);
    List<Object> hits = new ArrayList<>();
    long begun = System.nanoTime();
    try (DeliTable rows = session.indexed().getTable(table);
        ValueScanner scanner = rows.readValue(query)) {
      for (Optional<ValueHit> hit = scanner.next(); hit.isPresent(); hit = scanner.next()) {
        hits.add(hit(index, hit.get()));
      }
    }
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
    return Map.of("hits", hits, "micros", micros, "limited", hits.size() == limit);
  }

  private static int limit(String text) {
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= MOST) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // No limit either.
    }
    throw Failure.usage("limit " + text + ": give a number from 1 to " + MOST);
  }

  private static ValueQuery condition(IndexDefinition index, Parameters asked) {
    ValueQuery.Target target = ValueQuery.on(index.name());
    byte[] value = Texts.encode(index.type(), asked.get("value"));
    String kind = asked.get("kind", "equal");
    return switch (kind) {
      case "equal" -> target.equalTo(value);
      case "prefix" -> target.prefix(value);
      case "atLeast" -> target.atLeast(value);
      case "atMost" -> target.atMost(value);
      case "between" -> target.between(value, Texts.encode(index.type(), asked.get("to")));
      default -> throw Failure.usage("there is no condition '" + kind + "'");
    };
  }

  /** As text: a number of a script has fewer digits than some of these. */
  private static Map<String, Object> hit(IndexDefinition index, ValueHit hit) {
    List<ValueType> types = index.columns().stream().map(KeyColumn::type).toList();
    return Map.of(
        "row", Texts.format(hit.row()),
        "value", String.valueOf(Texts.value(types, hit.value())),
        "timestamp", String.valueOf(hit.timestamp()));
  }
}
