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
    int hits = Integer.parseInt(properties.getProperty(Places.SQUARES, "0"));
    Optional<Places.Squares> squares =
        hits == 0
            ? Optional.empty()
            : Optional.of(new Places.Squares((HBaseTable) trial.table(), hits));
    DB binding = new TimedBinding(trial.table().binding(), nanos, properties, own, squares);
    try {
      binding.init();
    } catch (DBException e) {
      throw new IOException(e);
    }
    return new Workers.Closing(
        () -> {
          close(binding);
          if (squares.isPresent()) {
            squares.get().close();
          }
        },
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

  /**
   * A binding whose operations are timed by their kind, and of which none may fail: an experiment
   * counts no errors.
   */
  @SuppressWarnings({"NonApiType", "JdkObsolete"}) // of YCSB's own interface
  static final class TimedBinding extends DB implements ValueReads {
    private static final int DIGITS = 3;

    private final DB binding;
    private final Map<String, ConcurrentHistogram> nanos;
    private final boolean places;
    private final String suffix;
    private final Optional<AnswerCheck.Own> answers;
    private final Optional<Places.Squares> squares;

    /**
     * A binding.
     *
     * @param answers what this thread's are compared with, if they are
     * @param squares what lookups by a range ask for, if not for that
     */
    TimedBinding(
        DB binding,
        Map<String, ConcurrentHistogram> nanos,
        Properties properties,
        Optional<AnswerCheck.Own> answers,
        Optional<Places.Squares> squares) {
      this.binding = binding;
      this.nanos = nanos;
      this.answers = answers;
      this.squares = squares;
      this.places = Boolean.parseBoolean(properties.getProperty(Places.PROPERTY));
      this.suffix = properties.getProperty(Workloads.SUFFIX, "");
      setProperties(properties);
    }

    @Override
    public void init() throws DBException {
      binding.setProperties(getProperties());
      binding.init();
    }

    @Override
    public void cleanup() throws DBException {
      binding.cleanup();
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
