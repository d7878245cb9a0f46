package io.deli.tools.experiment.catalog;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.index.IndexDefinition;
import io.deli.tools.experiment.Check;
import io.deli.tools.experiment.Claim;
import io.deli.tools.experiment.Experiment;
import io.deli.tools.experiment.Lab;
import io.deli.tools.experiment.Lab.Recorder;
import io.deli.tools.experiment.Plot;
import io.deli.tools.experiment.Results;
import io.deli.tools.experiment.ServerNeeds;
import io.deli.tools.experiment.Size;
import io.deli.tools.files.EntryFiles;
import io.deli.tools.mapreduce.MapReduceEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.mapreduce.MRConfig;

/** Builds of an index of a table that has rows, beside a plain scan of them. */
final class BuildExperiment implements Experiment {
  private static final String RATE = "rate";
  private static final String CPU = "CPU";
  private static final String SCAN = "scan";
  private static final String THREADS = "threads";
  private static final String FILES = "files";
  private static final String MAPREDUCE = "mapreduce";
  private static final int REGIONS = 4;
  private static final double AIM = 0.3;

  /** Nobody writes meanwhile, for whom a build would have to wait. */
  private static final long LEASE_MILLIS = 100;

  /** A prime, so that neighbours in the table are none in the index. */
  private static final long STRIDE = 2_654_435_761L;

  /** Something that goes through all rows; returns the seconds that it took. */
  @FunctionalInterface
  private interface Passage {
    double run() throws IOException;
  }

  @Override
  public String name() {
    return "build";
  }

  @Override
  public String sentence() {
    return "How fast an index of a table with rows is built, by threads that put entries or write files"
        + " of them, and by Hadoop's local runner, against a plain scan of the table.";
  }

  @Override
  public List<Claim> claims() {
    return List.of(new Claim("no paper", "builds are not measured; the bound is an aim of DELI's"));
  }

  @Override
  public ServerNeeds server(Size size) {
    return ServerNeeds.heap(size.pick(512, 2048, 2048));
  }

  private static int rows(Size size) {
    return size.pick(2_000, 200_000, 1_000_000);
  }

