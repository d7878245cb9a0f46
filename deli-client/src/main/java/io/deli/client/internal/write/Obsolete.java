package io.deli.client.internal.write;

import io.deli.index.Column;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A version that an operation deletes or supersedes, one of its victims. */
record Obsolete(Victims of, BaseVersion version) {
  private static final Logger LOG = LoggerFactory.getLogger(Obsolete.class);

  Index index() {
    return of.index();
  }

  /** Whether the row, read after the delete, tells that it is deleted. */
  boolean isGoneFrom(Result row) {
    Column column = index().column();
    return of.areWithout(
        version.timestamp(), row.getColumnCells(column.family(), column.qualifier()));
  }

  /** The deletes of its entries. */
  List<Delete> deletes() {
    try {
      return index().retract(version);
    } catch (RuntimeException e) {
      // A tokenizer may be the user's own code; the write itself is none of its business.
      LOG.warn(
          "index '{}' keeps the entries of {}, for readers to repair", index().name(), this, e);
      return List.of();
    }
  }
}
