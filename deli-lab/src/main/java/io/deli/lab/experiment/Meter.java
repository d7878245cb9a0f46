package io.deli.lab.experiment;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Everything that can be recorded of a step: what it timed itself, and what counters of servers and
 * processes say since the meter was started. Counters are asked only if somebody wants them.
 */
final class Meter {
  private static final String MEAN_OF = "mean ";

  private static final String DISK = "MB from disk";
  private static final String CPU = " CPU";
  private static final String WRONG_ANSWERS = "wrong answers";
  private static final String BLOCKS = "blocks";
  private static final String PER_OPERATION = "blocks/operation";
  private static final String WRITTEN = "MB written by ";

  private static final Map<String, String> UNITS = new LinkedHashMap<>();

  static {
    units("operations/s", "rate");
    units("s", "seconds");
    units("ms", "mean", "99 %", "longest", MEAN_OF + "INSERT", MEAN_OF + "UPDATE");
    units("ms", MEAN_OF + "READ", MEAN_OF + "READVALUE", MEAN_OF + "RANGELOOKUP");
    units("ms", MEAN_OF + "reads");
    units(BLOCKS, BLOCKS, "blocks from files");
    units(PER_OPERATION, PER_OPERATION, "blocks from files/operation");
    units("MB", DISK, WRITTEN + "flushes", WRITTEN + "compactions");
    units("MB", "MB", "MB of base", "MB of index", "MB of heap");
    units("entries", "entries");
    units("µs/row", "client" + CPU, "server" + CPU);
    units("µs/operation", "CPU");
    units("% of lookups", WRONG_ANSWERS);
  }

  private static void units(String unit, String... quantities) {
    for (String quantity : quantities) {
      UNITS.put(quantity, unit);
    }
  }

  private final Trial trial;
  private final Optional<ServerCounters> counters;
  private final OptionalLong disk;
  private final Optional<Duration> client = clientCpu();
  private final Optional<Duration> server;

  private Meter(Trial trial, Optional<ServerCounters> counters, OptionalLong disk) {
    this.trial = trial;
    this.counters = counters;
    this.disk = disk;
    this.server = trial.table().premises().cpu();
  }

  static Optional<String> unit(String quantity) {
    return Optional.ofNullable(UNITS.get(quantity));
  }

  static String names() {
    return String.join(", ", UNITS.keySet());
  }

  static Meter start(Trial trial, List<Recording> wanted) throws IOException {
    boolean counters =
        wanted.stream()
            .map(Recording::quantity)
            .anyMatch(each -> each.startsWith(BLOCKS) || each.startsWith(WRITTEN));
    boolean disk = wanted.stream().anyMatch(each -> each.quantity().equals(DISK));
    return new Meter(
        trial,
        counters ? Optional.of(ServerCounters.of(trial.lab().plain())) : Optional.empty(),
        disk ? trial.table().premises().bytesFromDisk() : OptionalLong.empty());
  }

  private static Optional<Duration> clientCpu() {
    return ProcessHandle.current().info().totalCpuDuration();
  }

  /** Records what is wanted of a step, as far as it is known, at its x or that of the recording. */
  void record(List<Recording> wanted, Outcome outcome, String x, Lab.Recorder recorder)
      throws IOException {
    Map<String, Double> found = new LinkedHashMap<>(outcome.values());
    addTimes(found, outcome);
    addCounters(found, (double) outcome.operations());
    for (Recording each : wanted) {
      Optional.ofNullable(found.get(each.quantity()))
          .ifPresent(value -> recorder.add(each.measure(), each.x().orElse(x), each.unit(), value));
    }
  }

  private static void addTimes(Map<String, Double> found, Outcome outcome) {
    double checked = outcome.values().getOrDefault(AnswerCheck.CHECKED, 0.0);
    if (checked > 0) {
      found.put(WRONG_ANSWERS, 100 * outcome.values().get(AnswerCheck.WRONG) / checked);
    }
    found.put("rate", outcome.operations() / outcome.seconds());
    found.put("seconds", outcome.seconds());
    found.put("mean", outcome.stepNanos().getMean() / 1e6);
    found.put("99 %", outcome.stepNanos().getValueAtPercentile(99) / 1e6);
    found.put("longest", outcome.stepNanos().getMaxValue() / 1e6);
    Histogram reads = new Histogram(3);
    outcome
        .nanos()
        .forEach(
            (kind, nanos) -> {
              found.put(MEAN_OF + kind, nanos.getMean() / 1e6);
              if (kind.startsWith("READ")) {
                reads.add(nanos);
              }
            });
    if (reads.getTotalCount() > 0) {
      found.put(MEAN_OF + "reads", reads.getMean() / 1e6);
    }
  }

  private void addCounters(Map<String, Double> found, double operations) throws IOException {
    if (counters.isPresent()) {
      ServerCounters counted = ServerCounters.of(trial.lab().plain()).since(counters.get());
      found.put(BLOCKS, (double) counted.blocks());
      found.put("blocks from files", (double) counted.blocksFromFiles());
      found.put(PER_OPERATION, counted.blocks() / operations);
      found.put("blocks from files/operation", counted.blocksFromFiles() / operations);
      found.put(WRITTEN + "flushes", counted.bytesFlushed() / 1e6);
      found.put(WRITTEN + "compactions", counted.bytesCompacted() / 1e6);
    }
    if (disk.isPresent()) {
      long now = trial.table().premises().bytesFromDisk().orElse(disk.getAsLong());
      found.put(DISK, (now - disk.getAsLong()) / 1e6);
    }
    micros(client, clientCpu()).ifPresent(all -> found.put("client" + CPU, all / operations));
    micros(server, trial.table().premises().cpu())
        .ifPresent(all -> found.put("server" + CPU, all / operations));
    if (found.keySet().containsAll(List.of("client" + CPU, "server" + CPU))) {
      found.put("CPU", found.get("client" + CPU) + found.get("server" + CPU));
    }
  }

