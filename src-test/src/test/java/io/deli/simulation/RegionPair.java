package io.deli.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A region of HBase's, on the local file system, and one of the model's, to which the same is done.
 */
final class RegionPair implements AutoCloseable {
  private static final byte[] FAMILY = Worker.FAMILY;
  private static final int ROWS = 3;
  private static final int TIMES = 12;

  private final Random random;
  private final boolean faithful;
  private final HRegion real;
  private final World world = new World(Chance.of(1), Optional.empty(), false);
  private final ModelRegion model;
  private final ObservedRegion observed;

  /** What both say. */
  record Answers(String what, List<String> real, List<String> model) {}

  /**
   * @param store of the model
   * @param faithful whether the model is told of deletes of family versions
   */
  RegionPair(
      Path directory, LogStructuredStore store, int versions, Random random, boolean faithful)
      throws IOException {
    this.random = random;
    this.faithful = faithful;
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(Deployment.BASE)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(versions).build())
            .build();
    Configuration configuration = HBaseConfiguration.create();
    String own = "file:" + directory.resolve(UUID.randomUUID().toString());
    configuration.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    configuration.set(HConstants.HBASE_DIR, own);
    configuration.set("hbase.wal.dir", own);
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    configuration.setInt("hbase.hstore.compaction.min", 2);
    configuration.setInt("hbase.hstore.compaction.max", 2);
    real =
        HBaseTestingUtility.createRegionAndWAL(
            RegionInfoBuilder.newBuilder(table.getTableName()).build(),
            new org.apache.hadoop.fs.Path(own),
            configuration,
            table);
    model = new ModelRegion(table, world, new World.Node("server", 0), store);
    observed =
        new ObservedRegion(
            model, ObservedRegion.indexes(table), world, 0, (t, d, m, a) -> null, (from, to) -> {});
  }

  private byte[] row() {
    return Bytes.toBytes("r" + random.nextInt(ROWS));
  }

  private byte[] column() {
    return Bytes.toBytes("" + (char) ('a' + random.nextInt(3)));
  }

  private byte[] value() {
    return Bytes.toBytes("v" + random.nextInt(4));
  }

  private long time() {
    return 1L + random.nextInt(TIMES);
  }

  private Mutation mutation(byte[] row) {
    long time = time();
    return switch (random.nextInt(10)) {
      case 0 -> new Delete(row).addColumns(FAMILY, column(), time);
      case 1 -> new Delete(row).addColumn(FAMILY, column(), time);
      case 2 -> new Delete(row).addFamily(FAMILY, time);
      case 3 -> new Delete(row).addFamilyVersion(FAMILY, time);
      case 4 -> new Delete(row, time);
      case 5 ->
          new Put(row, time)
              .addColumn(FAMILY, column(), value())
              .addColumn(FAMILY, column(), value());
      case 6 ->
          // Expired already, or not before this test is forgotten.
          new Put(row, time)
              .addColumn(FAMILY, column(), value())
              .setTTL(random.nextBoolean() ? 1 : Long.MAX_VALUE / 2);
      default -> new Put(row, time).addColumn(FAMILY, column(), value());
    };
  }

  /** Does something to both. */
  Answers act() throws Exception {
    return switch (random.nextInt(12)) {
      case 0 -> atOnce();
      case 1, 2 -> conditionally();
      case 3, 4 -> flush();
      case 5 -> compact(false);
      case 6 -> compact(true);
      default -> list();
    };
  }

  private Answers list() throws IOException {
    List<Mutation> list = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      list.add(mutation(row()));
    }
    serve(list);
    real.batchMutate(copies(list).toArray(new Mutation[0]));
    return same(Wording.of(list));
  }

  private void serve(List<Mutation> list) {
    model.serve(
        list.stream()
            .filter(mutation -> faithful || mutation.isEmpty() || !isOfFamilyVersion(mutation))
            .toList());
  }

  private static boolean isOfFamilyVersion(Mutation mutation) {
    return mutation.getFamilyCellMap().values().stream()
        .flatMap(List::stream)
        .anyMatch(cell -> cell.getType() == Cell.Type.DeleteFamilyVersion);
  }

  /** HBase changes what it is given. */
  private static List<Mutation> copies(List<Mutation> mutations) {
    return mutations.stream()
        .<Mutation>map(
            mutation -> mutation instanceof Put put ? new Put(put) : new Delete((Delete) mutation))
        .toList();
  }

  private static Answers same(String what) {
    return new Answers(what, List.of(), List.of());
  }

  private Answers atOnce() throws IOException {
    byte[] row = row();
    List<Mutation> several =
        List.of(
            new Put(row, time()).addColumn(FAMILY, column(), value()),
            new Delete(row).addColumns(FAMILY, column(), time()));
    model.serve(List.of(RowMutations.of(copies(several))));
    real.mutateRow(RowMutations.of(copies(several)));
    return same("at once " + Wording.of(several));
  }

  private Answers conditionally() throws IOException {
    byte[] row = row();
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row);
    switch (random.nextInt(4)) {
      case 0 -> builder.ifNotExists(FAMILY, column());
      case 1 -> builder.ifMatches(new RandomRowFilter(-1));
      default -> builder.ifEquals(FAMILY, column(), value());
    }
    CheckAndMutate conditional =
        builder.build(new Put(row, time()).addColumn(FAMILY, column(), value()));
    Object modelled = model.serve(List.of(conditional))[0];
    return new Answers(
        Wording.of(conditional),
        List.of("" + real.checkAndMutate(conditional).isSuccess()),
        List.of("" + ((CheckAndMutateResult) modelled).isSuccess()));
  }

  private Answers flush() throws IOException {
    observed.flush();
    real.flush(true);
    return same("flush");
  }

  private Answers compact(boolean major) throws IOException {
    HStore store = real.getStore(FAMILY);
    List<HStoreFile> files = List.copyOf(store.getStorefiles());
    if (major) {
      store.triggerMajorCompaction();
    }
    Optional<CompactionContext> compaction =
        store.requestCompaction(
            major ? Store.PRIORITY_USER : Store.NO_PRIORITY,
            CompactionLifeCycleTracker.DUMMY,
            User.getCurrent());
    if (compaction.isPresent()) {
      List<HStoreFile> chosen = List.copyOf(compaction.get().getRequest().getFiles());
      int from = files.indexOf(chosen.get(0));
      real.compact(compaction.get(), store, NoLimitThroughputController.INSTANCE);
      observed.compact(from, from + chosen.size());
      world.run(1);
    }
    return same(major ? "major compaction" : "minor compaction");
  }

  /** Reads something from both. */
  Answers read() throws IOException {
    Scan scan = random.nextBoolean() ? ModelStore.row(row()) : range();
    switch (random.nextInt(3)) {
      case 0 -> scan.readAllVersions();
      case 1 -> scan.readVersions(2);
      default -> scan.readVersions(1);
    }
    if (random.nextInt(4) == 0) {
      // As admission and repair look at a row.
      scan.setRaw(true).readAllVersions();
    } else if (random.nextInt(3) == 0) {
      scan.addColumn(FAMILY, column());
    }
    if (random.nextInt(3) == 0) {
      long from = random.nextInt(TIMES);
      scan.setTimeRange(from, from + time());
    }
    List<String> modelled = new ArrayList<>();
    model
        .scan(scan)
        .forEach(row -> row.listCells().forEach(cell -> modelled.add(Wording.of(cell))));
    return new Answers(scan.toString(), scan(new Scan(scan)), modelled);
  }

  private Scan range() {
    Scan scan =
        new Scan()
            .withStartRow(row(), random.nextBoolean())
            .withStopRow(row(), random.nextBoolean())
            .setReversed(random.nextInt(4) == 0);
    return random.nextInt(3) == 0 ? scan.setLimit(1 + random.nextInt(2)) : scan;
  }

  private List<String> scan(Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    int rows = 0;
    try (RegionScanner scanner = real.getScanner(scan)) {
      List<Cell> row = new ArrayList<>();
      boolean more = true;
      while (more && (scan.getLimit() <= 0 || rows < scan.getLimit())) {
        more = scanner.next(row);
        rows += row.isEmpty() ? 0 : 1;
        row.forEach(cell -> cells.add(Wording.of(cell)));
        row.clear();
      }
    }
    return cells;
  }

  @Override
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(real);
  }
}
