package io.deli.tools.command;

import io.deli.client.BuildReport;
import io.deli.client.CreateIndexOptions;
import io.deli.client.ExistingRows;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.strategy.Strategies;
import io.deli.token.Tokenizers;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "create-index",
    description = "Create an index on a column of a table, or on several.",
    footer = {
      "",
      "Examples:",
      "  deli create-index airports by_country d:country",
      "  deli create-index airports by_altitude d:altitude --type LONG",
      "  deli create-index airports by_name d:name --tokenizer prefix",
      "  deli create-index airports newest d:source --order BY_TIME",
      "  deli create-index airports open_by_city d:city --where d:state=open",
      "  deli create-index airports by_city d:city --build",
      "  deli create-index airports by_place d:country d:altitude --type STRING,LONG"
    })
public final class CreateIndexCommand extends Subcommand {
  /** Each strategy, and what to choose it for. */
  static final class Purposes implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Strategies.all().stream()
          .map(strategy -> "%s (%s)".formatted(strategy.name(), strategy.purpose()))
          .iterator();
    }
  }

  @Mixin private Arguments.OfIndex index;

  @Parameters(
      index = "2..*",
      arity = "1..*",
      paramLabel = "COLUMN",
      description =
          "family:qualifier; of several, entries are in the order of the first, then of the next.")
  private List<String> columns = List.of();

  @Option(
      names = "--type",
      split = ",",
      paramLabel = "TYPE",
      defaultValue = "STRING",
      description =
          "How the column's values are encoded: ${COMPLETION-CANDIDATES}"
              + " (default: ${DEFAULT-VALUE}); of several columns, one for all or one for each.")
  private List<ValueType> types = List.of();

  @Option(
      names = "--descending",
      paramLabel = "COLUMN",
      description = "Of several columns, one whose greater values come first.")
  private List<String> descending = List.of();

  @Option(
      names = "--tokenizer",
      defaultValue = Tokenizers.EXACT,
      paramLabel = "NAME",
      description = "exact, prefix or the name of a class (default: ${DEFAULT-VALUE}).")
  private String tokenizer;

  @Option(
      names = "--order",
      defaultValue = "BY_KEY",
      description =
          "Order of the entries of one value: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}). With BY_TIME the most recent ones come first.")
  private EntryOrder order;

  @Option(
      names = "--strategy",
      defaultValue = IndexDefinition.DEFAULT_STRATEGY,
      paramLabel = "NAME",
      completionCandidates = Purposes.class,
      description =
          "How the index is kept (default: ${DEFAULT-VALUE}), and for what:"
              + " ${COMPLETION-CANDIDATES}.")
  private String strategy;

  @Option(
      names = "--maintenance",
      defaultValue = "CLIENT",
      description =
          "Who keeps the index: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). With SERVER"
              + " any writer may write, whether it knows DELI or not.")
  private Maintenance maintenance;

  @Option(
      names = "--buckets",
      paramLabel = "N",
      description =
          "Divide the index table into 2 to 256 buckets by a hash of the row key, for values that"
              + " grow with time; a lookup asks all of them.")
  private String buckets;

  @Option(
      names = "--where",
      paramLabel = "COLUMN=VALUE",
      description =
          "Index only rows in which another column of the family has this value. A query says so by"
              + " --and COLUMN=VALUE, and writes put both columns at once.")
  private String where;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description =
          "Option of the tokenizer, such as prefix.length=12, or of strategy deferred: versions=1"
              + " refuses versions(m) and asOf(t), so that readers may remove the entries of"
              + " superseded versions.")
  private Map<String, String> options = Map.of();

  @Option(
      names = "--split",
      split = ",",
      paramLabel = "VALUE",
      description = "Values at which the index table is split from the start.")
  private List<String> splits = List.of();

  @Option(
      names = "--leave-existing-unindexed",
      description =
          "Accept a table that has rows: the index does not find them until they are next"
              + " written.")
  private boolean leaveExisting;

  @Option(
      names = "--build",
      description = "Build the index, if the table has rows, while it is in use; see 'deli build'.")
  private boolean build;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "With --build: regions of the index table from the start, split by a sample of the rows"
              + " (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Mixin private BuildSettings building;

  @Override
  public Integer call() throws IOException {
    Failure.ifBoth("--build", build, "--leave-existing-unindexed", leaveExisting);
    if (regions < 1 || (regions > 1 && !build)) {
      throw Failure.usage("--regions " + regions + ": give at least 1, more with --build only");
    }
    if (!building.given().isEmpty() && !build) {
      throw Failure.usage(building.given().get(0) + " is for a build: give --build, too");
    }
    building.check(deli);
    TableName table = index.table();
    String name = index.name();
    IndexDefinition definition = definition();
    requireTable(definition);
    building.requireFit(definition);
    CreateIndexOptions creation =
        CreateIndexOptions.DEFAULT
            .withSplits(splits.stream().map(this::encode).toList())
            .withExistingRows(existingRows())
            .withRegions(regions);
    Optional<BuildReport> report = Optional.empty();
    try (Session session = deli.open()) {
      session.admin().createIndex(table, restricted(session, definition), creation);
      if (session.admin().describe(table, name).state() == IndexState.BUILDING) {
        report = Optional.of(building.build(deli, session.admin(), table, name));
      }
    }
    Map<String, Object> facts = new HashMap<>();
    facts.put("table", table.getNameAsString());
    facts.put("index", name);
    report.ifPresent(done -> facts.put("refused", done.refused()));
    String built = report.map(done -> ", built of %d rows".formatted(done.rows())).orElse("");
    deli.done(
        "created index %s on %s, column %s%s"
            .formatted(name, table, definition.columnNames(), built),
        facts);
    return report.map(done -> BuildSettings.warn(deli, done)).orElse(ExitCode.OK);
  }

  /** Refuses options for the index's table if it has none. */
  private void requireTable(IndexDefinition definition) {
    List<String> given = new ArrayList<>(building.given());
    if (regions > 1) {
      given.add("--regions");
    }
    boolean none =
        Strategies.find(definition.strategy()).filter(each -> !each.keepsTable()).isPresent();
    if (none && !given.isEmpty()) {
      throw Failure.usage(
          "%s does not apply to strategy '%s', which has no index table: leave it out"
              .formatted(given.get(0), definition.strategy()));
    }
  }

  private ExistingRows existingRows() {
    if (build) {
      return ExistingRows.BUILD;
    }
    return leaveExisting ? ExistingRows.LEAVE_UNINDEXED : ExistingRows.REFUSE;
  }

  private IndexDefinition definition() {
    try {
      IndexDefinition definition =
          IndexDefinition.on(
                  index.name(), columns.stream().map(Column::parse).toArray(Column[]::new))
              .withType(types.toArray(ValueType[]::new))
              .withTokenizer(tokenizer)
              .withStrategy(strategy)
              .withOrder(order)
              .withMaintenance(maintenance);
      for (String column : descending) {
        definition = definition.withDescending(Column.parse(column));
      }
      if (buckets != null) {
        definition = definition.withOption(IndexDefinition.BUCKETS, buckets);
      }
      if (where != null) {
        // Checked before HBase is asked; restricted() adds it, by what the table's indexes say.
        whereColumn();
      }
      for (Map.Entry<String, String> option : options.entrySet()) {
        definition = definition.withOption(option.getKey(), option.getValue());
      }
      return definition;
    } catch (InvalidIndexException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private Column whereColumn() {
    int equals = where.indexOf('=');
    if (equals < 0) {
      throw Failure.usage("--where " + where + ": write family:qualifier=value");
    }
    return Column.parse(where.substring(0, equals));
  }

  /** Adds the condition of {@code --where}, its value encoded as writes of its column are. */
  private IndexDefinition restricted(Session session, IndexDefinition definition)
      throws IOException {
    if (where == null) {
      return definition;
    }
    Column column = whereColumn();
    ColumnTypes types = new ColumnTypes(session.table(index.table()), null, Map.of());
    return definition.withCondition(
        column, types.encode(column, where.substring(where.indexOf('=') + 1)));
  }

  private byte[] encode(String split) {
    try {
      return Texts.encode(types.get(0), split);
    } catch (InvalidIndexException e) {
      throw Failure.usage("--split " + split + ": " + e.getMessage());
    }
  }
}
