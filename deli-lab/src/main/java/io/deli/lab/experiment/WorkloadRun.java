package io.deli.lab.experiment;

import io.deli.ycsb.ValueRead;
import io.deli.ycsb.ValueReads;
import io.deli.ycsb.ValueWorkload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.HdrHistogram.ConcurrentHistogram;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

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
    Outcome all = Workers.run(time, rate, threads, thread -> new TimedBinding(thread, nanos, left));
    return new Outcome(
        all.operations(),
        all.seconds(),
        all.stepNanos(),
        new TreeMap<>(nanos),
        trial.answers().takeCounts());
  }

  /**
   * The binding of one thread, whose operations are timed by their kind, and of which none may
   * fail: an experiment counts no errors.
   */
  @SuppressWarnings({"NonApiType", "JdkObsolete"}) // of YCSB's own interface
  final class TimedBinding extends DB implements ValueReads, Workers.Worker {
    private static final int DIGITS = 3;

    private final Map<String, ConcurrentHistogram> nanos;
    private final AtomicLong left;
    private final DB binding = trial().table().binding();
    private final boolean places = Boolean.parseBoolean(properties().getProperty(Places.PROPERTY));
    private final String suffix = properties().getProperty(Workloads.SUFFIX, "");

    /** Compares this thread's answers, if they are to be. */
    private final Optional<AnswerCheck.Own> answers;

    /** Is asked instead of lookups by a range, if there are any squares. */
    private final Optional<Places.Squares> squares;

    TimedBinding(int thread, Map<String, ConcurrentHistogram> nanos, AtomicLong left)
        throws IOException {
      this.nanos = nanos;
      this.left = left;
      long rows = Workloads.rows(trial().stage().workload());
      double checked = Double.parseDouble(properties().getProperty(Workloads.CHECKED, "0"));
      answers =
          checked > 0
              ? Optional.of(trial().answers().own(thread, threads(), rows, checked))
              : Optional.empty();
      int hits = Integer.parseInt(properties().getProperty(Places.SQUARES, "0"));
      squares =
          hits == 0
              ? Optional.empty()
              : Optional.of(new Places.Squares((HBaseTable) trial().table(), hits));
      setProperties(properties());
      binding.setProperties(properties());
      try {
        binding.init();
      } catch (DBException e) {
        throw new IOException(e);
      }
    }

    @Override
    public int run(RandomGenerator random) {
      if (left.getAndDecrement() <= 0) {
        return 0;
      }
      if (inserting()) {
        workload().doInsert(this, null);
      } else {
        workload().doTransaction(this, null);
      }
      return 1;
    }

    @Override
    public void close() throws IOException {
      try {
        binding.cleanup();
      } catch (DBException e) {
        throw new IOException(e);
      }
      if (squares.isPresent()) {
        squares.get().close();
      }
    }

    private Status time(String kind, Supplier<Status> operation) {
      long start = System.nanoTime();
      Status status = operation.get();
      nanos
          .computeIfAbsent(kind, each -> new ConcurrentHistogram(DIGITS))
          .recordValue(System.nanoTime() - start);
      if (!status.isOk() && !status.equals(Status.NOT_FOUND)) {
        throw new IllegalStateException(
            "%s failed: %s; the log has the cause".formatted(kind, status.getName()));
      }
      return status;
    }

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      return time("READ", () -> binding.read(table, key, fields, result));
    }

    /** Nothing that workloads of experiments do. */
    @Override
    public Status scan(
        String table,
        String startkey,
        int recordcount,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      String own = answers.map(AnswerCheck.Own::next).orElse(key);
      if (places) {
        values.put(
            Places.FIELD, new ByteArrayByteIterator(Places.of(key + values.get(Workloads.FIELD))));
      }
      return write("UPDATE", own, values, () -> binding.update(table, own, values));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      if (places) {
        values.put(Places.FIELD, new ByteArrayByteIterator(Places.of(key)));
      }
      return write("INSERT", key, values, () -> binding.insert(table, key, values));
    }

    private Status write(
        String kind, String key, Map<String, ByteIterator> values, Supplier<Status> write) {
      Supplier<Status> timed = () -> time(kind, write);
      return answers
          .map(own -> own.write(key, values.get(Workloads.FIELD).toString(), timed))
          .orElseGet(timed);
    }

    @Override
    public Status delete(String table, String key) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status find(String table, ValueRead read, List<HashMap<String, ByteIterator>> result) {
      if (squares.isPresent() && read.kind() == ValueRead.Kind.RANGELOOKUP) {
        return time(read.kind().name(), this::readSquare);
      }
      ValueRead asked =
          new ValueRead(
              read.kind(),
              read.field(),
              read.operands().stream().map(operand -> operand + suffix).toList(),
              read.limit(),
              read.fields());
      Supplier<Status> timed =
          () -> time(read.kind().name(), () -> ((ValueReads) binding).find(table, asked, result));
      return answers.map(own -> own.find(asked, result, timed)).orElseGet(timed);
    }

    private Status readSquare() {
      try {
        squares.orElseThrow().run(ThreadLocalRandom.current());
        return Status.OK;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