  @Override
  public List<String> arms(Size size) {
    return List.of(SCAN, THREADS, FILES, MAPREDUCE);
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows",
        rows(size) + ", of a key of 12 and a value of 20 bytes",
        "regions",
        "%d of the table, %d of the index".formatted(REGIONS, REGIONS),
        "threads",
        Integer.toString(BuildOptions.DEFAULT.threads()),
        "local runner",
        "as many tasks at once as there are processors");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Store store = Store.indexed(lab, name(), Pairs.index("deferred"));
    Lab.cleaningUp(
        () -> drop(store),
        () -> {
          try (DeliConnection builder = builder(lab)) {
            lab.rounds(
                "build",
                lab.wanted(arms(lab.size()), Function.identity()),
                Function.identity(),
                () -> fill(store),
                (arm, recorder) -> {
                  if (arm.equals(SCAN)) {
                    measure(lab, recorder, () -> scan(store));
                  } else {
                    build(store, arm, builder.getDeliAdmin(), recorder);
                  }
                });
          }
        });
  }

  private static DeliConnection builder(Lab lab) throws IOException {
    Configuration conf = new Configuration(lab.plain().getConfiguration());
    conf.setLong(DeliSettings.DEFINITIONS_LEASE.key(), LEASE_MILLIS);
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    return DeliConnection.wrap(ConnectionFactory.createConnection(conf));
  }

  private static void drop(Store store) throws IOException {
    try (Admin admin = store.lab().admin()) {
      if (admin.tableExists(store.table())) {
        DeliAdmin deli = store.lab().deliAdmin();
        for (IndexDefinition index : deli.list(store.table())) {
          deli.dropIndex(store.table(), index.name());
        }
      }
    }
    store.drop();
  }

  private static void fill(Store store) throws IOException {
    drop(store);
    int rows = rows(store.lab().size());
    byte[][] splits =
        IntStream.range(1, REGIONS)
            .mapToObj(i -> Pairs.key((int) ((long) rows * i / REGIONS)))
            .toArray(byte[][]::new);
    try (Admin admin = store.lab().admin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(store.table())
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Pairs.FAMILY))
              .build(),
          splits);
      store.fill(rows, row -> true, row -> put(row, rows));
      admin.flush(store.table());
    }
  }

  private static Put put(int row, int rows) {
    int value = (int) (row * STRIDE % rows) / 2;
    return new Put(Pairs.key(row))
        .addColumn(Pairs.FAMILY, Pairs.VALUE.qualifier(), Pairs.value(value));
  }

  private static double scan(Store store) throws IOException {
    long begun = System.nanoTime();
    long rows = 0;
    try (Table table = store.lab().plain().getTable(store.table());
        ResultScanner scanner = table.getScanner(new Scan().setCacheBlocks(false))) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    requireAll(store, rows);
    return (System.nanoTime() - begun) / 1e9;
  }

  /** Measures a build of an index, which is dropped then. */
  private static void build(Store store, String arm, DeliAdmin builder, Recorder recorder)
      throws IOException {
    Lab lab = store.lab();
    lab.deliAdmin()
        .createIndex(
            store.table(),
            store.indexes().get(0),
            CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD).withRegions(REGIONS));
    lab.quiet();
    lab.tell("building");
    measure(
        lab,
        recorder,
        () -> {
          BuildReport report =
              arm.equals(MAPREDUCE)
                  ? builder.build(
                      store.table(), Pairs.INDEX, new MapReduceEngine(), ProgressListener.NONE)
                  : builder.build(store.table(), Pairs.INDEX, options(arm), ProgressListener.NONE);
          requireAll(store, report.entries());
          return report.reading().toNanos() / 1e9;
        });
    lab.deliAdmin().dropIndex(store.table(), Pairs.INDEX);
  }

  private static BuildOptions options(String arm) {
    return arm.equals(FILES)
        ? BuildOptions.DEFAULT.withWriter(new EntryFiles())
        : BuildOptions.DEFAULT;
  }

  private static void requireAll(Store store, long found) throws IOException {
    int rows = rows(store.lab().size());
    if (found != rows) {
      throw new IOException("went through %d rows of %d".formatted(found, rows));
    }
  }

  private static void measure(Lab lab, Recorder recorder, Passage passage) throws IOException {
    Optional<Duration> client = clientCpu();
    Optional<Duration> server = lab.serverCpu();
    double seconds = passage.run();
    recorder.add(RATE, "", "rows/s", rows(lab.size()) / seconds);
    addCpu(lab, recorder, "client", client, clientCpu());
    addCpu(lab, recorder, "server", server, lab.serverCpu());
  }

  private static Optional<Duration> clientCpu() {
    return ProcessHandle.current().info().totalCpuDuration();
  }

  private static void addCpu(
      Lab lab, Recorder recorder, String process, Optional<Duration> from, Optional<Duration> to) {
    if (from.isPresent() && to.isPresent()) {
      double micros = to.get().minus(from.get()).toNanos() / 1e3;
      recorder.add(CPU, process, "µs/row", micros / rows(lab.size()));
    }
  }

  @Override
  public List<Plot> plots() {
    return List.of(
        Plot.groups("rate", "Rows that are read, and entered in an index", RATE, ""),
        Plot.groups("cpu", "CPU time for a row", CPU, "process"));
  }

  @Override
  public List<Check> checks(Results results) {
    return List.of(
        fastEnough(results, THREADS), fastEnough(results, FILES), fastEnough(results, MAPREDUCE));
  }

  private static Check fastEnough(Results results, String arm) {
    return Check.atLeast(
        "rows a second: %s / scan (aim)".formatted(arm), results.ratio(RATE, "", arm, SCAN), AIM);
  }
}
