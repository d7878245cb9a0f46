package io.deli.lab.torture;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.service.Flush;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Writers that never rest, a few readers, compactions that collect all the time and regions that
 * move. Meanwhile memory, queues and other work are watched: a plain table beside the load, whose
 * calls would take long if handlers were starved.
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
  private static final long SECOND_MILLIS = 1_000;

  private final Connection plain;
  private final DeliConnection indexed;
  private final TableName name;
  private final TableName canary;
  private final LongAdder writes = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Random random = new Random(ROWS);
  private final List<Long> moves = new ArrayList<>();

  /** By process the bytes in use, garbage included, at each look. */
  private final Map<String, List<Long>> heaps = new TreeMap<>();

  private final Histogram canaryMicros = new Histogram(3);
  private long queuedCalls;

  public Soak(Connection plain, DeliConnection indexed, TableName name) {
    this.plain = plain;
    this.indexed = indexed;
    this.name = name;
    this.canary = TableName.valueOf(name.getNameAsString() + "_canary");
  }

  /** Runs; drops what it created, unless base and index differ. */
  public SoakReport run(Duration length, ProgressListener progress) throws Exception {
    try (Admin admin = plain.getAdmin()) {
      create(admin, name, row(ROWS / 4), row(ROWS / 2), row(ROWS / 4 * 3));
      DeliAdmin.of(plain).createIndex(name, IndexDefinition.on(INDEX, COLUMN));
      create(admin, canary);
      try {
        saturate(admin, length, progress);
        return report(length, progress);
      } finally {
        TortureWorkload.drop(plain, canary);
      }
    }
  }

  private void saturate(Admin admin, Duration length, ProgressListener progress) throws Exception {
    LongAdder steps = new LongAdder();
    try (Repeaters threads = new Repeaters()) {
      for (int i = 0; i < WRITERS + READERS; i++) {
        DeliTable table = indexed.getTable(name);
        threads.start(i < WRITERS ? () -> write(table) : () -> read(table), 0, steps, steps);
      }
      LongAdder seconds = new LongAdder();
      threads.start(() -> disturb(admin, seconds.sum()), SECOND_MILLIS, seconds, seconds);
      long begun = System.nanoTime();
      for (Duration passed = Duration.ZERO; passed.compareTo(length) < 0; passed = since(begun)) {
        progress.progress("soak", passed.toSeconds(), length.toSeconds());
        callCanary();
        look(admin);
        Thread.sleep(SECOND_MILLIS);
      }
      threads.end();
    }
  }

  private static Duration since(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static void create(Admin admin, TableName table, byte[]... splits) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(COLUMN.family()))
            .build(),
        splits.length == 0 ? null : splits);
  }

  private SoakReport report(Duration length, ProgressListener progress) throws IOException {
    DeliAdmin.of(plain).collect(name, progress);
    Audit audit = Audit.of(plain, name);
    if (audit.isExact()) {
      TortureWorkload.drop(plain, name);
    }
    return new SoakReport(
        length.toSeconds(),
        writes.sum(),
        failed.sum(),
        heaps.entrySet().stream().map(e -> SoakReport.Heap.of(e.getKey(), e.getValue())).toList(),
        queuedCalls,
        new SoakReport.Canary(
            canaryMicros.getTotalCount(),
            canaryMicros.getValueAtPercentile(50) / 1e3,
            canaryMicros.getValueAtPercentile(99) / 1e3,
            canaryMicros.getMaxValue() / 1e3),
        moves.size(),
        moves.stream().mapToLong(Long::longValue).max().orElse(0),
        audit);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row%06d".formatted(number));
  }

  private static byte[] value() {
    return Bytes.toBytes("value%05d".formatted(ThreadLocalRandom.current().nextInt(VALUES)));
  }

  private boolean write(DeliTable table) {
    List<Put> puts = new ArrayList<>();
    for (int i = ThreadLocalRandom.current().nextBoolean() ? BATCH : 1; i > 0; i--) {
      Put put = new Put(row(ThreadLocalRandom.current().nextInt(ROWS)));
      puts.add(put.addColumn(COLUMN.family(), COLUMN.qualifier(), value()));
    }
    try {
      table.put(puts);
      writes.add(puts.size());
      return true;
    } catch (IOException e) {
      failed.add(puts.size());
      return false;
    }
  }

  private static boolean read(DeliTable table) throws IOException {
    try (ValueScanner hits = table.readValue(ValueQuery.on(INDEX).equalTo(value()))) {
      hits.forEach(hit -> {});
    }
    return true;
  }

  private boolean disturb(Admin admin, long second) throws IOException {
    if (second % COMPACTION_SECONDS == COMPACTION_SECONDS - 1) {
      Flush.table(admin, name);
      admin.majorCompact(name);
    }
    if (second % MOVE_SECONDS == MOVE_SECONDS - 1) {
      moves.add(move(admin));
    }
    return true;
  }

  /** Moves a region, if there is a server to move it to, or else has it closed and opened. */
  private long move(Admin admin) throws IOException {
    List<RegionInfo> regions = admin.getRegions(name);
    List<ServerName> servers = List.copyOf(admin.getRegionServers(true));
    long begun = System.nanoTime();
    admin.move(
        regions.get(random.nextInt(regions.size())).getEncodedNameAsBytes(),
        servers.get(random.nextInt(servers.size())));
    return since(begun).toMillis();
  }

  private void callCanary() throws IOException {
    byte[] row = Bytes.toBytes(canaryMicros.getTotalCount());
    try (Table table = plain.getTable(canary)) {
      long begun = System.nanoTime();
      table.put(new Put(row).addColumn(COLUMN.family(), COLUMN.qualifier(), row));
      table.get(new Get(row));
      canaryMicros.recordValue(since(begun).toNanos() / 1_000);
    }
  }

  /** Takes nothing in moments when HBase fills its beans anew, as when regions come or go. */
  private void look(Admin admin) throws IOException {
    add("client", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
      if (server.getInfoServerPort() > 0) {
        Optional<JsonElement> heap = attribute(server, "java.lang:type=Memory", "HeapMemoryUsage");
        Optional<JsonElement> calls =
            attribute(
                server, "Hadoop:service=HBase,name=RegionServer,sub=IPC", "numCallsInGeneralQueue");
        if (heap.isPresent() && calls.isPresent()) {
          long used = heap.get().getAsJsonObject().get("used").getAsLong();
          add(server.getServerName().toShortString(), used);
          queuedCalls = Math.max(queuedCalls, calls.get().getAsLong());
        }
      }
    }
  }

  private void add(String process, long bytes) {
    heaps.computeIfAbsent(process, p -> new ArrayList<>()).add(bytes);
  }

  private static Optional<JsonElement> attribute(ServerMetrics server, String bean, String name)
      throws IOException {
    String page =
        "http://%s:%d/jmx?qry=%s"
            .formatted(server.getServerName().getHostname(), server.getInfoServerPort(), bean);
    try (Reader in =
        new InputStreamReader(URI.create(page).toURL().openStream(), StandardCharsets.UTF_8)) {
      JsonArray beans = JsonParser.parseReader(in).getAsJsonObject().getAsJsonArray("beans");
      return beans.isEmpty()
          ? Optional.empty()
          : Optional.ofNullable(beans.get(0).getAsJsonObject().get(name));
    }
  }

  /**
   * The findings of a soak.
   *
   * @param queuedCalls that waited at one server, at most
   * @param canary latencies of single operations on another, plain table
   * @param longestMoveMillis from the request to service
   */
  public record SoakReport(
      long seconds,
      long writes,
      long failedWrites,
      List<Heap> heaps,
      long queuedCalls,
      Canary canary,
      int moves,
      long longestMoveMillis,
      Audit audit) {
    /** Caches fill for some minutes; before they are full, memory says nothing. */
    private static final long JUDGED_SECONDS = 600;

    private static final long CANARY_MILLIS = 10_000;
    private static final long MOVE_MILLIS = 60_000;

    private static final double GROWTH = 1.25;
    private static final long SLACK_BYTES = 32L << 20;

    /** The bytes that a process held in the second and in the last third of the time. */
    public record Heap(String process, long middleBytes, long lastBytes, boolean flat) {
      static Heap of(String process, List<Long> samples) {
        long middle = held(samples, 1);
        long last = held(samples, 2);
        return new Heap(process, middle, last, last <= middle * GROWTH + SLACK_BYTES);
      }

      /** Right after a collection there is no garbage, so the least of many samples is held. */
      private static long held(List<Long> samples, int third) {
        return samples
            .subList(samples.size() * third / 3, samples.size() * (third + 1) / 3)
            .stream()
            .mapToLong(Long::longValue)
            .min()
            .orElse(0);
      }
    }

    public record Canary(long calls, double median, double p99, double longest) {}

    public boolean isClean() {
      return failedWrites == 0
          && (!isLong() || heaps.stream().allMatch(Heap::flat))
          && canary.longest() <= CANARY_MILLIS
          && longestMoveMillis <= MOVE_MILLIS
          && audit.isExact();
    }

    private boolean isLong() {
      return seconds >= JUDGED_SECONDS;
    }

    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add(
          "%d s, %d writes (%d a second), %d failed"
              .formatted(seconds, writes, writes / Math.max(1, seconds), failedWrites));
      for (Heap heap : heaps) {
        lines.add(
            "heap of %s: %d MB in the middle third, %d MB in the last: %s"
                .formatted(
                    heap.process(),
                    heap.middleBytes() >> 20,
                    heap.lastBytes() >> 20,
                    !isLong() ? "too short a time to tell" : heap.flat() ? "flat" : "it grows"));
      }
      lines.add("calls queued at a server, at most: " + queuedCalls);
      lines.add(
          "other work: %d calls, median %.1f ms, 99th percentile %.1f ms, longest %.1f ms"
              .formatted(canary.calls(), canary.median(), canary.p99(), canary.longest()));
      lines.add("moves of regions: %d, the longest %d ms".formatted(moves, longestMoveMillis));
      lines.add(audit.line());
      return lines;
    }
  }
}
