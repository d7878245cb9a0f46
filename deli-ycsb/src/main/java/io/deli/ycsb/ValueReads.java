package io.deli.ycsb;

import java.util.HashMap;
import java.util.List;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** A YCSB binding that can read records by the value of a field. */
@SuppressWarnings("NonApiType") // of YCSB's own interface
public interface ValueReads {
  /** Name under which a record found carries its key; it is no field. */
  String KEY = "YCSB_KEY";

  /**
   * Adds one map for each record found to the result, with the fields asked for and, under {@link
   * #KEY}, the record's key. To find nothing is {@link Status#OK}. Like the binding itself, an
   * instance belongs to one thread.
   */
  Status find(String table, ValueRead read, List<HashMap<String, ByteIterator>> result);

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
