package io.deli.client.internal.build;

import io.deli.client.BuildProgress;
import io.deli.client.internal.KeyRange;
import io.deli.client.internal.admin.IndexGenerations;
import io.deli.strategy.IndexDefinitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The persistent state of a build, in the table {@code <table>.<index>.build}, which exists from
 * the start of the build to its end. Thread-safe.
 *
 * <pre>
 *   row             column     value
 *   build           b:name     the build whose ranges are all there
 *   build           b:layout   its ranges: those that one builder cut, and no other's among them
 *   build           b:settled  the build for which the base table may be read
 *   builder         b:owner    who builds now, if anybody; written at the time, the region
 *                              server's, when that was last heard of
 *   r layout number b:next     first row of the range that is not done
 *   r layout number b:end      the row behind the range
 *   r layout number b:done     there once all of it is done
 * </pre>
 *
 * <p>The table's descriptor has the index's name and the format's version; without one it is 1.
 *
 * <p>Nothing is ever deleted: a delete would mask what is put in the same millisecond.
 */
final class BuildCheckpoint implements AutoCloseable {
  private static final String PURPOSE = "deli.build.of";
  private static final String FORMAT_KEY = "deli.build.format";
  private static final String FORMAT = "1";
  private static final byte[] FAMILY = Bytes.toBytes("b");
  private static final byte[] BUILD = Bytes.toBytes("build");
  private static final byte[] BUILDER = Bytes.toBytes("builder");
  private static final byte[] RANGES = Bytes.toBytes("r");
  private static final byte[] NAME = Bytes.toBytes("name");
  private static final byte[] LAYOUT = Bytes.toBytes("layout");
  private static final byte[] SETTLED = Bytes.toBytes("settled");
  private static final byte[] OWNER = Bytes.toBytes("owner");
  private static final byte[] NOW = Bytes.toBytes("now");
  private static final byte[] NEXT = Bytes.toBytes("next");
  private static final byte[] END = Bytes.toBytes("end");
  private static final byte[] DONE = Bytes.toBytes("done");
  private static final byte[] YES = Bytes.toBytes("yes");

  /** The owner while no process builds. */
  static final String NOBODY = "";

  private final Table table;

  /**
   * The process that builds.
   *
   * @param since when it was last heard of
   * @param now both by the clock of one region server
   */
  record Owner(String name, long since, long now) {}

  /**
   * A range of base rows and how far it is processed.
   *
   * @param rest the rows that are not done
   */
  record Range(int number, KeyRange rest, boolean done) {}

  private BuildCheckpoint(Table table) {
    this.table = table;
  }

