package io.deli.strategy;

import io.deli.index.IndexDefinition;
import org.apache.hadoop.hbase.TableName;

/**
 * The index that region servers keep of the blocks of a base table's files. Any but {@link #NONE}
 * needs the server module {@code deli-fileindex}.
 */
public enum FileIndexing {
  /** No index. */
  NONE,

  /** A filter and bounds of the tokens of each block. */
  FILTERS,

  /** Sorted postings, from each token to its blocks. */
  POSTINGS;

  /**
   * The error text where an index cannot be used for want of the module.
   *
   * @param where that is, with its preposition
   */
  public static String missing(TableName table, IndexDefinition definition, String where) {
    return ("index '%s' of table %s cannot be used: strategy '%s' keeps it in the table's own files,"
            + " which takes the module deli-fileindex, missing %s. Install"
            + " deli-fileindex-<version>-server.jar in place of"
            + " deli-coprocessor-<version>-server.jar, whose classes it has, too")
        .formatted(definition.name(), table, definition.strategy(), where);
  }
}
