package io.deli.coprocessor.internal.index;

import io.deli.coprocessor.spi.Contained;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.service.OutdatedDefinitionException;
import io.deli.service.RegionService;
import io.deli.service.TokenScan;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The indexes of a table by column family, as far as they can be understood here. Immutable.
 *
 * <p>What cannot be understood is never dropped: a definition that cannot be read, of a newer DELI
 * perhaps, makes any column a possibly indexed one, and the versions of an index whose tokenizer
 * cannot be loaded stay until it can be. Nor is anything written without the entries that a region
 * server should write and cannot. Only an index of another table, whose definition a snapshot
 * brought, keeps nothing, for it has no entries of this one, nor a table here.
 */
public final class TableIndexes {
  private static final String KEPT =
      "; until this is cured, versions that it may index are kept when they should go";

  private final Map<String, Index> byName = new TreeMap<>();

  /** To put one together would take a twentieth of a lookup. */
  private final Map<String, String> tokenSources = new HashMap<>();

  private final Map<byte[], FamilyIndexes> byFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  private final List<Index> serverMaintained = new ArrayList<>();
  private final Map<Column, String> unmaintainable = new HashMap<>();
  private final Map<String, String> unusable = new HashMap<>();
  private final TableName table;
  private final boolean indexesFiles;

  private TableIndexes(TableName table, boolean indexesFiles) {
    this.table = table;
    this.indexesFiles = indexesFiles;
  }

  /**
   * Reads a table's definitions.
   *
   * @param indexesFiles whether this server can keep indexes in the table's files
   * @param problems is told what cannot be used here
   */
  public static TableIndexes of(
      TableDescriptor table, boolean indexesFiles, Consumer<String> problems) {
    TableIndexes indexes = new TableIndexes(table.getTableName(), indexesFiles);
    List<IndexDefinition> definitions;
    try {
      definitions = IndexDefinitions.of(table);
    } catch (InvalidIndexException e) {
      problems.accept(e.getMessage() + KEPT);
      IndexDefinitions.names(table).forEach(name -> indexes.unusable.put(name, e.getMessage()));
      for (byte[] family : table.getColumnFamilyNames()) {
        indexes.byFamily.put(family, new FamilyIndexes(List.of(), List.of(), true));
      }
      for (Column column : IndexDefinitions.serverMaintainedColumns(table)) {
        indexes.unmaintainable.put(column, e.getMessage());
      }
      return indexes;
    }
    definitions.forEach(definition -> indexes.add(table, definition, problems));
    indexes.keepTogether();
    return indexes;
  }

  private void add(TableDescriptor table, IndexDefinition definition, Consumer<String> problems) {
    Contained.quietly(
        () -> add(Index.of(table.getTableName(), definition), problems),
        e -> {
          String problem =
              e instanceof InvalidIndexException
                  ? e.getMessage()
                  : "index '%s' cannot be used here: %s".formatted(definition.name(), e);
          unusable.put(definition.name(), problem);
          if (definition.state() == IndexState.DETACHED) {
            problems.accept(problem);
            return;
          }
          problems.accept(problem + KEPT);
          definition
              .columns()
              .forEach(each -> family(each.column()).unresolved().add(each.column()));
          if (isServerMaintained(definition)) {
            definition.columns().forEach(each -> unmaintainable.put(each.column(), problem));
          }
        });
  }

  private void add(Index index, Consumer<String> problems) {
    if (!indexesFiles && index.strategy().fileIndexing() != FileIndexing.NONE) {
      // It has no entries that would have to outlast what they lead to.
      String missing = FileIndexing.missing(table, index.definition(), "on this region server");
      problems.accept(missing);
      unusable.put(index.name(), missing);
      return;
    }
    IndexDefinition definition = index.definition();
    byName.put(index.name(), index);
    tokenSources.put(index.name(), definition.tokenSource());
    if (isServerMaintained(definition)) {
      serverMaintained.addAll(index.generations());
    }
    if (definition.state() == IndexState.DETACHED) {
      return;
    }
    switch (index.strategy().retraction()) {
      case AT_REWRITE -> family(index.column()).indexes().addAll(index.generations());
      case AT_DELETE, AT_WRITE -> family(index.column()).retracted().addAll(index.columns());
      default -> {}
    }
  }

