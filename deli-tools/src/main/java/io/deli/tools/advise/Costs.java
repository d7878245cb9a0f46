package io.deli.tools.advise;

import io.deli.config.DeliSettings;
import java.util.List;

/**
 * The papers' cost formulae (LevelDB++, Tables 3 and 5; NEXT, Table 1), for HBase: levels are store
 * files, accesses are data blocks, and requests are those that DELI sends.
 *
 * <p>As in the papers nothing is cached, and row Bloom filters do not err. Unlike there, lookups of
 * {@code embedded} and {@code next} seek the rows that they found in the other files, too (what
 * saves that there would lose hits in HBase: docs/strategies.md), lists of {@code eager} are cut,
 * so that a write costs one cell of the list at most, and rewriting by compactions is left out: it
 * is in proportion to the bytes written.
 */
public final class Costs {
  /** The part of the rows that a typical range has. */
  public static final double RANGE = 0.01;

  /** Of a cell without value, besides its row: lengths, family, timestamp, type. */
  private static final int CELL = 21;

  /** Ends a token. */
  private static final int TERMINATOR = 2;

  /** Of a posting, besides its key: the time since the one before, two lengths. */
  private static final int POSTING = 4;

  /** Of a block in a posting of {@code next}: its number, two timestamps. */
  private static final int BLOCK = 10;

  /** Where all writes are updates, entries would never end. */
  private static final double MOST_UPDATES = 0.99;

  private final Facts facts;

  public Costs(Facts facts) {
    this.facts = facts;
  }

  /** The costs of the strategies, those with an index table first. */
  public List<Cost> all() {
    return List.of(
        keyed("deferred", 0, 0, 1),
        keyed("composite", 0, 0, everWritten()),
        keyed("in-place", updates(), 1, 1),
        listed("eager", 1, cellOfList()),
        listed("lazy", 0, entryBytes()),
        embedded(),
        next(),
        new Cost("none", 1, 0, 0, facts.table().regions(), blocks(), blocks(), 0, 0));
  }

  /** One row of the index table for each entry. */
  private Cost keyed(
      String strategy, double furtherWrites, double reads, double entriesPerVersion) {
    return withTable(
        strategy, 2 + furtherWrites, reads, entryBytes(), entriesPerVersion, entryBytes());
  }

  private Cost listed(String strategy, double reads, double putBytes) {
    return withTable(strategy, 2, reads, putBytes, everWritten(), postingBytes());
  }

  /** LevelDB++, Table 5: entries of L files, then K' Gets. */
  private Cost withTable(
      String strategy,
      double writes,
      double reads,
      double putBytes,
      double entriesPerVersion,
      double bytes) {
    double found = facts.hits() * entriesPerVersion;
    double entries = facts.indexedRows() * entriesPerVersion;
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

  /** LevelDB++, Table 3: the blocks with hits, and those for which a filter errs. */
  private Cost embedded() {
    double tokens = Math.min(facts.distinct(), facts.indexedRows() / blocks());
    double filter =
        tokens * DeliSettings.EMBEDDED_BITS.fallback() / 8
            + 2 * facts.column().valueBytes()
            + 2 * Long.BYTES;
    double withinBounds = blocks() * Math.min(1, facts.column().boundsShare() + range());
    return inFiles(
        "embedded",
        facts.files() * blocksWith(facts.hits()) + falsePositives() * candidates(),
        withinBounds + (facts.files() - 1) * blocksWith(facts.indexedRows() * range()),
        blocks() * filter);
  }

  /** NEXT, Table 1: postings, then the blocks with hits. */
  private Cost next() {
    double bytes =
        facts.distinct()
            * (facts.column().valueBytes() + TERMINATOR + blocksWith(facts.rowsPerValue()) * BLOCK);
    return inFiles(
        "next",
        facts.files() * (1 + blocksWith(facts.hits())),
        facts.files() * (1 + blocksWith(facts.indexedRows() * range()))
            + Math.floor(bytes * range() / facts.table().blockBytes()),
        bytes);
  }

  /** What needs no index table reads no more than a scan. */
  private Cost inFiles(String strategy, double lookupBlocks, double rangeBlocks, double bytes) {
    return new Cost(
        strategy,
        1,
        0,
        0,
        facts.table().regions(),
        Math.min(blocks(), lookupBlocks),
        Math.min(blocks(), rangeBlocks),
        0,
        bytes);
  }

  private double blocks() {
    return facts.blocks();
  }

  private double updates() {
    return Math.min(MOST_UPDATES, facts.updates().orElse(0));
  }

  /** Entries for each current version where those of replaced values stay. */
  private double everWritten() {
    return 1 / (1 - updates());
  }

  private double range() {
    return Math.max(RANGE, 1 / facts.distinct());
  }

  private double entryBytes() {
    int time = facts.wants().limit().isPresent() ? Long.BYTES : 0;
    return CELL + facts.column().valueBytes() + TERMINATOR + time + facts.column().keyBytes();
  }

  private double postingBytes() {
    return facts.column().keyBytes() + POSTING;
  }

  private double cellOfList() {
    return Math.min(
        facts.rowsPerValue() * everWritten() * postingBytes(), DeliSettings.LIST_BYTES.fallback());
  }

  /** Pages of entries, each followed by a request to every server that has rows of it. */
  private double requests(double entries) {
    int page = DeliSettings.READ_PAGE.fallback();
    double pages = Math.max(1, Math.ceil(entries / page));
    return pages * (1 + Math.min(facts.table().servers(), Math.min(page, Math.ceil(entries))));
  }

  /** A block of each file, and what follows. */
  private double indexBlocks(double bytes) {
    return facts.files() + Math.floor(bytes / facts.table().blockBytes());
  }

  /** Blocks whose bounds do not exclude a value. */
  private double candidates() {
    return Math.max(1, blocks() * facts.column().boundsShare());
  }

  /** The blocks that so many rows are in, which lie anywhere in the candidates (Cardenas 1975). */
  private double blocksWith(double hits) {
    double least =
        Math.max(candidates(), hits * facts.table().rowBytes() / facts.table().blockBytes());
    return Math.max(1, least * -Math.expm1(-hits / least));
  }

  private static double falsePositives() {
    return Math.pow(0.5, DeliSettings.EMBEDDED_BITS.fallback() * Math.log(2));
  }
}
