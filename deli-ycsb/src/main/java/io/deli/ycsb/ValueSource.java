package io.deli.ycsb;

import io.deli.client.ValueHit;
import io.deli.index.Column;
import io.deli.query.ValuePredicate;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Table;

/** A way to find rows by the value of the indexed column. */
interface ValueSource {
  /**
   * The rows that satisfy a condition.
   *
   * @param limit how many of the most recent ones; 0 means all
   * @param columns what to read of each row beside the indexed column
   */
  List<ValueHit> find(Table table, ValuePredicate condition, int limit, List<Column> columns)
      throws IOException;
}
