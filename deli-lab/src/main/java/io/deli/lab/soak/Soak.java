package io.deli.lab.soak;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.lab.torture.Audit;
import io.deli.lab.torture.TortureTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writers that never rest, a few readers, compactions that collect all the time and regions that
 * move. Meanwhile memory, queues and other work are watched.
 */
public final class Soak {
  private static final Column COLUMN = Column.parse("f:v");
  private static final String INDEX = "by_v";
  private static final int ROWS = 100_000;
  private static final int VALUES = 20_000;
  private static final int WRITERS = 48;
  private static final int READERS = 4;
  private static final int BATCH = 50;
  private static final int COMPACTION_SECONDS = 20;
  private static final int MOVE_SECONDS = 15;

  private final Connection plain;
  private final DeliConnection indexed;
  private final TableName name;
  private final LongAdder writes = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final List<Long> moves = new ArrayList<>();
  private volatile boolean over;

  public Soak(Connection plain, DeliConnection indexed, TableName name) {
    this.plain = plain;
    this.indexed = indexed;
    this.name = name;
  }

  /** Runs; drops what it created, unless base and index differ. */
  public SoakReport run(Duration length, ProgressListener progress) throws Exception {
    create();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (CanaryTable canary = CanaryTable.create(plain, name);
        Watch watch = new Watch(plain)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        running.add(threads.submit(this::write));
      }
      for (int i = 0; i < READERS; i++) {
        running.add(threads.submit(this::read));
      }
      running.add(threads.submit(this::disturb));
      long begun = System.nanoTime();
      for (Duration passed = Duration.ZERO; passed.compareTo(length) < 0; passed = since(begun)) {
        progress.progress("soak", passed.toSeconds(), length.toSeconds());
        canary.call();
        watch.look();
        Thread.sleep(1_000);
      }
      over = true;
      for (Future<?> thread : running) {
        thread.get();
      }
      return end(length, canary, watch, progress);
    } finally {
      over = true;
      threads.shutdownNow();
    }
  }

  private static Duration since(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private SoakReport end(
      Duration length, CanaryTable canary, Watch watch, ProgressListener progress)
      throws IOException {
    DeliAdmin.of(plain).collect(name, progress);
    Audit audit = Audit.of(plain, name);
    if (audit.isExact()) {
      TortureTable.drop(plain, name);
    }
    return new SoakReport(
        length.toSeconds(),
        writes.sum(),
        failed.sum(),
        watch.heaps(),
        watch.queuedCalls(),
        canary.latencies(),
        moves.size(),
        moves.stream().mapToLong(Long::longValue).max().orElse(0),
        audit);
  }

  private void create() throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(COLUMN.family()))
            .build();
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(table, new byte[][] {row(ROWS / 4), row(ROWS / 2), row(ROWS / 4 * 3)});
    }
    DeliAdmin.of(plain).createIndex(name, IndexDefinition.on(INDEX, COLUMN));
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row%06d".formatted(number));
  }

  private static byte[] value(Random random) {
    return Bytes.toBytes("value%05d".formatted(random.nextInt(VALUES)));
  }

  private Void write() throws IOException {
    Random random = ThreadLocalRandom.current();
    try (DeliTable table = indexed.getTable(name)) {
      while (!over) {
        List<Put> puts = new ArrayList<>();
        for (int i = random.nextBoolean() ? BATCH : 1; i > 0; i--) {
          puts.add(
              new Put(row(random.nextInt(ROWS)))
                  .addColumn(COLUMN.family(), COLUMN.qualifier(), value(random)));
        }
        try {
          table.put(puts);
          writes.add(puts.size());
        } catch (IOException e) {
          failed.add(puts.size());
        }
      }
    }
    return null;
  }

  private Void read() throws IOException {
    try (DeliTable table = indexed.getTable(name)) {
      while (!over) {
        byte[] value = value(ThreadLocalRandom.current());
        try (ValueScanner hits = table.readValue(ValueQuery.on(INDEX).equalTo(value))) {
          hits.forEach(hit -> {});
        }
      }
    }
    return null;
  }

  private Void disturb() throws Exception {
    Random random = new Random(ROWS);
    try (Admin admin = plain.getAdmin()) {
      for (int second = 1; !over; second++) {
        Thread.sleep(1_000);
        if (second % COMPACTION_SECONDS == 0) {
          admin.flush(name);
          admin.majorCompact(name);
        }
        if (second % MOVE_SECONDS == 0) {
          moves.add(move(admin, random));
        }
      }
    }
    return null;
  }

  /** Moves a region, if there is a server to move it to, or else has it closed and opened. */
  private long move(Admin admin, Random random) throws IOException {
    List<RegionInfo> regions = admin.getRegions(name);
    List<ServerName> servers = List.copyOf(admin.getRegionServers(true));
    long begun = System.nanoTime();
    admin.move(
        regions.get(random.nextInt(regions.size())).getEncodedNameAsBytes(),
        servers.get(random.nextInt(servers.size())));
    return since(begun).toMillis();
  }

  /** A plain table beside the load: were handlers starved, its calls would take long. */
  private static final class CanaryTable implements AutoCloseable {
    private static final byte[] FAMILY = Bytes.toBytes("f");

    private final Connection connection;
    private final TableName name;
    private final List<Double> millis = new ArrayList<>();

    private CanaryTable(Connection connection, TableName name) {
      this.connection = connection;
      this.name = name;
    }

    static CanaryTable create(Connection connection, TableName beside) throws IOException {
      TableName name = TableName.valueOf(beside.getNameAsString() + "_canary");
      try (Admin admin = connection.getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
      }
      return new CanaryTable(connection, name);
    }

    void call() throws IOException {
      byte[] row = Bytes.toBytes(millis.size());
      try (Table table = connection.getTable(name)) {
        long begun = System.nanoTime();
        table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
        table.get(new Get(row));
        millis.add((System.nanoTime() - begun) / 1e6);
      }
    }

    SoakReport.Canary latencies() {
      List<Double> sorted = new ArrayList<>(millis);
      Collections.sort(sorted);
      int last = sorted.size() - 1;
      return new SoakReport.Canary(
          sorted.size(), sorted.get(last / 2), sorted.get(last * 99 / 100), sorted.get(last));
    }

    @Override
    public void close() throws IOException {
      TortureTable.drop(connection, name);
    }
  }
}
