package io.deli.strategy;

import io.deli.index.Index;
import io.deli.query.ValuePredicate;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;

/**
 * How an index is kept and read. Implementations are pure, stateless and thread-safe, and have a
 * public no-argument constructor.
 */
public interface IndexStrategy {
  /** The name by which definitions refer to it. */
  String name();

  /**
   * The write moment: what must be acknowledged by the index table before the base table gets the
   * version (invariant: index before base).
   *
   * @throws IllegalArgumentException if the value cannot be indexed; nothing may be written then
   */
  List<Put> write(Index index, BaseVersion version);

  /**
   * The rewrite moment: what must be acknowledged by the index table before the base table may drop
   * the version. Idempotent; naming exact timestamps, so that equal values written at other times
   * keep their entries. Empty for a value that has no entries.
   */
  List<Delete> rewrite(Index index, BaseVersion dying);

  /**
   * The lookup moment: where the entries are that may satisfy the condition.
   *
   * @throws IllegalArgumentException if the index cannot answer such a condition
   */
  Lookup lookup(Index index, ValuePredicate predicate);
}
