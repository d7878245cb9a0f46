package io.deli.ycsb;

import io.deli.client.ValueHit;
import io.deli.index.Column;
import io.deli.query.ValuePredicate;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Table;

/** A way to find rows by the value of the indexed column. */
interface ValueSource {
  /** Returns the rows that satisfy a condition; with a limit but 0, so many of the most recent. */
  List<ValueHit> find(Table table, ValuePredicate condition, int limit, List<Column> columns)
      throws IOException;
}
