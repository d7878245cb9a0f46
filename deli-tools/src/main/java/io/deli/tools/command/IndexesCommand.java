package io.deli.tools.command;

import io.deli.client.BuildProgress;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.index.IndexState;
import io.deli.index.IndexTableName;
import io.deli.tools.DeliCommand;
import io.deli.tools.Session;
import io.deli.tools.output.RowWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli indexes}. */
@Command(
    name = "indexes",
    description = "List the indexes of a table, or of all tables, or describe one.")
public final class IndexesCommand implements Callable<Integer> {
  /** Tells the name of the index table, where that is not only the index's. */
  private static final String GENERATION = "generation=";

  private static final List<String> COLUMNS =
      List.of(
          "table",
          "index",
          "column",
          "type",
          "tokenizer",
          "order",
          "strategy",
          "maintenance",
          "state",
          "options");

  @ParentCommand private DeliCommand deli;

  @Parameters(index = "0", arity = "0..1", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "One index of it.")
  private String name;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    RowWriter rows = null;
    try (Session session = deli.open()) {
      Map<TableName, List<IndexDefinition>> found = find(session);
      rows = format.writer(deli, "indexes", COLUMNS);
      for (Map.Entry<TableName, List<IndexDefinition>> of : found.entrySet()) {
        for (IndexDefinition index : of.getValue()) {
          rows.row(describe(of.getKey(), index, state(session, of.getKey(), index)));
        }
      }
      if (table == null) {
        for (TableName orphan : session.admin().orphans()) {
          rows.row(describe(orphan, found));
        }
      }
    }
    rows.end(Map.of());
    return 0;
  }

  private Map<TableName, List<IndexDefinition>> find(Session session) throws IOException {
    if (name != null) {
      TableName tableName = Names.table(table);
      return Map.of(tableName, List.of(session.admin().describe(tableName, name)));
    }
    if (table != null) {
      TableName tableName = Names.table(table);
      return Map.of(tableName, session.admin().list(tableName));
    }
    try (Admin admin = session.indexed().getAdmin()) {
      return admin.listTableDescriptors().stream()
          .collect(
              Collectors.toMap(
                  TableDescriptor::getTableName, IndexDefinitions::of, (a, b) -> a, TreeMap::new));
    }
  }

  /** One that is being built, or built anew beside what is read, with how far that is. */
  private static String state(Session session, TableName table, IndexDefinition index)
      throws IOException {
    Optional<BuildProgress> progress =
        index.state() == IndexState.BUILDING || index.isRebuilt()
            ? session.admin().buildProgress(table, index.name())
            : Optional.empty();
    return index.state()
        + progress
            .map(
                p ->
                    " (%s%d of %d ranges)"
                        .formatted(index.isRebuilt() ? "rebuilt: " : "", p.done(), p.ranges()))
            .orElse("");
  }

  /** What is left of an index, in the place where the index was. */
  private static List<?> describe(TableName left, Map<TableName, List<IndexDefinition>> found) {
    IndexTableName name = IndexTableName.readings(left).get(0);
    boolean superseded =
        found.getOrDefault(name.base(), List.of()).stream()
            .anyMatch(index -> index.name().equals(name.index()));
    Object[] row = new Object[COLUMNS.size()];
    row[COLUMNS.indexOf("table")] = name.base().getNameAsString();
    row[COLUMNS.indexOf("index")] = name.index();
    row[COLUMNS.indexOf("state")] = superseded ? "SUPERSEDED" : "ORPHANED";
    row[COLUMNS.indexOf("options")] = name.generation() > 1 ? GENERATION + name.generation() : null;
    return Arrays.asList(row);
  }

  private static List<?> describe(TableName table, IndexDefinition index, String state) {
    return Arrays.asList(
        table.getNameAsString(),
        index.name(),
        index.column().toString(),
        index.type().toString(),
        index.tokenizer(),
        index.order().toString(),
        index.strategy(),
        index.maintenance().toString(),
        state,
        Stream.concat(
                index.options().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(o -> o.getKey() + "=" + o.getValue()),
                Stream.of(index.generation())
                    .filter(generation -> generation > 1)
                    .map(generation -> GENERATION + generation))
            .reduce((a, b) -> a + " " + b)
            .orElse(null));
  }
}
