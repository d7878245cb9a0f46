package io.deli.lab.experiment;

import io.deli.ycsb.ValueWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import site.ycsb.DB;
import site.ycsb.DBException;

/** A workload that threads drive, each by a binding of its own: its inserts or its transactions. */
record WorkloadRun(
    Trial trial,
    Properties properties,
    ValueWorkload workload,
    boolean inserting,
    int threads,
    OptionalDouble rate) {

  Outcome times(long operations) throws IOException {
    return run(Optional.empty(), operations);
  }

  /** As many operations as are done in the time, and one of each thread at least. */
  Outcome during(Duration time) throws IOException {
    return run(Optional.of(time), Long.MAX_VALUE);
  }

  private Outcome run(Optional<Duration> time, long operations) throws IOException {
    Map<String, ConcurrentHistogram> nanos = new ConcurrentHashMap<>();
    AtomicLong left = new AtomicLong(operations);
    Outcome all = Workers.run(time, rate, threads, thread -> worker(thread, nanos, left));
    return new Outcome(
        all.operations(),
        all.seconds(),
        all.stepNanos(),
        new TreeMap<>(nanos),
        trial.answers().takeCounts());
  }

  private Workers.Worker worker(int thread, Map<String, ConcurrentHistogram> nanos, AtomicLong left)
      throws IOException {
    Optional<AnswerCheck.Own> own =
        Boolean.parseBoolean(properties.getProperty(Workloads.CHECKED))
            ? Optional.of(
                trial.answers().own(thread, threads, Workloads.rows(trial.stage().workload())))
            : Optional.empty();
    DB binding = new TimedBinding(trial.table().binding(), nanos, properties, own);
    try {
      binding.init();
    } catch (DBException e) {
      throw new IOException(e);
    }
    return new Workers.Closing(
        () -> close(binding),
        random -> {
          if (left.getAndDecrement() <= 0) {
            return 0;
          }
          if (inserting) {
            workload.doInsert(binding, null);
          } else {
            workload.doTransaction(binding, null);
          }
          return 1;
        });
  }

  private static void close(DB binding) throws IOException {
    try {
      binding.cleanup();
    } catch (DBException e) {
      throw new IOException(e);
    }
  }
}
