package io.deli.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.config.DeliSettings;
import io.deli.coprocessor.DeliRegionObserver;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of one family and the tables of its indexes, by a connection that knows nothing of DELI:
 * what a test writes there by hand, and what it finds there. Tables stay until the cluster ends,
 * for to drop them takes longer than most tests.
 */
public class TestTable {
  public static final byte[] FAMILY = Bytes.toBytes("f");
  public static final byte[] QUALIFIER = Bytes.toBytes("q");
  public static final byte[] OTHER = Bytes.toBytes("o");
  public static final Column COLUMN = Column.of(FAMILY, QUALIFIER);
  public static final String INDEX = "by_q";

  /** An alteration of a table. */
  @FunctionalInterface
  public interface Change {
    void make(TableDescriptorBuilder table) throws IOException;
  }

  private final Connection plain;
  private final TableName name;
  private final Supplier<List<Index>> indexes;

  public TestTable(Connection plain, TableName name, List<Index> indexes) {
    this(plain, name, () -> indexes);
  }

  private TestTable(Connection plain, TableName name, Supplier<List<Index>> indexes) {
    this.plain = plain;
    this.name = name;
    this.indexes = indexes;
  }

  protected TestTable(TestTable other) {
    this(other.plain, other.name, other.indexes);
  }

  /** The exact index on the column, to be gone on with. */
  public static IndexDefinition byQ() {
    return IndexDefinition.on(INDEX, COLUMN);
  }

