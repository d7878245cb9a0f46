package io.deli.test.hbase;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;

/**
 * Gives every table that is created indexes on the columns that HBase's tests use, and creates,
 * truncates and deletes the index tables with it. Where every client is DELI's, no table goes
 * before its indexes have been compared with it.
 */
public final class IndexEveryTable implements MasterCoprocessor, MasterObserver {
  private static final String STEM = "suite";
  private static final String DELETE_EXPIRED_FILES = "hbase.store.delete.expired.storefile";

  private static final boolean ALL_WRITES_KEEP_INDEXES =
      Set.of("client", "async").contains(System.getProperty("deli.hbase.way", ""));

  private static final IndexedColumns COLUMNS = IndexedColumns.read();

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  public TableDescriptor preCreateTableRegionsInfos(
      ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table)
      throws IOException {
    if (table.getTableName().isSystemTable() || isIndexTable(table.getTableName())) {
      return table;
    }
    // Of one family only, since each index is a table to create for every table of every test.
    List<Column> chosen = COLUMNS.byFamily(table).stream().findFirst().orElse(List.of());
    TableDescriptor indexed = indexed(table, chosen);
    for (IndexDefinition definition : IndexDefinitions.of(indexed)) {
      createTable(context, IndexTables.descriptor(table, definition));
    }
    return indexed;
  }

  /** The table with indexes in all its families, as far as it has columns for them. */
  static TableDescriptor indexed(TableDescriptor table) {
    return indexed(table, COLUMNS.byFamily(table).stream().flatMap(List::stream).toList());
  }

  private static TableDescriptor indexed(TableDescriptor table, List<Column> chosen) {
    TableDescriptorBuilder indexed = TableDescriptorBuilder.newBuilder(table);
    for (int i = 0; i < chosen.size(); i++) {
      IndexDefinitions.put(indexed, IndexDefinition.on(STEM + i, chosen.get(i)));
    }
    return (chosen.isEmpty() ? indexed : withCoprocessor(table, indexed)).build();
  }

  private static TableDescriptorBuilder withCoprocessor(
      TableDescriptor table, TableDescriptorBuilder indexed) {
    try {
      if (!table.hasCoprocessor(DeliRegionObserver.class.getName())) {
        indexed.setCoprocessor(DeliRegionObserver.class.getName());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return indexed.setValue(DELETE_EXPIRED_FILES, "false");
  }

  /** A test that alters a table by a descriptor of its own keeps the indexes, too. */
  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName name,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    List<IndexDefinition> lost =
        IndexDefinitions.of(current).stream()
            .filter(definition -> isUsable(definition, changed))
            .filter(definition -> !IndexDefinitions.of(changed).contains(definition))
            .toList();
    if (lost.isEmpty()) {
      return changed;
    }
    TableDescriptorBuilder indexed = TableDescriptorBuilder.newBuilder(changed);
    lost.forEach(definition -> IndexDefinitions.put(indexed, definition));
    return withCoprocessor(changed, indexed).build();
  }

  private static boolean isUsable(IndexDefinition definition, TableDescriptor table) {
    ColumnFamilyDescriptor family = table.getColumnFamily(definition.column().family());
    return family != null && !family.isMobEnabled();
  }

  /** Before a table goes: it must be disabled first. */
  @Override
  public void preDisableTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name)
      throws IOException {
    if (ALL_WRITES_KEEP_INDEXES) {
      Connection connection = context.getEnvironment().getConnection();
      try (Admin admin = connection.getAdmin()) {
        new MissingEntries(connection).require(admin.getDescriptor(name));
      }
    }
  }

  /** Before all tables go. */
  @Override
  public void preShutdown(ObserverContext<MasterCoprocessorEnvironment> context)
      throws IOException {
    if (ALL_WRITES_KEEP_INDEXES) {
      Connection connection = context.getEnvironment().getConnection();
      try (Admin admin = connection.getAdmin()) {
        for (TableDescriptor table : admin.listTableDescriptors()) {
          new MissingEntries(connection).require(table);
        }
      }
    }
  }

  @Override
  public void postDeleteTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name)
      throws IOException {
    try (Admin admin = context.getEnvironment().getConnection().getAdmin()) {
      for (TableName index : indexTables(admin, name)) {
        admin.disableTable(index);
        admin.deleteTable(index);
      }
    }
  }

  @Override
  public void postTruncateTable(
      ObserverContext<MasterCoprocessorEnvironment> context, TableName name) throws IOException {
    try (Admin admin = context.getEnvironment().getConnection().getAdmin()) {
      for (TableName index : indexTables(admin, name)) {
        admin.disableTable(index);
        admin.truncateTable(index, true);
      }
    }
  }

  /** There are tests that delete all tables that are listed, one after the other. */
  @Override
  public void postGetTableDescriptors(
      ObserverContext<MasterCoprocessorEnvironment> context,
      List<TableName> asked,
      List<TableDescriptor> found,
      String pattern) {
    if (asked == null || asked.isEmpty()) {
      hideIndexTables(found);
    }
  }

  @Override
  public void postGetTableNames(
      ObserverContext<MasterCoprocessorEnvironment> context,
      List<TableDescriptor> found,
      String pattern) {
    hideIndexTables(found);
  }

  private static void hideIndexTables(List<TableDescriptor> found) {
    found.removeIf(table -> isIndexTable(table.getTableName()));
  }

  private static void createTable(
      ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table)
      throws IOException {
    try (Admin admin = context.getEnvironment().getConnection().getAdmin()) {
      if (!admin.tableExists(table.getTableName())) {
        admin.createTable(table);
      }
    }
  }

  /** Found by their numbers, since no list shows them. */
  private static List<TableName> indexTables(Admin admin, TableName base) throws IOException {
    List<TableName> tables = new ArrayList<>();
    String stem = base.getQualifierAsString() + "." + STEM;
    TableName next = TableName.valueOf(base.getNamespaceAsString(), stem + tables.size());
    while (admin.tableExists(next)) {
      tables.add(next);
      next = TableName.valueOf(base.getNamespaceAsString(), stem + tables.size());
    }
    return tables;
  }

  /** Whether the name is one that this observer gives to an index table. */
  static boolean isIndexTable(TableName name) {
    return name.getQualifierAsString().matches(".*[.]" + STEM + "\\d+");
  }
}
