package io.deli.ycsb;

import java.util.HashMap;
import java.util.Set;
import java.util.Vector;
import java.util.function.Supplier;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/** Reads by value that YCSB measures and counts as it does its own operations. */
@SuppressWarnings({"NonApiType", "JdkObsolete"}) // of YCSB's own interface
final class MeasuredReads implements ValueReads {
  static final String READ_VALUE = "READVALUE";
  static final String RANGE_LOOKUP = "RANGELOOKUP";
  static final String PREFIX = "PREFIX";

  private final ValueReads reads;
  private final Measurements measurements = Measurements.getMeasurements();

  private MeasuredReads(ValueReads reads) {
    this.reads = reads;
  }

  /** The reads of the binding that a workload was handed. */
  static MeasuredReads of(DB db) {
    return new MeasuredReads(ValueReads.of(db));
  }

  @Override
  public Status readValue(
      String table,
      String field,
      String value,
      int limit,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return measure(READ_VALUE, () -> reads.readValue(table, field, value, limit, fields, result));
  }

  @Override
  public Status rangeLookup(
      String table,
      String field,
      String from,
      String to,
      int limit,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return measure(
        RANGE_LOOKUP, () -> reads.rangeLookup(table, field, from, to, limit, fields, result));
  }

  @Override
  public Status prefixLookup(
      String table,
      String field,
      String prefix,
      int limit,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return measure(PREFIX, () -> reads.prefixLookup(table, field, prefix, limit, fields, result));
  }

  /** For results that nobody looks at. */
  static Vector<HashMap<String, ByteIterator>> nowhere() {
    return new Vector<>();
  }

  private Status measure(String operation, Supplier<Status> read) {
    long intended = measurements.getIntendedtartTimeNs();
    long start = System.nanoTime();
    Status status = read.get();
    long end = System.nanoTime();
    // as YCSB names them
    String measured = status.isOk() ? operation : operation + "-FAILED";
    measurements.measure(measured, (int) ((end - start) / 1000));
    measurements.measureIntended(measured, (int) ((end - intended) / 1000));
    measurements.reportStatus(operation, status);
    return status;
  }
}
