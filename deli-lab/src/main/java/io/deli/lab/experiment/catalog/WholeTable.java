package io.deli.lab.experiment.catalog;

import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.config.DeliSettings;
import io.deli.index.IndexDefinition;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A table of small rows in some regions, and what it costs for a row to go through all of them, in
 * one way or another.
 */
record WholeTable(Store store, int rows) {
  static final String RATE = "rate";
  static final String CPU = "CPU";

  private static final int REGIONS = 4;

  /** A prime, so that neighbours in the table are none in the index. */
  private static final long STRIDE = 2_654_435_761L;

  /** Nobody writes meanwhile, for whom a build would have to wait. */
  private static final long LEASE_MILLIS = 100;

  /** So old that none of them may seem to be just being written. */
  private static final Duration AGE = Duration.ofHours(1);

  /** Something that goes through all rows; returns the seconds that it took. */
  @FunctionalInterface
  interface Passage {
    double run() throws IOException;
  }

  /** What the figures depend on, and some more. */
  static Map<String, String> parameters(int rows, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(more);
    all.put("rows", rows + ", of a key of 12 and a value of 20 bytes");
    all.put("regions", "%d of the table, %d of the index".formatted(REGIONS, REGIONS));
    return all;
  }

  /** For those who build an index of it. */
  static Configuration configuration(Lab lab) {
    Configuration conf = new Configuration(lab.plain().getConfiguration());
    conf.setLong(DeliSettings.DEFINITIONS_LEASE.key(), LEASE_MILLIS);
    return conf;
  }

  void drop() throws IOException {
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

  /** Creates it anew, without an index. */
  void fill() throws IOException {
    drop();
    byte[][] splits =
        IntStream.range(1, REGIONS)
            .mapToObj(i -> Pairs.key((int) ((long) rows * i / REGIONS)))
            .toArray(byte[][]::new);
    long timestamp = System.currentTimeMillis() - AGE.toMillis();
    try (Admin admin = store.lab().admin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(store.table())
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Pairs.FAMILY))
              .build(),
          splits);
      store.fill(rows, row -> true, row -> put(row, timestamp));
      admin.flush(store.table());
    }
  }

  private Put put(int row, long timestamp) {
    int value = (int) (row * STRIDE % rows) / 2;
    return new Put(Pairs.key(row), timestamp)
        .addColumn(Pairs.FAMILY, Pairs.VALUE.qualifier(), Pairs.value(value));
  }

  /** Creates its index, to be built. */
  void createIndex() throws IOException {
    store
        .lab()
        .deliAdmin()
        .createIndex(
            store.table(),
            store.indexes().get(0),
            CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD).withRegions(REGIONS));
  }

  /** A passage of a client without DELI. */
  double scan() throws IOException {
    long begun = System.nanoTime();
    long found = 0;
    try (Table table = store.lab().plain().getTable(store.table());
        ResultScanner scanner = table.getScanner(new Scan().setCacheBlocks(false))) {
      while (scanner.next() != null) {
        found++;
      }
    }
    requireAll(found);
    return (System.nanoTime() - begun) / 1e9;
  }

  void requireAll(long found) throws IOException {
    if (found != rows) {
      throw new IOException("went through %d rows of %d".formatted(found, rows));
    }
  }

  /** Records rate and CPU time. */
  void measure(Recorder recorder, Passage passage) throws IOException {
    Optional<Duration> client = clientCpu();
    Optional<Duration> server = store.lab().serverCpu();
    double seconds = passage.run();
    recorder.add(RATE, "", "rows/s", rows / seconds);
    addCpu(recorder, "client", client, clientCpu());
    addCpu(recorder, "server", server, store.lab().serverCpu());
  }

  private static Optional<Duration> clientCpu() {
    return ProcessHandle.current().info().totalCpuDuration();
  }

  private void addCpu(
      Recorder recorder, String process, Optional<Duration> from, Optional<Duration> to) {
    if (from.isPresent() && to.isPresent()) {
      double micros = to.get().minus(from.get()).toNanos() / 1e3;
      recorder.add(CPU, process, "µs/row", micros / rows);
    }
  }
}
