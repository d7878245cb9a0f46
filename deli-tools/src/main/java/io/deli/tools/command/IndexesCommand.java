package io.deli.tools.command;

import io.deli.client.BuildProgress;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.IndexTableName;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.IndexDefinitions;
import io.deli.tools.ExitCode;
import io.deli.tools.Failures;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.RowWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "indexes",
    description = "List the indexes of a table, or of all tables, or describe one.")
public final class IndexesCommand extends Subcommand {
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

  @Parameters(index = "0", arity = "0..1", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "One index of it.")
  private String name;

  @Mixin private FormatOption format;

  private final List<List<?>> found = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    try (Session session = deli.open()) {
      if (table == null) {
        findAll(session);
      } else {
        TableName of = Names.table(table);
        add(
            session,
            session.table(of),
            name == null ? session.admin().list(of) : List.of(session.admin().describe(of, name)));
      }
    }
    RowWriter rows = format.writer(deli, "indexes", COLUMNS);
    found.forEach(rows::row);
    rows.end(Map.of());
    failures.forEach(deli.terminal()::say);
    return failures.isEmpty() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  /** A table that cannot be told of, or is dropped meanwhile, hides no other. */
  private void findAll(Session session) throws IOException {
    Map<TableName, TableDescriptor> tables = new TreeMap<>();
    try (Admin admin = session.indexed().getAdmin()) {
      admin.listTableDescriptors().forEach(each -> tables.put(each.getTableName(), each));
    }
    for (TableDescriptor each : tables.values()) {
      try {
        add(session, each, IndexDefinitions.of(each));
      } catch (TableNotFoundException e) {
        // It was dropped meanwhile.
      } catch (IOException | InvalidIndexException e) {
        failures.add("deli indexes: " + Failures.explain(e).getMessage());
        for (String index : IndexDefinitions.names(each)) {
          found.add(describe(each.getTableName(), index, "UNREADABLE", null));
        }
      }
    }
    for (TableName orphan : session.admin().orphans()) {
      found.add(describe(orphan, tables));
    }
  }

  private void add(Session session, TableDescriptor table, List<IndexDefinition> indexes)
      throws IOException {
    ColumnTypes types = new ColumnTypes(table, null, Map.of());
    TableName of = table.getTableName();
    List<List<?>> rows = new ArrayList<>();
    for (IndexDefinition index : indexes) {
      rows.add(describe(of, types.readable(index), state(session, of, index)));
    }
    found.addAll(rows);
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

  /** Describes an index table whose index is gone, in the place of the index. */
  private static List<?> describe(TableName left, Map<TableName, TableDescriptor> tables) {
    IndexTableName name = IndexTableName.readings(left).get(0);
    TableDescriptor base = tables.get(name.base());
    boolean superseded = base != null && IndexDefinitions.names(base).contains(name.index());
    return describe(
        name.base(),
        name.index(),
        superseded ? "SUPERSEDED" : "ORPHANED",
        name.generation() > 1 ? GENERATION + name.generation() : null);
  }

  private static List<?> describe(TableName of, String index, String state, String options) {
    String table = of.getNameAsString();
    return Arrays.asList(table, index, null, null, null, null, null, null, state, options);
  }

  private static List<?> describe(TableName table, IndexDefinition index, String state) {
    return Arrays.asList(
        table.getNameAsString(),
        index.name(),
        index.columnNames(),
        index.typeNames(),
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
