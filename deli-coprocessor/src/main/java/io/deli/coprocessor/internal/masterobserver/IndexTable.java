package io.deli.coprocessor.internal.masterobserver;

import io.deli.entry.EntryCodec;
import io.deli.index.IndexTableName;
import io.deli.strategy.IndexTables;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table that holds an index, if its base table has such an index. Immutable.
 *
 * <p>An index in use that lacks entries misses rows, and nothing tells; while its table is away or
 * disabled, writes and queries are refused. So what takes entries away must wait until nobody uses
 * the index.
 *
 * @param base the base table by its name
 * @param index the index that it would hold
 */
record IndexTable(TableName name, TableName base, String index) {
  /** All that the name may stand for; none if no index table can have it. */
  static List<IndexTable> named(TableName name) {
    return IndexTableName.readings(name).stream()
        .map(reading -> new IndexTable(name, reading.base(), reading.index()))
        .toList();
  }

  /**
   * The reason why the table must not be emptied now, or created anew.
   *
   * @param table the base table
   */
  Optional<String> emptied(TableDescriptor table) {
    return IndexTableUse.isInUse(table, this)
        ? Optional.of(
            ("table %s holds index '%s' of table %s, which is in use: without its entries queries"
                    + " would miss rows in silence; nothing was changed. First deli disable-index %s"
                    + " %s; then deli build %s %s, which makes another table for it, and fills that")
                .formatted(name, index, base, base, index, base, index))
        : Optional.empty();
  }

  /**
   * The reason why the table must not come from a snapshot while its base table is not disabled, as
   * it is when both are restored.
   *
   * @param table the base table
   */
  Optional<String> restored(TableDescriptor table) {
    return IndexTableUse.isInUse(table, this)
        ? Optional.of(
            ("table %s holds index '%s' of table %s, which is in use: by itself it would lack the"
                    + " entries of what was written since the snapshot, and queries would miss rows"
                    + " in silence; nothing was changed. To have the index anew: deli disable-index"
                    + " %s %s and deli build %s %s. To restore both tables from snapshots that were"
                    + " taken together: disable '%s' first")
                .formatted(name, index, base, base, index, base, index, base))
        : Optional.empty();
  }

  /**
   * The reason why the table must not be altered so; also while nobody uses the index, for a build
   * leaves the table as it was made.
   *
   * @param table the base table
   */
  Optional<String> weakened(TableDescriptor table) {
    return IndexTableUse.isMade(table, this)
        ? Optional.of(
            ("table %s holds index '%s' of table %s, which must keep what it is given: what its"
                    + " family lets go, or a crash takes, queries would miss in silence; nothing was"
                    + " changed. Leave VERSIONS, TTL, KEEP_DELETED_CELLS, NEW_VERSION_BEHAVIOR and"
                    + " IS_MOB of family '%s', and the table's DURABILITY, as deli create-index set"
                    + " them")
                .formatted(name, index, base, Bytes.toString(EntryCodec.family())))
        : Optional.empty();
  }

  /** The reason why an alteration must not have queries read the table, which may lack rows. */
  String unkept() {
    return ("table %s holds index '%s' of table %s, which is not in use, is being built, or has"
            + " another table by now: queries would miss in silence the rows that it lacks; nothing"
            + " was changed. Alter the descriptor that table %s has now, not an older one; deli"
            + " build %s %s has the index in use again")
        .formatted(name, index, base, base, base, index);
  }

  /** Whether an alteration has a table of entries lose some that it has kept so far. */
  static boolean isWeaker(TableDescriptor altered, TableDescriptor present) {
    return IndexTables.keepsEntries(present) && !IndexTables.keepsEntries(altered);
  }
}
