package io.deli.strategy;

import io.deli.config.Setting;
import io.deli.entry.Entry;
import io.deli.query.ValuePredicate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Defines how the entries of an index are written, collected and read. Implementations are pure,
 * stateless and thread-safe, and have a public no-argument constructor.
 */
public interface IndexStrategy {
  /** Returns the name by which definitions refer to the strategy. */
  String name();

  /** Returns what to choose the strategy for, as {@code deli create-index --help} says it. */
  default String purpose() {
    return "";
  }

  /**
   * Returns the settings of this strategy alone, or of few alike. Region servers read them as they
   * rewrite files; what writers and readers of an index must agree on is an option of its
   * definition.
   */
  default List<Setting<?>> settings() {
    return List.of();
  }

  /**
   * The write moment: what must be acknowledged by the index table before the base table gets the
   * version (invariant: index before base); in rows no longer than {@link
   * io.deli.entry.EntryCodec#LONGEST_ROW}.
   *
   * @throws IllegalArgumentException if the value cannot be indexed; nothing may be written then
   */
  List<Put> write(Index index, BaseVersion version);

  /**
   * The entries in a row of the index table, newest first.
   *
   * @throws IllegalArgumentException if it is not in the strategy's format
   */
  List<Entry> read(Index index, Result row);

  /**
   * The delete marker of an entry, of its exact timestamp and write id, so that equal values
   * written at other times keep their entries. Idempotent. Empty if there can be no such entry.
   */
  Optional<Cell> retract(Index index, Entry entry);

  /**
   * A read of the index table in whose answer {@link #read} finds every entry of this token, key
   * and timestamp, whatever their write ids, and maybe others. Empty if there can be no such entry.
   */
  default Optional<Get> find(Index index, Entry entry) {
    return retract(index, entry)
        .map(marker -> new Get(CellUtil.cloneRow(marker)).readAllVersions());
  }

  /**
   * A cell of the index table, under its own key, without some of the entries that {@link #read}
   * finds in it; empty if none is left. Entries may stay nevertheless; by default, all do.
   */
  default Optional<Cell> without(Index index, Cell cell, Set<Entry> stale) {
    return Optional.of(cell);
  }

  /**
   * The moment at which the entries of versions are retracted; with {@link Retraction#AT_REWRITE},
   * the rewrite moment.
   */
  Retraction retraction();

  /**
   * The lookup moment: where the entries are that may satisfy the condition.
   *
   * @throws IllegalArgumentException if the index cannot answer such a condition
   */
  Lookup lookup(Index index, ValuePredicate predicate);

  /** Whether an index has a table of its own; if not, it has no entries. */
  default boolean keepsTable() {
    return true;
  }

  /** Returns the index that region servers keep of the blocks of the base table's files. */
  default FileIndexing fileIndexing() {
    return FileIndexing.NONE;
  }

  /** Returns the moment at which the cells of the index table's rows are merged. */
  default MergeTime mergeTime() {
    return MergeTime.NEVER;
  }

  /**
   * Returns the setting that limits the value of a merged cell, in bytes; called unless {@link
   * #mergeTime} is {@link MergeTime#NEVER}.
   */
  default Setting<Integer> mergedBytes() {
    throw new UnsupportedOperationException(name() + " merges nothing");
  }

  /**
   * Creates a merger of rows of the index table; called unless {@link #mergeTime} is {@link
   * MergeTime#NEVER}.
   *
   * @param bytes how large the value of a cell should be at most
   * @param all whether the merger receives all cells that the table has of its rows
   * @param random makes the qualifiers of merged cells unique
   */
  default CellMerger merger(int bytes, boolean all, RandomGenerator random) {
    throw new UnsupportedOperationException(name() + " merges nothing");
  }

  /**
   * Whether region servers can maintain an index: they put entries before a version, but do not
   * read or merge lists for a write.
   */
  default boolean isServable() {
    return keepsTable() && mergeTime() == MergeTime.NEVER && retraction() != Retraction.AT_WRITE;
  }

  /** Whether entries are in the {@linkplain io.deli.index.EntryOrder order} that is asked for. */
  default boolean ordersEntries() {
    return false;
  }

  /**
   * Whether rows of the index table may have a salt: entries are in the rows that the index's codec
   * gives them, and lookups tell its {@link Lookup#buckets}.
   */
  default boolean isSaltable() {
    return false;
  }

  /**
   * Whether an index may be on several columns: its versions are those that {@link KeyColumns}
   * tells, and nothing is asked of a cell alone.
   */
  default boolean joinsColumns() {
    return false;
  }

  /** Estimates what an index on a table with such work costs; empty if it cannot tell. */
  default Optional<Cost> cost(Workload work) {
    return Optional.empty();
  }

  /** Returns the kinds of queries that an index cannot answer. */
  default Set<QueryKind> unanswerable() {
    return retraction() == Retraction.AT_WRITE
        ? Set.of(QueryKind.OLD_VERSIONS, QueryKind.AS_OF)
        : Set.of();
  }
}
