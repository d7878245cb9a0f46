package io.deli.client.internal.read;

import io.deli.query.Condition.OnIndex;
import io.deli.query.ValuePredicate;
import io.deli.strategy.Index;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;

/** A condition on the columns of one index, to be decided on the base row. */
record IndexCondition(Index index, ValuePredicate predicate) {
  /** Whether the row is in the index, and its newest version satisfies the condition. */
  boolean holds(Result row) {
    return holdsForValue(row) && index.includes(row);
  }

  /** Whether the newest version in the row satisfies it, be the row in a partial index or not. */
  boolean holdsForValue(Result row) {
    return index.key().newest(row).map(CellUtil::cloneValue).filter(this::matches).isPresent();
  }

  OnIndex condition() {
    return new OnIndex(index.name(), predicate);
  }

  boolean matches(byte[] value) {
    try {
      return index.tokenizer().matches(predicate, value);
    } catch (IllegalArgumentException e) {
      // The operands were checked with the plan, so it is the value, written past the client.
      return false;
    }
  }
}
