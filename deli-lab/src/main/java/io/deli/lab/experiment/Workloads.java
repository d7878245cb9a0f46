package io.deli.lab.experiment;

import io.deli.ycsb.ValueWorkload;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.generator.AcknowledgedCounterGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.measurements.Measurements;

/** The workloads of experiments: YCSB's with reads by value, set up by its properties. */
final class Workloads {
  static final String FIELD = "field0";

  /** The property of a suffix to the values that are asked for, so that no row has them. */
  static final String SUFFIX = "suffix";

  /** The property that tells how many writes go at once. */
  static final String BATCH = "deli.ycsb.batch";

  /** The property of the share of values of which answers are compared with what was written. */
  static final String CHECKED = "checked";

  private static final String RECORDS = "recordcount";
  private static final String VALUES = "valuecount";
  private static final Set<String> PROPERTIES =
      Set.of(
          """
          recordcount places squares checked fieldcount fieldlength valuecount valuelength valuepattern
          valuedistribution valueexponent askeddistribution topk rangevalues rangeselectivity
          readallfields insertproportion readproportion updateproportion readvalueproportion
          rangelookupproportion prefixlookupproportion"""
              .split("\\s", -1));

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "insertorder", "ordered",
          "zeropadding", "9",
          "fieldcount", "1",
          "readallfields", "false",
          "writeallfields", "true",
          "insertproportion", "0",
          "readproportion", "0",
          "updateproportion", "0",
          "scanproportion", "0");

  static {
    // It has measurements of its own, which want to be set up; nobody reads them.
    Measurements.setProperties(new Properties());
  }

  private Workloads() {}

  static Map<String, String> checked(SpecNode node, String key) {
    Map<String, String> properties = node.map(key);
    for (String name : properties.keySet()) {
      if (!PROPERTIES.contains(name)) {
        throw node.wrong(
            "%s: there is no property '%s': choose from %s"
                .formatted(key, name, new TreeSet<>(PROPERTIES)));
      }
    }
    return properties;
  }

  /** As YCSB makes them of the numbers of rows. */
  static String key(long row) {
    return "user%09d".formatted(row);
  }

  /** As the workload makes them of the numbers of values. */
  static String value(long number) {
    return "%020d".formatted(number);
  }

  static long rows(Map<String, String> workload) {
    return Long.parseLong(workload.getOrDefault(RECORDS, "0"));
  }

  static long values(Map<String, String> workload) {
    return Long.parseLong(workload.getOrDefault(VALUES, "1"));
  }

  /** The properties of a trial: its stage's, and a step's own. */
  static Properties properties(Trial trial, Map<String, String> own) {
    Map<String, String> all = new TreeMap<>(DEFAULTS);
    all.putAll(trial.stage().workload());
    all.putAll(own);
    Properties properties = new Properties();
    properties.putAll(all);
    trial.table().describe(properties);
    return properties;
  }

  /** One that inserts every so manieth row; operations choose among so many that are there. */
  static ValueWorkload of(Properties properties, long first, long step, long there) {
    ValueWorkload workload = new Numbered(first, step, there);
    try {
      workload.init(properties);
      return workload;
    } catch (WorkloadException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Chooses evenly among all rows that are there, and reads them whole. */
  private static final class Numbered extends ValueWorkload {
    private final long first;
    private final long step;
    private final long there;

    Numbered(long first, long step, long there) {
      this.first = first;
      this.step = step;
      this.there = there;
    }

    @Override
    public void init(Properties properties) throws WorkloadException {
      super.init(properties);
      AtomicLong next = new AtomicLong(first);
      keysequence = new Numbers(() -> next.getAndAdd(step));
      transactioninsertkeysequence = new AcknowledgedCounterGenerator(there);
      keychooser =
          new Numbers(
              () ->
                  ThreadLocalRandom.current()
                      .nextLong(transactioninsertkeysequence.lastValue() + 1));
    }

    @Override
    public void doTransactionRead(DB db) {
      String key = buildKeyName(keychooser.nextValue().longValue());
      db.read(table, key, null, new HashMap<>());
    }
  }

  private static final class Numbers extends NumberGenerator {
    private final LongSupplier next;

    Numbers(LongSupplier next) {
      this.next = next;
    }

    @Override
    public Number nextValue() {
      return next.getAsLong();
    }

    @Override
    public double mean() {
      throw new UnsupportedOperationException("it has no end");
    }
  }
}
