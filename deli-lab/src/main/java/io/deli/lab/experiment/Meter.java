package io.deli.lab.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

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

  private static final Map<String, String> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("rate", "operations/s");
    UNITS.put("seconds", "s");
    UNITS.put("mean", "ms");
    UNITS.put("99 %", "ms");
    for (String kind : List.of("INSERT", "UPDATE", "READ", "READVALUE", "RANGELOOKUP", "reads")) {
      UNITS.put(MEAN_OF + kind, "ms");
    }
    UNITS.put(BLOCKS, BLOCKS);
    UNITS.put("blocks from files", BLOCKS);
    UNITS.put(PER_OPERATION, PER_OPERATION);
    UNITS.put("blocks from files/operation", PER_OPERATION);
    UNITS.put(DISK, "MB");
    UNITS.put("MB", "MB");
    UNITS.put("MB of base", "MB");
    UNITS.put("MB of index", "MB");
    UNITS.put("entries", "entries");
    UNITS.put("client" + CPU, "µs/row");
    UNITS.put("server" + CPU, "µs/row");
    UNITS.put("CPU", "µs/operation");
    UNITS.put(WRONG_ANSWERS, "% of lookups");
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
    boolean blocks = wanted.stream().anyMatch(each -> each.quantity().startsWith(BLOCKS));
    boolean disk = wanted.stream().anyMatch(each -> each.quantity().equals(DISK));
    return new Meter(
        trial,
        blocks ? Optional.of(ServerCounters.of(trial.lab().plain())) : Optional.empty(),
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
}
