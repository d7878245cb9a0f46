package io.deli.ycsb;

import java.util.HashMap;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * The operations of a YCSB binding that can read records by the value of a field.
 *
 * <p>Every operation adds one map for each record found to its result, with the fields asked for
 * (all of them if {@code fields} is null) and, under {@link #KEY}, the record's key. A limit of 0
 * means all; a limit of K means the K whose value was written most recently, newest first. To find
 * nothing is {@link Status#OK}. Like the binding itself, an instance belongs to one thread.
 */
@SuppressWarnings("NonApiType") // of YCSB's own interface
public interface ValueReads {
  /** Name under which a record found carries its key; it is no field. */
  String KEY = "YCSB_KEY";

  /** The records whose field has the value. */
  Status readValue(
      String table,
      String field,
      String value,
      int limit,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result);

  /** The records whose field lies in a range; both ends belong to it. */
  Status rangeLookup(
      String table,
      String field,
      String from,
      String to,
      int limit,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result);

  /** The records whose field begins with the prefix. */
  Status prefixLookup(
      String table,
      String field,
      String prefix,
      int limit,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result);

  /**
   * The reads by value of the binding that a workload was handed.
   *
   * <p>YCSB wraps the binding in one that knows its own operations only and does not give it away.
   * So a binding makes itself known in {@link DB#init}, which YCSB calls on the thread that it then
   * runs the workload on.
   *
   * @throws IllegalStateException if the binding cannot read by value, or was initialised on
   *     another thread
   */
  static ValueReads of(DB db) {
    return db instanceof ValueReads reads ? reads : ThreadBindings.of(db);
  }
}