  /** Notes companions in families whose rewrites keep versions that others would drop. */
  private void keepTogether() {
    for (Index index : byName.values()) {
      List<Column> columns = index.columns();
      if (columns.size() > 1) {
        of(columns.get(0).family())
            .filter(family -> !family.collectsNothing())
            .ifPresent(family -> family.companions().addAll(columns));
      }
    }
  }

  private static boolean isServerMaintained(IndexDefinition definition) {
    return definition.maintenance() == Maintenance.SERVER && definition.state().maintained();
  }

  private FamilyIndexes family(Column column) {
    return byFamily.computeIfAbsent(
        column.family(),
        f ->
            new FamilyIndexes(
                new ArrayList<>(), new ArrayList<>(), false, new ArrayList<>(), new ArrayList<>()));
  }

  /**
   * The index of that name.
   *
   * @throws DoNotRetryIOException if there is none, or it cannot be used here
   */
  public Index named(String name) throws DoNotRetryIOException {
    Index index = byName.get(name);
    if (index == null) {
      throw new DoNotRetryIOException(
          "table %s has no index '%s' that can be used here: %s"
              .formatted(
                  table,
                  name,
                  unusable.getOrDefault(
                      name, "when this region was opened, it had " + byName.keySet())));
    }
    return index;
  }

  /**
   * The index whose entries are looked into.
   *
   * @throws DoNotRetryIOException if there is none, it cannot be used here, or another generation
   *     of it is read by now
   */
  public Index of(RegionService.Entries entries) throws DoNotRetryIOException {
    Index index = named(entries.index());
    if (index.definition().generation() != entries.generation()) {
      throw new DoNotRetryIOException(
          "index '%s' of table %s was rebuilt or created again while it was swept: collect again"
              .formatted(index.name(), index.baseTable()));
    }
    return index;
  }

  /**
   * The index that a scan asks for.
   *
   * @throws OutdatedDefinitionException if the client takes it for another
   * @throws DoNotRetryIOException if there is none of the name, or it cannot be used here
   */
  public Index asked(TokenScan scan) throws DoNotRetryIOException {
    Index index = named(scan.index());
    String source = tokenSources.get(index.name());
    if (!scan.isOf(source)) {
      throw new OutdatedDefinitionException(
          "index '%s' of table %s is not of '%s', but of '%s'"
              .formatted(index.name(), table, scan.tokenSource().orElseThrow(), source));
    }
    return index;
  }

  /** The indexes whose entries the regions write, one for each generation. */
  public List<Index> serverMaintained() {
    return Collections.unmodifiableList(serverMaintained);
  }

  /**
   * The maintained indexes that may have lost the entries of superseded versions, by column, one
   * for each generation. Excludes columns with an index that cannot be used here, of which nothing
   * is collected, and indexes on several columns, whose single versions nobody deletes.
   */
  public Map<Column, List<Index>> forgetful() {
    return byName.values().stream()
        .filter(index -> index.strategy().retraction().forgetsSuperseded())
        .filter(index -> index.definition().state().maintained())
        .filter(index -> !index.key().areJoined())
        .filter(
            index ->
                of(index.column().family())
                    .filter(family -> family.hasUnresolved(index.column()))
                    .isEmpty())
        .flatMap(index -> index.generations().stream())
        .collect(Collectors.groupingBy(Index::column));
  }

  /** The maintained indexes on several columns that have entries. */
  public List<Index> joined() {
    return byName.values().stream()
        .filter(index -> index.key().areJoined() && index.strategy().keepsTable())
        .filter(index -> index.definition().state().maintained())
        .toList();
  }

  /** The columns with indexes whose entries the regions should write and cannot, and why. */
  public Map<Column, String> unmaintainable() {
    return Collections.unmodifiableMap(unmaintainable);
  }

  /** All that can be used here. */
  public Collection<Index> usable() {
    return Collections.unmodifiableCollection(byName.values());
  }

  /** Whether an index may have a table: one that is not understood may. */
  public boolean mayHaveTables() {
    return !unusable.isEmpty()
        || byName.values().stream().anyMatch(index -> index.strategy().keepsTable());
  }

  /** The indexes whose garbage rewrites of the family collect; empty if there are none. */
  public Optional<FamilyIndexes> of(byte[] family) {
    return Optional.ofNullable(byFamily.get(family));
  }
}
