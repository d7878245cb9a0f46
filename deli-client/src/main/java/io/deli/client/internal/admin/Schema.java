package io.deli.client.internal.admin;

import io.deli.client.ExistingRows;
import io.deli.index.Index;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.index.IndexTables;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.strategy.Retraction;
import io.deli.strategy.Strategies;
import io.deli.token.Tokenizers;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** The definitions in a base table's descriptor, and changes to them. */
public final class Schema {
  /** Loaded by region servers; named only, since the client does not depend on it. */
  static final String COPROCESSOR = "io.deli.coprocessor.DeliRegionObserver";

  /** A file with expired cells only must pass the coprocessor before it goes. */
  private static final String DELETE_EXPIRED_FILES = "hbase.store.delete.expired.storefile";

  private final Connection connection;

  public Schema(Connection connection) {
    this.connection = connection;
  }

  TableDescriptor descriptor(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getDescriptor(table);
    } catch (TableNotFoundException e) {
      throw new DoNotRetryIOException("table " + table + " does not exist: create it first", e);
    }
  }

  public List<IndexDefinition> definitions(TableName table) throws IOException {
    return IndexDefinitions.of(descriptor(table));
  }

  public IndexDefinition definition(TableName table, String index) throws IOException {
    List<IndexDefinition> all = definitions(table);
    return all.stream()
        .filter(definition -> definition.name().equals(index))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidIndexException(
                    "table %s has no index '%s'; it has %s"
                        .formatted(
                            table, index, all.stream().map(IndexDefinition::name).toList())));
  }

  /** Adds a definition, and the coprocessor if it is not there yet. */
  void add(TableName table, IndexDefinition definition, CoprocessorSource source)
      throws IOException {
    TableDescriptor current = descriptor(table);
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(current);
    IndexDefinitions.put(changed, definition);
    keepExpiredFiles(changed);
    if (!current.hasCoprocessor(COPROCESSOR)) {
      changed.setCoprocessor(source.descriptor());
    }
    modify(changed.build());
  }

  /**
   * Sets the coprocessor again if it was taken away, for regions must know of an index before
   * writers do.
   *
   * @throws DoNotRetryIOException if region servers should have maintained an index of the table
   *     meanwhile
   */
  public void attach(TableName table, IndexDefinition definition) throws IOException {
    TableDescriptor current = descriptor(table);
    if (current.hasCoprocessor(COPROCESSOR)) {
      return;
    }
    for (IndexDefinition each : IndexDefinitions.of(current)) {
      if (each.maintenance() == Maintenance.SERVER && each.state().maintained()) {
        throw new DoNotRetryIOException(
            "table %1$s lacks DELI's coprocessor, so index '%2$s', which region servers maintain, may lack rows: deli disable-index %1$s %2$s; then deli build %1$s %2$s, which sets it again"
                .formatted(table, each.name()));
      }
    }
    CoprocessorSource source = new CoprocessorSource(connection, COPROCESSOR);
    source.requireLoadable(Tokenizers.userClass(definition).map(Set::of).orElse(Set.of()));
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(current);
    keepExpiredFiles(changed);
    modify(changed.setCoprocessor(source.descriptor()).build());
  }

  /** Throws if the definition is not what a long operation took it for. */
  public void requireUnchanged(TableName table, IndexDefinition definition) throws IOException {
    requireThere(descriptor(table), definition);
  }

  private static void requireThere(TableDescriptor table, IndexDefinition definition)
      throws DoNotRetryIOException {
    if (!IndexDefinitions.of(table).contains(definition)) {
      throw new DoNotRetryIOException(
          "index '%s' of table %s was changed or dropped meanwhile"
              .formatted(definition.name(), table.getTableName()));
    }
  }

  /** Replaces a definition by one of that name; throws if it is not there any more. */
  public void replace(TableName table, IndexDefinition expected, IndexDefinition next)
      throws IOException {
    TableDescriptor current = descriptor(table);
    requireThere(current, expected);
    modify(IndexDefinitions.put(TableDescriptorBuilder.newBuilder(current), next).build());
  }

  /**
   * Has all regions of the table opened anew, and waits for that: then none of them goes by older
   * definitions than now. What a region was doing by them has ended, for it closes behind that.
   */
  public void reopen(TableName table) throws IOException {
    modify(descriptor(table));
  }

  /**
   * Removes the definition first, so that writers stop, and then the index table, if there is one.
   */
  public void drop(TableName table, IndexDefinition definition) throws IOException {
    boolean hasTable = hasTable(table, definition);
    remove(table, definition);
    if (hasTable) {
      deleteTable(IndexDefinitions.indexTable(table, definition.name()));
    }
  }

  /** Whether the table of an index is there. What only has its name is left to its owner. */
  public boolean hasTable(TableName table, IndexDefinition definition) throws IOException {
    Optional<TableName> indexTable = IndexDefinitions.indexTable(table, definition);
    if (indexTable.isEmpty()) {
      return false;
    }
    try (Admin admin = connection.getAdmin()) {
      // Beside a table that the index was not made for may be anything.
      return admin.tableExists(indexTable.get())
          && (definition.state().maintained()
              || IndexTables.isIndexTable(admin.getDescriptor(indexTable.get())));
    }
  }

  /** Throws if an index that should have a table has none. */
  public void requireTable(TableName table, IndexDefinition definition) throws IOException {
    if (IndexDefinitions.indexTable(table, definition).isPresent()
        && !hasTable(table, definition)) {
      throw new DoNotRetryIOException(
          "index '%s' of table %s has no index table: %sbuild it (deli build)"
              .formatted(
                  definition.name(),
                  table,
                  definition.state().maintained() ? "disable it (deli disable-index) and " : ""));
    }
  }

  /** Throws if an index has a table which was altered so that it loses entries. */
  public void requireKeeping(TableName table, IndexDefinition definition) throws IOException {
    if (!hasTable(table, definition)) {
      return;
    }
    TableDescriptor entries = descriptor(IndexDefinitions.indexTable(table, definition.name()));
    if (!IndexTables.keepsEntries(entries)) {
      throw new DoNotRetryIOException(
          "table %1$s, which holds index '%2$s' of table %3$s, was altered so that it loses entries: %4$sdeli build %3$s %2$s, which sets VERSIONS, TTL, KEEP_DELETED_CELLS, NEW_VERSION_BEHAVIOR and IS_MOB of its family and its DURABILITY back, and fills it anew"
              .formatted(
                  entries.getTableName(),
                  definition.name(),
                  table,
                  definition.state().maintained()
                      ? "deli disable-index %s %s; then ".formatted(table, definition.name())
                      : ""));
    }
  }

  /** Has the table of an index keep entries again, if it was altered; it is to be disabled. */
  public void strengthen(Index index) throws IOException {
    TableDescriptor entries = descriptor(index.table());
    if (!IndexTables.keepsEntries(entries)) {
      TableDescriptor made =
          IndexTables.descriptor(descriptor(index.baseTable()), index.definition());
      modify(IndexTables.keepingEntries(entries, made));
    }
  }

  /** Whether there is the table of an index which its base table does not have, or is gone. */
  public boolean isOrphan(TableName table, String index) throws IOException {
    TableName indexTable = IndexDefinitions.indexTable(table, index);
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(indexTable)
          && IndexTables.isIndexTable(admin.getDescriptor(indexTable))
          && (!admin.tableExists(table)
              || !IndexDefinitions.names(descriptor(table)).contains(index));
    }
  }

  /** Deletes an orphan's table, unless it proves to be that of an index which is just made. */
  public void deleteOrphan(TableName table, String index) throws IOException {
    TableName indexTable = IndexDefinitions.indexTable(table, index);
    try (Admin admin = connection.getAdmin()) {
      if (admin.isTableEnabled(indexTable)) {
        admin.disableTable(indexTable);
      }
      if (!isOrphan(table, index)) {
        // Not enabled again: if its base table came back from a snapshot, entries may be missing.
        throw new DoNotRetryIOException(
            "index '%s' of table %s was created meanwhile, and its table %s is disabled now: build it anew (deli disable-index, deli build), or drop it"
                .formatted(index, table, indexTable));
      }
      admin.deleteTable(indexTable);
    }
  }

  /**
   * The index tables whose base table is gone, or has no such index.
   *
   * @return by name
   */
  public List<TableName> orphans() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<TableDescriptor> all = admin.listTableDescriptors();
      Set<TableName> wanted =
          all.stream()
              .flatMap(
                  base ->
                      IndexDefinitions.names(base).stream()
                          .map(name -> IndexDefinitions.indexTable(base.getTableName(), name)))
              .collect(Collectors.toSet());
      return all.stream()
          .filter(IndexTables::isIndexTable)
          .map(TableDescriptor::getTableName)
          // A backup may have any name.
          .filter(name -> name.getQualifierAsString().contains("."))
          .filter(name -> !wanted.contains(name))
          .sorted()
          .toList();
    }
  }

  void remove(TableName table, IndexDefinition definition) throws IOException {
    TableDescriptor current = descriptor(table);
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(current);
    IndexDefinitions.remove(changed, definition.name());
    keepExpiredFiles(changed);
    if (IndexDefinitions.of(current).size() == 1) {
      changed.removeCoprocessor(COPROCESSOR);
    }
    modify(changed.build());
  }

  private static void keepExpiredFiles(TableDescriptorBuilder changed) {
    if (IndexDefinitions.of(changed.build()).stream().anyMatch(Schema::isCollected)) {
      changed.setValue(DELETE_EXPIRED_FILES, "false");
    } else {
      changed.removeValue(DELETE_EXPIRED_FILES);
    }
  }

  /** One that is unknown here may be. */
  private static boolean isCollected(IndexDefinition definition) {
    return Strategies.find(definition.strategy())
        .map(strategy -> strategy.retraction() == Retraction.AT_REWRITE)
        .orElse(true);
  }

  public void deleteTable(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(table)) {
        return;
      }
      if (admin.isTableEnabled(table)) {
        admin.disableTable(table);
      }
      admin.deleteTable(table);
    }
  }

  private void modify(TableDescriptor changed) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(changed);
    }
  }

  /** Refuses a table with rows unless the caller accepts that they stay unindexed. */
  public void requireNoRows(TableName table, String index, ExistingRows existingRows)
      throws IOException {
    if (existingRows != ExistingRows.REFUSE) {
      return;
    }
    Scan one = new Scan().setLimit(1).setCaching(1).setFilter(new FirstKeyOnlyFilter());
    try (Table rows = connection.getTable(table);
        ResultScanner scanner = rows.getScanner(one)) {
      if (scanner.next() != null) {
        throw new DoNotRetryIOException(
            ("table %s has rows that index '%s' would not find: have it built (%s), or accept that"
                    + " rows stay unindexed until they are next written (%s)")
                .formatted(table, index, ExistingRows.BUILD, ExistingRows.LEAVE_UNINDEXED));
      }
    }
  }
}
