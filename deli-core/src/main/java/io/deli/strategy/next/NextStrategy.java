package io.deli.strategy.next;

import com.google.auto.service.AutoService;
import io.deli.config.Setting;
import io.deli.strategy.Cost;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Workload;
import io.deli.strategy.scanned.ScannedRows;
import java.util.List;
import java.util.Optional;

/** Keeps postings with the base table's files; lookups read the blocks that they name. */
@AutoService(IndexStrategy.class)
public final class NextStrategy extends ScannedRows {
  public static final Setting<Integer> GAP =
      Setting.count(
          "deli.next.gap.factor",
          4,
          0,
          "How many times the mean gap between the tokens of a posting block of a next index a gap"
              + " has to exceed, for lookups in it to pass the block over; with 0 all gaps do that"
              + " deli.next.zones has room for; in files written from now on. The table descriptor"
              + " may override it.");

  public static final Setting<Integer> ZONES =
      Setting.count(
          "deli.next.zones",
          16,
          1,
          "Most zones between such gaps in a posting block of a next index, some 320 bytes of"
              + " memory each; where those of a file would take more than an eighth of"
              + " deli.block.index.cache.bytes, its blocks have one each; in files written from now"
              + " on. The table descriptor may override it.");

  public static final Setting<Long> UNINDEXED =
      Setting.amount(
          "deli.next.unindexed.bytes",
          128L << 20,
          "Bytes of a file without postings of a next index from which on its region asks for a"
              + " compaction when it opens, one store of a region server after the other, those with"
              + " the largest such files first; 0 never. The table descriptor may override it.");

  public static final Setting<Integer> SORT_BYTES =
      Setting.count(
          "deli.next.sort.bytes",
          32 << 20,
          64 << 10,
          "Bytes of memory in which the postings of one next index of one file are sorted while the"
              + " file is written, and no more than half of deli.block.index.write.bytes; more are"
              + " sorted in files without a name below hbase.local.dir. The table descriptor may"
              + " override it.");

  /** Bytes of a block in a posting: its number, two timestamps. */
  private static final int BLOCK = 10;

  public NextStrategy() {
    super("next", "as embedded, with ranges of values or points");
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(GAP, ZONES, UNINDEXED, SORT_BYTES);
  }

  @Override
  public FileIndexing fileIndexing() {
    return FileIndexing.POSTINGS;
  }

  /** Postings, then the blocks with hits (NEXT, Table 1). */
  @Override
  public Optional<Cost> cost(Workload work) {
    double named = work.blocksWith(work.rows() / work.distinct());
    double bytes = work.distinct() * (work.valueBytes() + Workload.TERMINATOR + named * BLOCK);
    return Optional.of(
        work.inFiles(
            name(),
            work.files() * (1 + work.blocksWith(work.hits())),
            work.files() * (1 + work.blocksWith(work.rows() * work.range()))
                + Math.floor(bytes * work.range() / work.blockBytes()),
            bytes));
  }
}