  private static OptionalDouble micros(Optional<Duration> from, Optional<Duration> to) {
    return from.isPresent() && to.isPresent()
        ? OptionalDouble.of(to.get().minus(from.get()).toNanos() / 1e3)
        : OptionalDouble.empty();
  }

  /**
   * A figure of a step that is recorded: {@code MEASURE @ X: QUANTITY [UNIT]} in a spec, where X is
   * the step's and the unit the quantity's unless they are given.
   *
   * @param quantity one that {@link Meter} knows
   */
  record Recording(String measure, Optional<String> x, String quantity, String unit) {
    /**
     * The recordings of a step: {@code operation: NAME} is short for latency and blocks of one,
     * {@code throughput: NAME} for throughput and latency.
     */
    static List<Recording> of(SpecNode node) {
      List<Recording> all = new ArrayList<>();
      node.optional("throughput")
          .ifPresent(
              name -> {
                all.add(of(node, name + " throughput", "rate"));
                addLatency(all, node, name);
              });
      node.optional("operation")
          .ifPresent(
              name -> {
                addLatency(all, node, name);
                all.add(of(node, name + " blocks", "blocks/operation"));
                all.add(of(node, name + " blocks from files", "blocks from files/operation"));
              });
      all.addAll(of(node, "record"));
      return all;
    }

    private static void addLatency(List<Recording> all, SpecNode node, String name) {
      all.add(of(node, name + " latency", "mean"));
      all.add(of(node, name + " latency, 99 %", "99 %"));
    }

    static List<Recording> of(SpecNode node, String key) {
      return node.map(key).entrySet().stream()
          .map((Map.Entry<String, String> each) -> of(node, each.getKey(), each.getValue()))
          .toList();
    }

    private static Recording of(SpecNode node, String key, String value) {
      String[] measure = key.split(" @ ", 2);
      String[] quantity = value.split(" \\[|]$", -1);
      if (List.of(measure).contains("") || value.isEmpty()) {
        throw node.wrong(
            "'%s: %s' says nothing: write MEASURE: QUANTITY, or MEASURE @ X: QUANTITY"
                .formatted(key, value));
      }
      String unit =
          Meter.unit(quantity[0])
              .orElseThrow(
                  () ->
                      node.wrong(
                          "there is no quantity '%s': choose from %s"
                              .formatted(quantity[0], names())));
      return new Recording(
          measure[0],
          measure.length > 1 ? Optional.of(measure[1]) : Optional.empty(),
          quantity[0],
          quantity.length > 1 ? quantity[1] : unit);
    }
  }

  /**
   * The counters of all region servers, from {@code /prometheus} of their info servers: unlike
   * {@code /jmx}, which shows values some seconds old, it asks for them anew. Zeros where there are
   * no info servers.
   */
  public record ServerCounters(
      long blocksCached, long blocksFromFiles, long bytesFlushed, long bytesCompacted) {
    private static final int ATTEMPTS = 100;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final String METRICS = "server_";
    private static final String HITS = METRICS + "block_cache_hit_count{";
    private static final String MISSES = METRICS + "block_cache_miss_count{";
    private static final String FLUSHED = METRICS + "flushed_output_bytes{";
    private static final String COMPACTED = METRICS + "compacted_output_bytes{";
    private static final List<String> ALL = List.of(HITS, MISSES, FLUSHED, COMPACTED);

    public static ServerCounters of(Connection connection) throws IOException {
      List<String> lines = new ArrayList<>();
      try (Admin admin = connection.getAdmin()) {
        for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
          if (server.getInfoServerPort() > 0) {
            lines.addAll(lines(server.getServerName().getHostname(), server.getInfoServerPort()));
          }
        }
      }
      return of(lines);
    }

    static ServerCounters of(List<String> lines) {
      return new ServerCounters(
          sum(lines, HITS), sum(lines, MISSES), sum(lines, FLUSHED), sum(lines, COMPACTED));
    }

    /**
     * Asks again in moments when HBase fills its metrics anew, as it does when regions come or go.
     */
    private static List<String> lines(String host, int port) throws IOException {
      URI page = URI.create("http://%s:%d/prometheus?qry=%s".formatted(host, port, METRICS));
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        List<String> lines = lines(page);
        if (ALL.stream().allMatch(counter -> has(lines, counter))) {
          return lines;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      throw new IOException(page + " does not tell all of " + ALL);
    }

    private static List<String> lines(URI page) throws IOException {
      try (InputStream in = page.toURL().openStream()) {
        String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        return all.lines().filter(line -> line.startsWith(METRICS)).toList();
      } catch (FileNotFoundException e) {
        throw new IOException(
            page + " is not there, so blocks cannot be counted: HBase has had it since 2.6", e);
      }
    }

    private static boolean has(List<String> lines, String counter) {
      return lines.stream().anyMatch(line -> line.startsWith(counter));
    }

    private static long sum(List<String> lines, String counter) {
      return lines.stream()
          .filter(line -> line.startsWith(counter))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }

    public ServerCounters since(ServerCounters before) {
      return new ServerCounters(
          blocksCached - before.blocksCached,
          blocksFromFiles - before.blocksFromFiles,
          bytesFlushed - before.bytesFlushed,
          bytesCompacted - before.bytesCompacted);
    }

    /** Blocks that readers looked into, wherever they came from. */
    public long blocks() {
      return blocksCached + blocksFromFiles;
    }
  }
}
