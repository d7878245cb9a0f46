package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.index.ValueType;
import io.deli.service.DrawnTimestamp;
import io.deli.service.LoadMark;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Action;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SecureBulkLoadClient;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;

/** Files that are loaded into a table whose index the region servers maintain. */
class LoadedFilesTest {
  private static final int ROWS = 2_500;
  private static final int OF_ONE_REGION = 1_000;
  private static final int FEW = 10;
  private static final long GRACE_MILLIS = 10_000;

  private final ServedTable served = create();
  private final Configuration configuration = MiniCluster.configuration();

  private static ServedTable create() {
    try {
      return ServedTable.create(
          MiniCluster.connection(),
          MiniCluster.uniqueTable("loaded"),
          BY_Q,
          1,
          Bytes.toBytes("r01000"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void areFoundAndFoundAgainWhenLoadedAgain() throws IOException {
    load(1, KeyValue.Type.Put);
    assertThat(served.assertRight(1)).hasSize(ROWS);
    try (Table table = served.table()) {
      table.put(put("r00007", "newer"));
      table.delete(new Delete(Bytes.toBytes("r00008")));
    }
    assertThat(served.assertRight(1)).hasSize(ROWS - 1);
    DeliAdmin.of(MiniCluster.connection()).collect(served.name(), ProgressListener.NONE);
    assertThat(served.assertRight(1)).hasSize(ROWS - 1);
    load(1, KeyValue.Type.Put);
    assertThat(served.assertRight(1)).hasSize(ROWS);
  }

  @Test
  void thatCannotBeIndexedAreNotLoaded() {
    assertThatThrownBy(() -> load(1, KeyValue.Type.Delete))
        .hasStackTraceContaining("deletes of single versions");
    assertThatThrownBy(() -> load(Long.MAX_VALUE, KeyValue.Type.Put))
        .hasStackTraceContaining("without a timestamp");
  }

  @Test
  void thatAnotherClusterHasAreLoadedWhateverTheirValues() throws IOException {
    ServedTable numbers = ServedTable.create(BY_Q.withType(ValueType.LONG), "numbers", 1);
    Path files = write(1, KeyValue.Type.Put, FEW).getParent().getParent();
    BulkLoadHFilesTool tool = new BulkLoadHFilesTool(configuration);
    assertThatThrownBy(() -> tool.bulkLoad(numbers.name(), files))
        .hasStackTraceContaining("not a valid LONG");
    // As replication does.
    tool.setClusterIds(List.of("another"));
    tool.bulkLoad(numbers.name(), files);
    assertThat(numbers.base(1)).hasSize(FEW);
    assertThat(numbers.held()).isEmpty();
  }

  /** An index came, say, when a job had made the entries of all others. */
  @Test
  void whoseEntriesAreOfOtherIndexesAreNotLoaded() throws IOException {
    long now = System.currentTimeMillis();
    LoadMark mark = mark(now);
    LoadMark other = new LoadMark("0".repeat(32), now);
    assertRefused(other, "indexes were created, built anew or dropped");
    assertRefused(mark(now - TimeUnit.DAYS.toMillis(3)), "began more than 2 days ago");
    assertRefused(mark(now + TimeUnit.DAYS.toMillis(1)), "ahead of the region server's clock");
    assertThat(served.held()).isEmpty();
    load(within(mark, write(1, KeyValue.Type.Put, FEW)));
    assertThat(served.base(1)).hasSize(FEW);
    assertThat(served.held()).as("entries that came with them").isEmpty();
  }

  /** As HBase's client would have it if an answer was lost. */
  @Test
  void thatCameWithTheirEntriesAreNotLoadedTwice() throws IOException {
    configuration.setBoolean(BulkLoadHFiles.ALWAYS_COPY_FILES, true);
    HookObserver hooks = hooks();
    Action<byte[]> fail =
        (region, family) -> {
          throw new IOException("no room");
        };
    hooks.at(1, Moment.FILE, LoadedFilesTest::isIndexed, fail);
    Path file = within(mark(System.currentTimeMillis()), write(1, KeyValue.Type.Put, FEW));
    load(file);
    assertThat(hooks.isPlanned(Moment.FILE)).isFalse();
    assertThatThrownBy(() -> load(file)).hasStackTraceContaining("is not loaded twice");
    assertThat(served.base(1)).hasSize(FEW);

    // Others of the request, say, are not loaded.
    hooks.at(1, Moment.FILE_TAKEN, LoadedFilesTest::isIndexed, fail);
    Path inPart = within(mark(System.currentTimeMillis()), write(1, KeyValue.Type.Put, 1));
    assertThatThrownBy(() -> load(inPart)).hasStackTraceContaining("is not loaded twice");
  }

  private LoadMark mark(long timestamp) throws IOException {
    try (Table table = served.table()) {
      return LoadMark.of(table.getDescriptor(), timestamp);
    }
  }

  private void assertRefused(LoadMark mark, String reason) throws IOException {
    Path file = within(mark, write(1, KeyValue.Type.Put, FEW));
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    assertThatThrownBy(() -> load(file)).hasStackTraceContaining(reason);
  }

  /** By a slow clock, it would be hidden by rows that were loaded before. */
  @Test
  void areOlderThanWhatIsDrawnAfterwards() throws Exception {
    TimeUnit.MILLISECONDS.sleep(2);
    long timestamp = System.currentTimeMillis();
    load(within(mark(timestamp), write(timestamp, KeyValue.Type.Put, FEW)));
    Put late =
        new Put(Bytes.toBytes("r00007"))
            .addColumn(FAMILY, QUALIFIER, timestamp, Bytes.toBytes("late"));
    new DrawnTimestamp(timestamp, false, false).setOn(late);
    try (Table table = served.table()) {
      assertThatThrownBy(() -> table.put(late))
          .hasStackTraceContaining("newest=%d".formatted(timestamp));
      table.put(put("r00007", "later"));
    }
    assertThat(served.base(1)).hasSize(FEW).anyMatch(row -> row.contains("later"));
  }

  /** The file in its directory. */
  private Path within(LoadMark mark, Path file) throws IOException {
    Path family = file.getParent();
    Path moved = new Path(new Path(family.getParent(), mark.directory()), family.getName());
    files().mkdirs(moved.getParent());
    assertThat(files().rename(family, moved)).isTrue();
    return new Path(moved, file.getName());
  }

  /** HBase's reader throws what would end the server. */
  @Test
  void thatAreMalformedAreNotLoaded() throws IOException {
    Path file = write(1, KeyValue.Type.Put, OF_ONE_REGION);
    byte[] bytes = new byte[(int) files().getFileStatus(file).getLen()];
    try (FSDataInputStream in = files().open(file)) {
      in.readFully(bytes);
    }
    // The length of the first key, behind the header of the first block.
    Bytes.putInt(bytes, HConstants.HFILEBLOCK_HEADER_SIZE, Integer.MAX_VALUE);
    try (FSDataOutputStream out = files().create(file)) {
      out.write(bytes);
    }
    assertThatThrownBy(() -> load(file)).hasStackTraceContaining(file + " is not loaded");
    load(1, KeyValue.Type.Put);
    assertThat(served.assertRight(1)).hasSize(ROWS);
  }

  /** While it is copied from another file system, say, and while HBase puts it in its place. */
  @Test
  void thatTakeLongAreIndexedAgain() throws IOException {
    byte[] other = Bytes.toBytes("g");
    TestTable.alter(
        served.name(),
        descriptor ->
            descriptor
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(other))
                .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE_MILLIS)));
    List<String> whenTaken = new ArrayList<>();
    hooks()
        .each(Moment.FILE, LoadedFilesTest::isIndexed, (region, family) -> outlastEntries())
        .each(
            Moment.FILE_TAKEN,
            LoadedFilesTest::isIndexed,
            (region, family) -> {
              whenTaken.addAll(served.held());
              outlastEntries();
            });
    Path file = write(1, KeyValue.Type.Put, FEW);
    write(new Path(file.getParent().getParent(), "g/file"), other, 1, KeyValue.Type.Put, FEW);
    load(file);
    assertThat(served.assertRight(1)).hasSize(FEW).containsExactlyInAnyOrderElementsOf(whenTaken);
    assertThat(served.cells(new Scan().addFamily(other))).hasSize(FEW);
  }

  /** HBase has given the file its place in the order of writes by then. */
  @Test
  void areNotHiddenByWhatADeleteExposesMeanwhile() throws Exception {
    byte[] row = Bytes.toBytes("r00007");
    Gate gate = new Gate();
    hooks().at(1, Moment.FILE, LoadedFilesTest::isIndexed, gate);
    try (Table table = served.table()) {
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 1, Bytes.toBytes("older")));
      served.flush();
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 2, Bytes.toBytes("newer")));
      CompletableFuture<Void> loading =
          Background.run(() -> load(write(1, KeyValue.Type.Put, FEW)));
      assertThat(gate.arrives()).isTrue();
      table.delete(new Delete(row).addColumn(FAMILY, QUALIFIER, 2));
      assertThat(served.assertRight(1)).containsExactly("r00007=older@1");
      gate.open();
      loading.get(1, TimeUnit.MINUTES);
    } finally {
      gate.open();
    }
    assertThat(served.assertRight(1)).hasSize(FEW).contains("r00007=v7@1");
    DeliAdmin.of(MiniCluster.connection()).collect(served.name(), ProgressListener.NONE);
    assertThat(served.assertRight(1)).hasSize(FEW).contains("r00007=v7@1");
  }

  /** Returns hooks that are called ahead of DELI. */
  private HookObserver hooks() throws IOException {
    return HookObserver.on(served.name(), Coprocessor.PRIORITY_HIGHEST);
  }

  private static boolean isIndexed(byte[] family) {
    return Bytes.equals(family, FAMILY);
  }

  /** Until readers may have met and repaired all of them, as if some had. */
  private void outlastEntries() throws IOException {
    try {
      Thread.sleep(GRACE_MILLIS / 2 + 1);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    served.deleteEntries();
  }

  @Test
  void thatHBaseDoesNotTakeLeaveEntriesThatReadersPassOver() throws IOException {
    configuration.setInt(HConstants.BULKLOAD_MAX_RETRIES_NUMBER, 1);
    HookObserver hooks = hooks();
    hooks.each(
        Moment.FILE,
        LoadedFilesTest::isIndexed,
        (region, family) -> {
          throw new IOException("no room");
        });
    assertThatThrownBy(() -> load(write(1, KeyValue.Type.Put, FEW)))
        .isInstanceOf(IOException.class);
    assertThat(served.held()).isNotEmpty();
    assertThat(served.assertRight(1)).isEmpty();
    hooks.clear();
    load(write(1, KeyValue.Type.Put, FEW));
    assertThat(served.assertRight(1)).hasSize(FEW);
  }

  @Test
  void whoseIndexIsOutOfReachAreNotLoaded() throws IOException {
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    Path file = write(1, KeyValue.Type.Put, 1);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.disableTable(served.index().table());
      assertThatThrownBy(() -> load(file))
          .hasStackTraceContaining(served.index().table().getNameAsString());
      assertThat(served.base(1)).isEmpty();
      admin.enableTable(served.index().table());
    }
    load(file);
    assertThat(served.assertRight(1)).hasSize(1);
  }

  /** Not as the region server, which may read what is not theirs, or not what is. */
  @Test
  void areReadAsWhoLoadsThem() throws Exception {
    Path file = write(1, KeyValue.Type.Put, 1);
    files().setPermission(file.getParent(), new FsPermission("700"));
    User stranger = User.createUserForTesting(configuration, "stranger", new String[0]);
    PrivilegedExceptionAction<Boolean> load = () -> loadPastTheTool(file);
    assertThatThrownBy(() -> stranger.runAs(load))
        .hasStackTraceContaining("AccessControlException")
        .hasStackTraceContaining("user=stranger");
    assertThat(served.held()).isEmpty();
  }

  /** It would read the file itself. */
  private boolean loadPastTheTool(Path file) throws IOException {
    try (ClusterConnection connection =
            (ClusterConnection) ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(served.name())) {
      SecureBulkLoadClient client = new SecureBulkLoadClient(configuration, table);
      HRegionLocation first = connection.locateRegion(served.name(), HConstants.EMPTY_START_ROW);
      return client.secureBulkLoadHFiles(
          connection.getClient(first.getServerName()),
          List.of(Pair.newPair(FAMILY, file.toString())),
          first.getRegion().getRegionName(),
          true,
          null,
          client.prepareBulkLoad(connection));
    }
  }

  private void load(long timestamp, KeyValue.Type type) throws IOException {
    load(write(timestamp, type, ROWS));
  }

  private void load(Path file) throws IOException {
    BulkLoadHFiles.create(configuration).bulkLoad(served.name(), file.getParent().getParent());
  }

  private FileSystem files() throws IOException {
    return MiniCluster.utility().getTestFileSystem();
  }

  private Path write(long timestamp, KeyValue.Type type, int rows) throws IOException {
    Path directory = MiniCluster.utility().getDataTestDirOnTestFS("load-" + served.name());
    files().delete(directory, true);
    Path file = new Path(new Path(directory, Bytes.toString(FAMILY)), "file");
    write(file, FAMILY, timestamp, type, rows);
    return file;
  }

  private void write(Path file, byte[] family, long timestamp, KeyValue.Type type, int rows)
      throws IOException {
    try (HFile.Writer writer =
        HFile.getWriterFactory(configuration, new CacheConfig(configuration))
            .withPath(files(), file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (int i = 0; i < rows; i++) {
        writer.append(
            new KeyValue(
                Bytes.toBytes("r%05d".formatted(i)),
                family,
                QUALIFIER,
                timestamp,
                type,
                Bytes.toBytes("v" + i % 10)));
      }
    }
  }
}
