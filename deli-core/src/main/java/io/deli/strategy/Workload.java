package io.deli.strategy;

import io.deli.config.DeliSettings;

/**
 * Facts of a table and of the work on it, by which strategies estimate their {@linkplain
 * IndexStrategy#cost costs}, and the parts of the papers' formulae (LevelDB++, Tables 3 and 5;
 * NEXT, Table 1) that several share. For HBase, levels are store files, accesses are data blocks,
 * and requests are those that DELI sends.
 *
 * <p>As in the papers nothing is cached, and row Bloom filters do not err. Unlike there, lookups in
 * the base table's files seek the rows that they found in the other files, too, and rewriting by
 * compactions is left out: it is in proportion to the bytes written.
 *
 * @param rows of the table that have a value
 * @param distinct values
 * @param hits of a lookup of one value
 * @param updates share of the writes that replace or delete a value
 * @param keyBytes of an average row key
 * @param valueBytes of an average value
 * @param byTime whether entries are ordered by time
 * @param boundsShare share of the data blocks that bounds do not exclude
 * @param blocks data blocks of the column's family
 * @param blockBytes of one
 * @param rowBytes of an average row, in that family
 * @param files that a row may be in, at least 1
 * @param regions of the table
 * @param servers that have them
 */
public record Workload(
    double rows,
    double distinct,
    double hits,
    double updates,
    double keyBytes,
    double valueBytes,
    boolean byTime,
    double boundsShare,
    double blocks,
    double blockBytes,
    double rowBytes,
    double files,
    int regions,
    int servers) {
  /** The part of the rows that a typical range has. */
  public static final double RANGE = 0.01;

  /** Bytes that end a token. */
  public static final int TERMINATOR = 2;

  /** Bytes of a cell without value, besides its row: lengths, family, timestamp, type. */
  private static final int CELL = 21;

  /** The upper limit of the share of updates: at 1, entries would grow without end. */
  private static final double MOST_UPDATES = 0.99;

  public Workload {
    updates = Math.min(MOST_UPDATES, updates);
  }

  /**
   * The cost of an index with a table of its own: its entries in each file, then a Get of each hit
   * (LevelDB++, Table 5).
   *
   * @param entriesPerVersion entries for each current version
   * @param bytes of an entry in the index table
   */
  public Cost withTable(
      String strategy,
      double writes,
      double reads,
      double putBytes,
      double entriesPerVersion,
      double bytes) {
    double found = hits * entriesPerVersion;
    double entries = rows * entriesPerVersion;
    return new Cost(
        strategy,
        writes,
        reads,
        putBytes,
        requests(found),
        indexBlocks(found * bytes) + found,
        indexBlocks(entries * range() * bytes) + entries * range(),
        entries,
        entries * bytes);
  }

  /** The cost of an index in the table's files, which each server is asked for once. */
  public Cost inFiles(String strategy, double lookupBlocks, double rangeBlocks, double bytes) {
    return new Cost(
        strategy,
        1,
        0,
        0,
        servers,
        Math.min(blocks, lookupBlocks),
        Math.min(blocks, rangeBlocks),
        0,
        bytes);
  }

  /** Entries for each current version where those of replaced values stay. */
  public double everWritten() {
    return 1 / (1 - updates);
  }

  /** The part of the rows that a range has: that of one value at least. */
  public double range() {
    return Math.max(RANGE, 1 / distinct);
  }

  /** Bytes of an entry in a row of its own. */
  public double entryBytes() {
    return CELL + valueBytes + TERMINATOR + (byTime ? Long.BYTES : 0) + keyBytes;
  }

  /** Blocks whose bounds do not exclude a value. */
  public double candidates() {
    return Math.max(1, blocks * boundsShare);
  }

  /** The blocks that so many rows are in, which lie anywhere in the candidates (Cardenas 1975). */
  public double blocksWith(double found) {
    double least = Math.max(candidates(), found * rowBytes / blockBytes);
    return Math.max(1, least * -Math.expm1(-found / least));
  }

  /** Pages of entries, each followed by a request to every server that has rows of it. */
  private double requests(double entries) {
    int page = DeliSettings.READ_PAGE.fallback();
    double pages = Math.max(1, Math.ceil(entries / page));
    return pages * (1 + Math.min(servers, Math.min(page, Math.ceil(entries))));
  }

  /** A block of each file, and what follows. */
  private double indexBlocks(double bytes) {
    return files + Math.floor(bytes / blockBytes);
  }
}
