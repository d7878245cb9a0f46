package io.deli.ycsb;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.math3.random.AbstractRandomGenerator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.RandomByteIterator;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.WorkloadException;
import site.ycsb.generator.ExponentialGenerator;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload with reads by value.
 *
 * <p>One field, the indexed one, gets its values from a distribution; every update changes it. The
 * other fields are random, as in {@link CoreWorkload}. Beyond its operations there are READVALUE,
 * RANGELOOKUP and PREFIX, measured under these names; they need a binding that implements {@link
 * ValueReads}. The module's README lists the properties.
 */
public class ValueWorkload extends CoreWorkload {
  private final Measurements measurements = Measurements.getMeasurements();
  private final AtomicLong updates = new AtomicLong();

  private List<String> fields;
  private String field;
  private ValueText text;
  private ValueDistribution distribution;
  private long rangeValues;
  private int prefixLength;
  private int limit;

  @Override
  public void init(Properties properties) throws WorkloadException {
    try {
      Proportions.resolve(properties);
      super.init(properties);
      Proportions.add(properties, operationchooser);
      fields = BindingOptions.fieldNames(properties);
      field = BindingOptions.field(properties);
      if (!fields.contains(field)) {
        throw new IllegalArgumentException(
            "field %s, which is to be read by value, is none of %s".formatted(field, fields));
      }
      // The binding makes use of both, too; it is initialised later.
      properties.putIfAbsent(ValueText.COUNT, Long.toString(Math.max(1, recordcount / 10)));
      if (properties.getProperty("versions") != null) {
        properties.putIfAbsent(
            BindingOptions.PREFIX + "versions", properties.getProperty("versions"));
      }
      text = ValueText.of(properties).orElseThrow();
      distribution =
          ValueDistribution.of(properties, text.count(), recordcount, new SharedRandom());
      rangeValues = rangeValues(properties);
      prefixLength = (int) Proportions.number(properties, "prefixlength", text.prefixLength());
      limit = (int) Proportions.number(properties, "topk", 0);
    } catch (IllegalArgumentException e) {
      throw new WorkloadException(e.getMessage(), e);
    }
  }

  private long rangeValues(Properties properties) {
    String selectivity = properties.getProperty("rangeselectivity");
    if (selectivity == null) {
      return (long) Math.max(1, Proportions.number(properties, "rangevalues", 10));
    } else if (properties.getProperty("rangevalues") != null) {
      throw new IllegalArgumentException(
          "both rangevalues and rangeselectivity are set: leave one out");
    }
    return Math.max(1, Math.round(Double.parseDouble(selectivity) * text.count()));
  }

  @Override
  public boolean doInsert(DB db, Object threadstate) {
    long number = keysequence.nextValue().longValue();
    Map<String, ByteIterator> record = record(distribution.written(number));
    Status status = db.insert(table, buildKeyName(number), record);
    for (int retry = 0; !status.isOk() && retry < insertionRetryLimit; retry++) {
      try {
        TimeUnit.SECONDS.sleep(insertionRetryInterval);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      record.values().forEach(ByteIterator::reset);
      status = db.insert(table, buildKeyName(number), record);
    }
    return status.isOk();
  }

  @Override
  public boolean doTransaction(DB db, Object threadstate) {
    String operation = operationchooser.nextString();
    switch (operation) {
      case "READ" -> doTransactionRead(db);
      case "UPDATE" -> doTransactionUpdate(db);
      case "INSERT" -> doTransactionInsert(db);
      case "SCAN" -> doTransactionScan(db);
      case "READMODIFYWRITE" -> doTransactionReadModifyWrite(db);
      default -> read(ValueRead.Kind.valueOf(operation)).measure(db, table);
    }
    return true;
  }

  @Override
  public void doTransactionUpdate(DB db) {
    db.update(table, buildKeyName(existing()), change());
  }

  @Override
  public void doTransactionInsert(DB db) {
    long number = transactioninsertkeysequence.nextValue();
    try {
      long value = distribution.written(number + updates.get());
      db.insert(table, buildKeyName(number), record(value));
    } finally {
      transactioninsertkeysequence.acknowledge(number);
    }
  }

  @Override
  public void doTransactionReadModifyWrite(DB db) {
    String key = buildKeyName(existing());
    long intended = measurements.getIntendedtartTimeNs();
    long start = System.nanoTime();
    db.read(table, key, wanted(), new HashMap<>());
    db.update(table, key, change());
    long end = System.nanoTime();
    measurements.measure("READ-MODIFY-WRITE", (int) ((end - start) / 1000));
    measurements.measureIntended("READ-MODIFY-WRITE", (int) ((end - intended) / 1000));
  }

  private ValueRead read(ValueRead.Kind kind) {
    long first = asked();
    List<String> operands =
        switch (kind) {
          case READVALUE -> List.of(text.text(first));
          // From a value on, as many as the properties say.
          case RANGELOOKUP -> List.of(text.text(first), text.text(first + rangeValues - 1));
          case PREFIX -> List.of(text.text(first).substring(0, prefixLength));
        };
    return new ValueRead(kind, field, operands, limit, wanted());
  }

  private long asked() {
    return distribution.asked(transactioninsertkeysequence.lastValue() + updates.get());
  }

  /** Null means all, to YCSB. */
  private Set<String> wanted() {
    return readallfields ? null : new HashSet<>(Set.of(field));
  }

  /** The number of a record that is there. */
  private long existing() {
    long last = transactioninsertkeysequence.lastValue();
    long number;
    do {
      long chosen = keychooser.nextValue().longValue();
      number = keychooser instanceof ExponentialGenerator ? last - chosen : chosen;
    } while (number < 0 || number > last);
    return number;
  }

  private Map<String, ByteIterator> change() {
    long time = transactioninsertkeysequence.lastValue() + updates.incrementAndGet();
    long value = distribution.written(time);
    return writeallfields
        ? record(value)
        : new HashMap<>(Map.of(field, new StringByteIterator(text.text(value))));
  }

  private Map<String, ByteIterator> record(long value) {
    Map<String, ByteIterator> record = new HashMap<>();
    for (String each : fields) {
      record.put(
          each,
          each.equals(field)
              ? new StringByteIterator(text.text(value))
              : new RandomByteIterator(fieldlengthgenerator.nextValue().longValue()));
    }
    return record;
  }

  /** Each thread has its own. */
  private static final class SharedRandom extends AbstractRandomGenerator {
    @Override
    public void setSeed(long seed) {
      throw new UnsupportedOperationException("not to be seeded");
    }

    @Override
    public double nextDouble() {
      return ThreadLocalRandom.current().nextDouble();
    }
  }
}