  public static TableDescriptorBuilder describe(
      TableName name, UnaryOperator<ColumnFamilyDescriptorBuilder> family) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(family.apply(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)).build());
  }

  public static TableDescriptorBuilder describe(String stem, int versions) {
    return describe(MiniCluster.uniqueTable(stem), family -> family.setMaxVersions(versions));
  }

  /** Creates a table of no other test, exactly indexed on the column. */
  public static TestTable create(String stem, int versions, byte[]... splits) throws IOException {
    return create(stem, versions, List.of(byQ()), splits);
  }

  public static TestTable create(
      String stem, int versions, List<IndexDefinition> definitions, byte[]... splits)
      throws IOException {
    return create(describe(stem, versions), definitions, splits);
  }

  /** Creates a table of the mini cluster, and then its indexes as an operator does. */
  public static TestTable createAsOperator(
      TableDescriptorBuilder table, List<IndexDefinition> definitions, byte[]... splits)
      throws IOException {
    return createAsOperator(MiniCluster.connection(), table, definitions, splits);
  }

  public static TestTable createAsOperator(
      Connection plain,
      TableDescriptorBuilder table,
      List<IndexDefinition> definitions,
      byte[]... splits)
      throws IOException {
    TableDescriptor base = table.build();
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(base, splits.length == 0 ? null : splits);
    }
    for (IndexDefinition definition : definitions) {
      DeliAdmin.of(plain).createIndex(base.getTableName(), definition);
    }
    return of(plain, base.getTableName(), definitions);
  }

  /** By the definitions, when it must be: not all that a descriptor has can be read by all. */
  private static TestTable of(Connection plain, TableName name, List<IndexDefinition> definitions) {
    return new TestTable(
        plain, name, () -> definitions.stream().map(each -> Index.of(name, each)).toList());
  }

  /** Creates a table of the mini cluster that has its indexes from the first: no region reopens. */
  public static TestTable create(
      TableDescriptorBuilder table, List<IndexDefinition> definitions, byte[]... splits)
      throws IOException {
    definitions.forEach(definition -> IndexDefinitions.put(table, definition));
    TableDescriptor base = table.setCoprocessor(DeliRegionObserver.class.getName()).build();
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      for (IndexDefinition definition : definitions) {
        admin.createTable(IndexTables.descriptor(base, definition));
      }
      admin.createTable(base, splits.length == 0 ? null : splits);
    }
    return of(MiniCluster.connection(), base.getTableName(), definitions);
  }

  public static void alter(TableName table, Change change) throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      TableDescriptorBuilder changed =
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table));
      change.make(changed);
      admin.modifyTable(changed.build());
    }
  }

  public static void set(TableName table, String key, String value) throws IOException {
    alter(table, changed -> changed.setValue(key, value));
  }

  /** The same table, whose regions take any timestamp that a client draws. */
  public TestTable admittingAll() throws IOException {
    set(name, DeliSettings.ADMISSION.key(), "false");
    return this;
  }

  public static Put put(String row, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value));
  }

  public static Put put(String row, long timestamp, String value) {
    return new Put(Bytes.toBytes(row))
        .addColumn(FAMILY, QUALIFIER, timestamp, Bytes.toBytes(value));
  }

  public Connection plain() {
    return plain;
  }

  public TableName name() {
    return name;
  }

  public List<Index> indexes() {
    return indexes.get();
  }

  /** The first. */
  public Index index() {
    return indexes().get(0);
  }

  public Index index(String index) {
    return indexes().stream().filter(each -> each.name().equals(index)).findFirst().orElseThrow();
  }

  public Table table() throws IOException {
    return plain.getTable(name);
  }

  public List<HRegion> regions() {
    return MiniCluster.regions(name);
  }

  public void flush() throws IOException {
    MiniCluster.utility().flush(name);
  }

  /** Flushes a table of the mini cluster and compacts all its files. */
  public static void compact(TableName table) throws IOException {
    MiniCluster.utility().flush(table);
    MiniCluster.utility().compact(table, true);
  }

  public void collect() throws IOException {
    DeliAdmin.of(plain).collect(name, ProgressListener.NONE);
  }

  /** The first half of a write of one version. */
  public void putEntries(BaseVersion version) throws IOException {
    for (Index index : indexes()) {
      putEntries(index, List.of(version));
    }
  }

  public void putEntries(Index index, List<BaseVersion> versions) throws IOException {
    List<Put> entries = new ArrayList<>();
    versions.forEach(version -> entries.addAll(index.strategy().write(index, version)));
    try (Table table = plain.getTable(index.table())) {
      table.put(entries);
    }
  }

  /** As a collection deletes them. */
  public void deleteEntries(Index index, List<Entry> entries) throws IOException {
    try (Table table = plain.getTable(index.table())) {
      for (Entry entry : entries) {
        table.delete(EntryCodec.delete(List.of(index.strategy().retract(index, entry).get())));
      }
    }
  }

  /** As if all entries had been collected. */
  public void deleteEntries() throws IOException {
    for (Index index : indexes()) {
      deleteEntries(index, read(index));
    }
  }

  /** The same of those at a timestamp. */
  public void deleteEntriesAt(long timestamp) throws IOException {
    for (Index index : indexes()) {
      deleteEntries(
          index, read(index).stream().filter(each -> each.timestamp() == timestamp).toList());
    }
  }

  public List<Cell> cells(Scan scan) throws IOException {
    return cells(plain, name, scan);
  }

  /** Everything that lies in the table's files and memory, markers included. */
  public List<Cell> raw() throws IOException {
    return cells(new Scan().setRaw(true).readAllVersions());
  }

  /** All versions that a table of the mini cluster shows. */
  public static List<Cell> cells(TableName of) throws IOException {
    return cells(MiniCluster.connection(), of, new Scan().readAllVersions());
  }

  public static List<Cell> cells(Connection plain, TableName of, Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    rows(plain, of, scan).forEach(row -> cells.addAll(row.listCells()));
    return cells;
  }

  public static List<Result> rows(Connection plain, TableName of, Scan scan) throws IOException {
    List<Result> all = new ArrayList<>();
    try (Table table = plain.getTable(of);
        ResultScanner rows = table.getScanner(scan)) {
      rows.forEach(all::add);
    }
    return all;
  }

  /** All entries of an index; one that is there under two write ids, twice. */
  public List<Entry> read(Index index) throws IOException {
    return rows(plain, index.table(), new Scan().readAllVersions()).stream()
        .flatMap(row -> index.entries(row).stream())
        .toList();
  }

  /** All entries of all indexes as {@code token>key@timestamp}, in order. */
  public List<String> entries() throws IOException {
    List<String> entries = new ArrayList<>();
    for (Index index : indexes()) {
      read(index).forEach(entry -> entries.add(text(index, entry)));
    }
    return entries.stream().sorted().toList();
  }

  /** The same once, under whatever write ids. */
  public SortedSet<String> entrySet() throws IOException {
    return new TreeSet<>(entries());
  }

  /** The entries of all versions that a plain scan sees, in the same form. */
  public SortedSet<String> justified() throws IOException {
    return justified(cells(new Scan().readAllVersions()));
  }

  /** The entries of all versions in memory and files, whatever supersedes them. */
  public SortedSet<String> justifiedByDead() throws IOException {
    return justified(raw());
  }

  public SortedSet<String> justified(List<Cell> versions) {
    SortedSet<String> entries = new TreeSet<>();
    for (Index index : indexes()) {
      versions.stream()
          .filter(cell -> cell.getType() == Cell.Type.Put && index.column().matches(cell))
          .flatMap(cell -> index.entries(BaseVersion.of(cell, WriteId.NONE)).stream())
          .forEach(entry -> entries.add(text(index, entry)));
    }
    return entries;
  }

  private String text(Index index, Entry entry) {
    String text = text(entry);
    return indexes().size() == 1 ? text : index.name() + ":" + text;
  }

  public static String text(Entry entry) {
    return entry(Bytes.toString(entry.token()), Bytes.toString(entry.key()), entry.timestamp());
  }

  public static String entry(String value, String row, long timestamp) {
    return value + ">" + row + "@" + timestamp;
  }

  /** The rows that a query finds, in its order. */
  public static List<String> find(DeliTable table, ValueQuery query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ValueScanner hits = table.readValue(query)) {
      for (ValueHit hit : hits) {
        rows.add(Bytes.toString(hit.row()));
      }
    }
    return rows;
  }

  /** The hits of a query, as {@code row=value@timestamp}. */
  public static SortedSet<String> hits(DeliTable table, ValueQuery query) throws IOException {
    SortedSet<String> found = new TreeSet<>();
    try (ValueScanner hits = table.readValue(query)) {
      for (ValueHit hit : hits) {
        found.add(hit(hit.row(), hit.value(), hit.timestamp()));
      }
    }
    return found;
  }

  /** The hits of a scan of the column, in the same form. */
  public SortedSet<String> scanned(Scan scan) throws IOException {
    SortedSet<String> found = new TreeSet<>();
    for (Cell cell : cells(scan.addColumn(FAMILY, QUALIFIER))) {
      found.add(hit(CellUtil.cloneRow(cell), CellUtil.cloneValue(cell), cell.getTimestamp()));
    }
    return found;
  }

  public static String hit(byte[] row, byte[] value, long timestamp) {
    return Bytes.toString(row) + "=" + Bytes.toString(value) + "@" + timestamp;
  }

  /** Every version has exactly its entries, and nothing else has one. */
  public void assertIndexed() throws IOException {
    assertThat(entries()).containsExactlyElementsOf(justifiedByDead());
  }

  public void assertEmpty() throws IOException {
    assertThat(entries()).isEmpty();
    assertNothingInBase();
  }

  public void assertNothingInBase() throws IOException {
    assertThat(raw()).isEmpty();
  }
}
