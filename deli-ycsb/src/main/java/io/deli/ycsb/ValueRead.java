package io.deli.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * A read by the value of a field.
 *
 * @param operands one value, both ends of a range, or a prefix
 * @param limit 0 for all; K for the K whose value was written most recently, newest first
 * @param fields to be read; all of them if null
 */
public record ValueRead(
    Kind kind, String field, List<String> operands, int limit, Set<String> fields) {
  public enum Kind {
    /** The records whose field has the value. */
    READVALUE("readvalueproportion"),
    /** The records whose field lies in a range; both ends belong to it. */
    RANGELOOKUP("rangelookupproportion"),
    /** The records whose field begins with the prefix. */
    PREFIX("prefixlookupproportion");

    private final String proportion;

    Kind(String proportion) {
      this.proportion = proportion;
    }

    String proportion() {
      return proportion;
    }

    int operands() {
      return this == RANGELOOKUP ? 2 : 1;
    }
  }

  void requireField(String indexed) {
    if (!field.equals(indexed)) {
      throw new IllegalArgumentException(
          "field %s is not read by value, but %s: set -p %sfield=%s"
              .formatted(field, indexed, BindingOptions.PREFIX, field));
    }
  }

  /** Makes it by the binding that a workload was handed; YCSB measures it as its own operations. */
  void measure(DB db, String table) {
    Measurements measurements = Measurements.getMeasurements();
    long intended = measurements.getIntendedtartTimeNs();
    long start = System.nanoTime();
    Status status = ValueReads.of(db).find(table, this, new ArrayList<>());
    long end = System.nanoTime();
    // as YCSB names them
    String measured = status.isOk() ? kind.name() : kind + "-FAILED";
    measurements.measure(measured, (int) ((end - start) / 1000));
    measurements.measureIntended(measured, (int) ((end - intended) / 1000));
    measurements.reportStatus(kind.name(), status);
  }
}