  /** Opens the checkpoint table of an index and creates it if it is missing. */
  static BuildCheckpoint open(Connection connection, TableName indexTable) throws IOException {
    TableName name = IndexDefinitions.checkpointTable(indexTable);
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        create(admin, name, indexTable);
      }
      requireOwn(admin.getDescriptor(name), indexTable);
      if (admin.isTableDisabled(name)) {
        // Whoever was about to drop it got no further.
        admin.deleteTable(name);
        create(admin, name, indexTable);
      }
    }
    return new BuildCheckpoint(connection.getTable(name));
  }

  private static void create(Admin admin, TableName name, TableName indexTable) throws IOException {
    try {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setValue(PURPOSE, indexTable.getNameAsString())
              .setValue(FORMAT_KEY, FORMAT)
              .build());
    } catch (TableExistsException e) {
      // Another builder came first; who may build is decided later.
    }
  }

  private static String format(TableDescriptor checkpoint) {
    return Optional.ofNullable(checkpoint.getValue(FORMAT_KEY)).orElse(FORMAT);
  }

  private static boolean isOwn(TableDescriptor checkpoint, TableName indexTable) {
    return indexTable.getNameAsString().equals(checkpoint.getValue(PURPOSE));
  }

  private static void requireOwn(TableDescriptor checkpoint, TableName indexTable)
      throws DoNotRetryIOException {
    if (!isOwn(checkpoint, indexTable)) {
      throw new DoNotRetryIOException(
          "table %s, which would hold the build checkpoints of %s, has another purpose. Delete or rename it."
              .formatted(checkpoint.getTableName(), indexTable));
    }
    if (!format(checkpoint).equals(FORMAT)) {
      throw new DoNotRetryIOException(
          "table %s holds build checkpoints in format %s, and this DELI reads format %s. Upgrade DELI here, or drop the index and build it again."
              .formatted(checkpoint.getTableName(), format(checkpoint), FORMAT));
    }
  }

  /** Deletes the checkpoint table of an index, unless the table is of another purpose. */
  static void drop(Connection connection, TableName indexTable) throws IOException {
    TableName name = IndexDefinitions.checkpointTable(indexTable);
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(name) && isOwn(admin.getDescriptor(name), indexTable)) {
        new IndexGenerations(connection).delete(name);
      }
    } catch (TableNotFoundException | TableNotEnabledException | TableNotDisabledException e) {
      // Another, who found the index built, deletes it at this moment.
    }
  }

  /** Returns the progress of a build; empty if there is no readable checkpoint table. */
  static Optional<BuildProgress> progress(Connection connection, TableName indexTable, String build)
      throws IOException {
    TableName name = IndexDefinitions.checkpointTable(indexTable);
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        return Optional.empty();
      }
      TableDescriptor descriptor = admin.getDescriptor(name);
      if (!isOwn(descriptor, indexTable) || !format(descriptor).equals(FORMAT)) {
        return Optional.empty();
      }
      try (BuildCheckpoint checkpoint = new BuildCheckpoint(connection.getTable(name))) {
        Optional<String> layout = checkpoint.layout(build);
        List<Range> ranges = layout.isPresent() ? checkpoint.ranges(layout.get()) : List.of();
        int done = (int) ranges.stream().filter(Range::done).count();
        return Optional.of(new BuildProgress(done, ranges.size()));
      }
    } catch (TableNotFoundException | TableNotEnabledException | AccessDeniedException e) {
      // It ends at this moment, or is not for everybody.
      return Optional.empty();
    }
  }

  /** Returns the id of the build's ranges, if all of them are recorded. */
  Optional<String> layout(String build) throws IOException {
    Result row = table.get(new Get(BUILD));
    return is(row, NAME, build)
        ? Optional.ofNullable(row.getValue(FAMILY, LAYOUT)).map(Bytes::toString)
        : Optional.empty();
  }

  private static boolean is(Result row, byte[] column, String build) {
    byte[] value = row.getValue(FAMILY, column);
    return value != null && Bytes.toString(value).equals(build);
  }

  /** Records the ranges of a build and returns their id. */
  String begin(String build, List<KeyRange> ranges) throws IOException {
    String layout = UUID.randomUUID().toString();
    List<Put> rows = new ArrayList<>(ranges.size());
    for (int i = 0; i < ranges.size(); i++) {
      rows.add(
          new Put(row(layout, i))
              .addColumn(FAMILY, NEXT, ranges.get(i).start())
              .addColumn(FAMILY, END, ranges.get(i).stop()));
    }
    table.put(rows);
    table.put(
        new Put(BUILD)
            .addColumn(FAMILY, NAME, Bytes.toBytes(build))
            .addColumn(FAMILY, LAYOUT, Bytes.toBytes(layout)));
    return layout;
  }

  /** Discards the state of any build. */
  void forget() throws IOException {
    table.put(
        new Put(BUILD)
            .addColumn(FAMILY, NAME, Bytes.toBytes(""))
            .addColumn(FAMILY, SETTLED, Bytes.toBytes("")));
  }

  boolean isSettled(String build) throws IOException {
    return is(table.get(new Get(BUILD)), SETTLED, build);
  }

  void settled(String build) throws IOException {
    table.put(new Put(BUILD).addColumn(FAMILY, SETTLED, Bytes.toBytes(build)));
  }

  List<Range> ranges(String layout) throws IOException {
    byte[] prefix = Bytes.add(RANGES, Bytes.toBytes(layout));
    List<Range> ranges = new ArrayList<>();
    try (ResultScanner rows = table.getScanner(new Scan().setStartStopRowForPrefixScan(prefix))) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        ranges.add(
            new Range(
                Bytes.toInt(row.getRow(), prefix.length),
                new KeyRange(row.getValue(FAMILY, NEXT), row.getValue(FAMILY, END)),
                row.containsColumn(FAMILY, DONE)));
      }
    }
    return ranges;
  }

  private static byte[] row(String layout, int range) {
    return Bytes.add(RANGES, Bytes.toBytes(layout), Bytes.toBytes(range));
  }

  /** Records that all rows of the range before this one are done. */
  void reached(String layout, Range range, byte[] next) throws IOException {
    table.put(new Put(row(layout, range.number())).addColumn(FAMILY, NEXT, next));
  }

  void done(String layout, List<Range> ranges) throws IOException {
    List<Put> rows = new ArrayList<>(ranges.size());
    for (Range range : ranges) {
      rows.add(new Put(row(layout, range.number())).addColumn(FAMILY, DONE, YES));
    }
    table.put(rows);
  }

  /** Returns the process that builds; empty if none does. */
  Optional<Owner> owner() throws IOException {
    table.put(new Put(BUILDER).addColumn(FAMILY, NOW, YES));
    Result row = table.get(new Get(BUILDER));
    return Optional.ofNullable(row.getColumnLatestCell(FAMILY, OWNER))
        .filter(cell -> cell.getValueLength() > 0)
        .map(
            cell ->
                new Owner(
                    Bytes.toString(row.getValue(FAMILY, OWNER)),
                    cell.getTimestamp(),
                    row.getColumnLatestCell(FAMILY, NOW).getTimestamp()));
  }

  /**
   * Replaces the owner atomically; either may be {@link #NOBODY}. Returns whether the old owner was
   * the expected one.
   */
  boolean replaceOwner(String old, String owner) throws IOException {
    // To HBase, what is not there equals what is empty.
    CheckAndMutate replacement =
        CheckAndMutate.newBuilder(BUILDER)
            .ifEquals(FAMILY, OWNER, Bytes.toBytes(old))
            .build(new Put(BUILDER).addColumn(FAMILY, OWNER, Bytes.toBytes(owner)));
    return table.checkAndMutate(replacement).isSuccess();
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
