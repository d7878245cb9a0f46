package io.deli.client;

import io.deli.query.Condition.OnIndex;
import io.deli.strategy.Lookup;
import java.util.List;
import java.util.OptionalInt;

/**
 * The plan of a query by value, and the cost of running it.
 *
 * @param steps one after the other, but for those of the base table, which share a scan; a row that
 *     one yields is not yielded again by another
 * @param sorts whether all entries are read and sorted by time, or base rows where these are
 *     scanned, since they come in another order than {@link ValueQuery#mostRecent} asks for
 * @param limit how many hits end the query; empty if it goes on to its end
 * @param pageRows how many rows the first scan asks for
 * @param readsAhead whether the next entries are read while those before are verified
 * @param continues whether a {@link Continuation} can tell where to go on
 * @param estimates of conditions that were asked for their entries besides those of the steps
 * @param reads what was read by one run to the end, or the limit
 */
public record Explanation(
    List<Step> steps,
    boolean sorts,
    OptionalInt limit,
    int pageRows,
    boolean readsAhead,
    boolean continues,
    List<Estimate> estimates,
    Reads reads) {
  public Explanation {
    steps = List.copyOf(steps);
    estimates = List.copyOf(estimates);
  }

  /**
   * One scan, perhaps in several pages.
   *
   * @param condition the one whose index is scanned
   * @param strategy of that index
   * @param access what is scanned for it
   * @param lookup the planner's own: table, rows and tokens; of the rows, those that a {@link
   *     Continuation} leaves
   * @param reversed whether the rows are scanned from the last to the first
   * @param tested further conditions, which base rows must satisfy
   */
  public record Step(
      OnIndex condition,
      String strategy,
      Access access,
      Lookup lookup,
      boolean reversed,
      List<OnIndex> tested) {
    public Step {
      tested = List.copyOf(tested);
    }
  }

  /**
   * The size of one of the conditions that a step tests, asked of its index once the step has gone
   * on past its first page.
   *
   * @param condition whose index was asked
   * @param entries that it has for the condition, up to four pages
   * @param all whether there are no more
   * @param chosen whether the rest of the step was found by these entries, which were the fewest
   */
  public record Estimate(OnIndex condition, int entries, boolean all, boolean chosen) {}

  /** The kind of rows that a step scans. */
  public enum Access {
    /** Nothing: no token can satisfy the condition. */
    NOTHING,

    /** One row of the index table, then the base rows that it names: a multi-Get per server. */
    INDEX_ROW,

    /** A range of the index table, then the base rows that it names: a multi-Get per server. */
    INDEX_RANGE,

    /**
     * The base table, whose region servers leave out the rows without such tokens. What comes is
     * verified as it is.
     */
    BASE_TABLE
  }

  /**
   * The requests and results of a run, as counted by the client.
   *
   * @param scanRequests to region servers, closing a scanner included
   * @param getRequests multi-Gets to region servers; those that HBase sent again, as when a region
   *     has moved, are not counted
   * @param entries that were verified: of index tables, or those that base rows amount to
   * @param stale of these, those without a version that the query sees
   * @param hits that the query has
   * @param bytes of the cells that were read
   * @param servers what the scans read at the region servers
   */
  public record Reads(
      long scanRequests,
      long getRequests,
      long entries,
      long stale,
      long hits,
      long bytes,
      ServerReads servers) {}

  /**
   * The work of the region servers for the scans of a run, as counted by HBase and by strategies
   * that index the blocks of files; zero where a server does not count it.
   *
   * @param rows that were looked at
   * @param rowsFiltered of these, those that were left out
   * @param blocksFromFiles that were not in the block cache
   * @param bytesFromFiles from the file system
   * @param bytesFromCache from the block cache
   * @param bytesFromMemory from memstores
   * @param blocksRead that were searched for rows, since their index says that they may have some
   * @param blocksSkipped that were left out of that search
   */
  public record ServerReads(
      long rows,
      long rowsFiltered,
      long blocksFromFiles,
      long bytesFromFiles,
      long bytesFromCache,
      long bytesFromMemory,
      long blocksRead,
      long blocksSkipped) {}
}
