package io.deli.client.internal.admin;

import com.google.protobuf.Message;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.client.internal.PossibleIndexTables;
import io.deli.client.internal.RegionClient;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.service.RegionService;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.strategy.Retraction;
import io.deli.strategy.Strategies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** The definitions in a base table's descriptor, and changes to them. */
public final class Schema {
  /** The observer's class name; the client does not depend on the class. */
  static final String COPROCESSOR = "io.deli.coprocessor.DeliRegionObserver";

  /** A file with expired cells only must pass the coprocessor before it goes. */
  private static final String DELETE_EXPIRED_FILES = "hbase.store.delete.expired.storefile";

  private final Connection connection;
  private final IndexGenerations entries;

  public Schema(Connection connection) {
    this.connection = connection;
    this.entries = new IndexGenerations(connection);
  }

  public TableDescriptor descriptor(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getDescriptor(table);
    } catch (TableNotFoundException e) {
      throw new DoNotRetryIOException("table " + table + " does not exist. Create it first.", e);
    }
  }

  public List<IndexDefinition> definitions(TableName table) throws IOException {
    return IndexDefinitions.of(descriptor(table));
  }

  public IndexDefinition definition(TableName table, String index) throws IOException {
    TableDescriptor current = descriptor(table);
    return IndexDefinitions.named(current, index)
        .orElseThrow(
            () ->
                new InvalidIndexException(
                    "table %s has no index '%s'. Its indexes are %s."
                        .formatted(table, index, IndexDefinitions.names(current))));
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
   * Sets the coprocessor unless it is there, for regions must know of an index before writers do.
   *
   * @return whether it was not
   * @throws DoNotRetryIOException if region servers should have maintained an index of the table
   *     meanwhile
   */
  public boolean attach(TableName table, IndexDefinition definition) throws IOException {
    TableDescriptor current = descriptor(table);
    if (current.hasCoprocessor(COPROCESSOR)) {
      return false;
    }
    requireMaintained(current);
    CoprocessorSource source = new CoprocessorSource(connection);
    source.requireLoadable(table, definition);
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(current);
    keepExpiredFiles(changed);
    modify(changed.setCoprocessor(source.descriptor()).build());
    return true;
  }

  /**
   * Throws if region servers should have maintained an index of the table, which lacks the
   * coprocessor: nobody would know of the missing rows once it is set again.
   */
  static void requireMaintained(TableDescriptor table) throws DoNotRetryIOException {
    if (table.hasCoprocessor(COPROCESSOR)) {
      return;
    }
    for (IndexDefinition each : IndexDefinitions.of(table)) {
      if (each.maintenance() == Maintenance.SERVER && each.state().maintained()) {
        throw new DoNotRetryIOException(
            "table %1$s lacks DELI's coprocessor, so index '%2$s', which region servers maintain, may lack rows. Run deli disable-index %1$s %2$s; then deli build %1$s %2$s, which attaches the coprocessor."
                .formatted(table.getTableName(), each.name()));
      }
    }
  }

  /** Throws if the definition is not what a long operation took it for. */
  public void requireUnchanged(TableName table, IndexDefinition definition) throws IOException {
    requireThere(descriptor(table), definition);
  }

  private static void requireThere(TableDescriptor table, IndexDefinition definition)
      throws DoNotRetryIOException {
    if (!IndexDefinitions.of(table).contains(definition)) {
      throw new DoNotRetryIOException(
          "index '%s' of table %s was changed or dropped by another process"
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
   * Takes an index into use that is maintained, and not read, if the table has no rows yet, or they
   * are accepted: until all regions knew the index, they may have taken rows without its entries.
   * Permissions and labels may hide rows from the caller's scans, so that the regions are asked.
   *
   * @throws DoNotRetryIOException if it has rows, or the cluster refuses; the index stays as it is
   */
  public void activate(TableName table, IndexDefinition unread, ExistingRows existingRows)
      throws IOException {
    try {
      if (existingRows == ExistingRows.REFUSE) {
        requireEmptyRegions(table, unread.name());
      }
      replace(table, unread, unread.withState(IndexState.ACTIVE));
    } catch (IOException e) {
      throw new DoNotRetryIOException(
          "index '%s' of table %s is maintained, but not read yet: %s. Build it (deli build)."
              .formatted(unread.name(), table, e.getMessage()),
          e);
    }
  }

  /**
   * Reopens all regions of the table and waits, so that none uses older definitions. A region
   * closes only when its operations under way have ended.
   */
  public void reopen(TableName table) throws IOException {
    modify(descriptor(table));
  }

  /**
   * Stops reads of an index before anything of it is removed. Writers maintain it for one more
   * lease, since readers may use older definitions for so long; also if it is not readable any
   * more, since the process that published that may have died before regions or readers noticed.
   *
   * @param others whether readers may know another generation than the definition's
   * @return the definition as it is now, with which nobody reads
   */
  private IndexDefinition withoutReaders(
      TableName table, IndexDefinition definition, boolean others) throws IOException {
    IndexDefinition unread = definition;
    if (definition.state().maintained() && mayBeRead(table, definition)) {
      unread = definition.withState(IndexState.BUILDING);
      replace(table, definition, unread);
    } else if (!others) {
      return definition;
    }
    DefinitionLease.of(connection)
        .await("waiting for readers to leave index " + definition.name(), ProgressListener.NONE);
    return unread;
  }

  /** Whether a reader that has not heard of anything may find entries, of any generation. */
  private boolean mayBeRead(TableName table, IndexDefinition definition) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (TableName each : tables(table, definition)) {
        // While it is being disabled or enabled, some of its regions are open.
        if (!admin.isTableDisabled(each)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Whether readers find all entries. */
  boolean isUsable(TableName table, IndexDefinition definition) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return hasTable(table, definition)
          && admin.isTableEnabled(IndexDefinitions.indexTable(table, definition).orElseThrow());
    }
  }

  /** Disables an index. What its builds have left is the caller's to delete. */
  public void disable(TableName table, IndexDefinition definition) throws IOException {
    IndexDefinition unread = withoutReaders(table, definition, false);
    replace(table, unread, definition.at(definition.generation()).withState(IndexState.DISABLED));
  }

  /** Removes the definition, so that writers stop, and then the tables, if there are any. */
  public void drop(TableName table, IndexDefinition definition) throws IOException {
    // A snapshot's descriptor does not remember the later ones, whose numbers are given out again.
    boolean later = entries.hasUnnamed(table, definition.name());
    IndexDefinition unread = withoutReaders(table, definition, later);
    List<TableName> former = tables(table, definition);
    remove(table, unread);
    entries.deleteSuperseded(table, definition.name(), former);
  }

  /** Deletes the tables that an earlier definition named and the present one does not. */
  public void deleteSuperseded(TableName table, IndexDefinition earlier) throws IOException {
    entries.deleteSuperseded(table, earlier.name(), tables(table, earlier));
  }

  private List<TableName> tables(TableName table, IndexDefinition definition) throws IOException {
    List<TableName> tables = new ArrayList<>();
    for (IndexDefinition generation : definition.generations()) {
      if (hasTable(table, generation)) {
        tables.add(IndexDefinitions.indexTable(table, generation).orElseThrow());
      }
    }
    return tables;
  }

  /** Whether the table that is read is there. What only has its name is left to its owner. */
  public boolean hasTable(TableName table, IndexDefinition definition) throws IOException {
    Optional<TableName> indexTable = IndexDefinitions.indexTable(table, definition);
    try (Admin admin = connection.getAdmin()) {
      // Beside a table that the index was not made for may be anything.
      return indexTable.isPresent()
          && admin.tableExists(indexTable.get())
          && (definition.state().maintained()
              || IndexTables.isIndexTable(admin.getDescriptor(indexTable.get())));
    }
  }

  /** Throws if an index that is in use has no table, or one that cannot be read. */
  public void requireUsable(TableName table, IndexDefinition definition) throws IOException {
    requireTable(table, definition);
    if (!isUsable(table, definition)) {
      throw new DoNotRetryIOException(
          "index '%1$s' of table %2$s is ACTIVE, but its table is disabled. Run deli disable-index %2$s %1$s; then deli build %2$s %1$s."
              .formatted(definition.name(), table));
    }
  }

  /** Throws if an index that should have a table has none. */
  public void requireTable(TableName table, IndexDefinition definition) throws IOException {
    if (IndexDefinitions.indexTable(table, definition).isPresent()
        && !hasTable(table, definition)) {
      throw new DoNotRetryIOException(
          "index '%s' of table %s has no index table. %suild it (deli build)."
              .formatted(
                  definition.name(),
                  table,
                  definition.state().maintained() ? "Disable it (deli disable-index) and b" : "B"));
    }
  }

  /** Throws if an index has a table which was altered so that it loses entries. */
  public void requireKeeping(TableName table, IndexDefinition definition) throws IOException {
    if (!hasTable(table, definition)) {
      return;
    }
    TableDescriptor present =
        descriptor(IndexDefinitions.indexTable(table, definition).orElseThrow());
    if (!IndexTables.keepsEntries(present)) {
      throw new DoNotRetryIOException(
          "table %1$s, which holds index '%2$s' of table %3$s, was altered so that it loses entries. Run %4$sdeli build %3$s %2$s, which resets VERSIONS, TTL, KEEP_DELETED_CELLS, NEW_VERSION_BEHAVIOR and IS_MOB of its family and its DURABILITY, and fills it again."
              .formatted(
                  present.getTableName(),
                  definition.name(),
                  table,
                  definition.state().maintained()
                      ? "deli disable-index %s %s; then ".formatted(table, definition.name())
                      : ""));
    }
  }

  void remove(TableName table, IndexDefinition definition) throws IOException {
    TableDescriptor current = descriptor(table);
    requireThere(current, definition);
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(current);
    IndexDefinitions.remove(changed, definition.name());
    if (isCollected(current) && !isCollected(changed.build())) {
      changed.removeValue(DELETE_EXPIRED_FILES);
    }
    modify(changed.build());
  }

  /**
   * Removes the coprocessor from a table without definitions, if the tables of its indexes are
   * gone. A region without it does not know that there is no definition: while there is a table
   * that may be an index's, users who may not read the descriptor cannot write.
   */
  public void detach(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      // First: the descriptor must not be old when it is written.
      if (!admin.tableExists(table) || PossibleIndexTables.isAnyNamed(connection, table)) {
        return;
      }
    }
    TableDescriptor current = descriptor(table);
    if (current.hasCoprocessor(COPROCESSOR) && IndexDefinitions.names(current).isEmpty()) {
      modify(TableDescriptorBuilder.newBuilder(current).removeCoprocessor(COPROCESSOR).build());
    }
  }

  private static void keepExpiredFiles(TableDescriptorBuilder changed) {
    if (isCollected(changed.build())) {
      changed.setValue(DELETE_EXPIRED_FILES, "false");
    }
  }

  /** Whether compactions collect an index; an unknown strategy counts as one that they do. */
  private static boolean isCollected(TableDescriptor table) {
    return IndexDefinitions.of(table).stream()
        .map(definition -> Strategies.find(definition.strategy()))
        .anyMatch(
            found -> found.map(each -> each.retraction() == Retraction.AT_REWRITE).orElse(true));
  }

  private void modify(TableDescriptor changed) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(changed);
    } catch (IOException e) {
      throw UnconfirmedAlterationException.unlessRefused(changed.getTableName(), e);
    }
  }

  /**
   * Refuses a table with rows unless the caller accepts that they stay unindexed.
   *
   * @param remedy what else can be asked for
   */
  public void requireNoRows(TableName table, String index, ExistingRows existingRows, String remedy)
      throws IOException {
    if (existingRows != ExistingRows.REFUSE) {
      return;
    }
    // By what the caller sees, ahead of all changes; activate asks the regions.
    Scan one = new Scan().setLimit(1).setCaching(1).setFilter(new FirstKeyOnlyFilter());
    try (Table rows = connection.getTable(table);
        ResultScanner scanner = rows.getScanner(one)) {
      if (scanner.next() != null) {
        throw hasRows(table, index, remedy);
      }
    }
  }

  private void requireEmptyRegions(TableName table, String index) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table rows = connection.getTable(table)) {
      List<RegionInfo> regions = admin.getRegions(table);
      for (RegionInfo region : regions) {
        Message present =
            RegionClient.call(
                rows, region.getStartKey(), RegionService.PRESENT, RegionService.NOTHING);
        if (RegionService.versions(present) > 0) {
          throw hasRows(
              table, index, "they came as it was published, or this user may not read them");
        }
      }
      if (!admin.getRegions(table).equals(regions)) {
        // The region of a start key may have been asked that is only a part of the one meant.
        throw new DoNotRetryIOException("regions were split or merged meanwhile");
      }
    }
  }

  private static DoNotRetryIOException hasRows(TableName table, String index, String remedy) {
    return new DoNotRetryIOException(
        "table %s has rows that index '%s' may not find: %s".formatted(table, index, remedy));
  }
}
