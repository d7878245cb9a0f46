package io.deli.lab.experiment.catalog;

import io.deli.client.ValueQuery;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.ServerCounters;
import io.deli.lab.measure.Timing;
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Function;

/** What is recorded of an operation that a thread repeats. */
final class Measured {
  private static final double TAIL = 99;

  private Measured() {}

  /** What the latency of an operation is recorded as. */
  static String latency(String operation) {
    return operation + " latency";
  }

  /** What the blocks of an operation are recorded as. */
  static String blocks(String operation) {
    return operation + " blocks";
  }

  /** What the throughput of an operation is recorded as. */
  static String throughput(String operation) {
    return operation + " throughput";
  }

  /** Records latency and blocks of an operation of one thread. */
  static void operation(
      Lab lab,
      Recorder recorder,
      String operation,
      String x,
      Duration time,
      Workers.Opening opening)
      throws IOException {
    ServerCounters before = ServerCounters.of(lab.plain());
    Timing timing = Workers.during(time, 1, opening);
    ServerCounters counted = ServerCounters.of(lab.plain()).since(before);
    recorder.add(latency(operation), x, "ms", timing.meanMillis());
    recorder.add(operation + " latency, 99 %", x, "ms", timing.millisAt(TAIL));
    perOperation(recorder, blocks(operation), x, counted.blocks(), timing);
    perOperation(recorder, operation + " blocks from files", x, counted.blocksFromFiles(), timing);
  }

  /** Records latency and blocks of reads by value of one thread. */
  static void lookups(
      Store store,
      Recorder recorder,
      String operation,
      String x,
      Duration time,
      Function<SplittableRandom, ValueQuery> queries)
      throws IOException {
    operation(
        store.lab(),
        recorder,
        operation,
        x,
        time,
        thread -> new Lookups(store.lab().deli().getTable(store.table()), queries));
  }

  private static void perOperation(
      Recorder recorder, String measure, String x, long counted, Timing timing) {
    recorder.add(measure, x, "blocks/operation", (double) counted / timing.operations());
  }

  /** Records throughput and latency of what all threads did. */
  static void throughput(Recorder recorder, String operation, String x, Timing timing) {
    recorder.add(throughput(operation), x, "operations/s", timing.rate());
    recorder.add(latency(operation), x, "ms", timing.meanMillis());
    recorder.add(operation + " latency, 99 %", x, "ms", timing.millisAt(TAIL));
  }
}
