package io.deli.client.internal.build;

import io.deli.index.Index;
import io.deli.strategy.VersionEntries;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;

/**
 * Gives the rows of one range their entries.
 *
 * <p>A version may die, and garbage collection delete its entry, between being read here and the
 * entry being put. The entry is then masked, or garbage that readers verify and repair. That the
 * tombstone masks the entry of an equal version which lives cannot be: one that was put since the
 * index was published carries a write id of its own, or none because its timestamp was drawn and
 * comes never again; and of those from before, all were in files when the range was read, so that a
 * compaction which drops one of them together with the marker that hides it has them all. In a
 * family of the new version behaviour, where a marker hides nothing that was put after it, those
 * that were hidden have been compacted away before.
 */
final class RangeBuild {
  /** Cells of a row that come in one piece. */
  private static final int PIECE = 1_000;

  private final Connection connection;
  private final Index index;
  private final Ledger ledger;
  private final String layout;
  private final Effort effort;

  /**
   * @param connection one that shows the tags of cells
   */
  RangeBuild(Connection connection, Index index, Ledger ledger, String layout, Effort effort) {
    this.connection = connection;
    this.index = index;
    this.ledger = ledger;
    this.layout = layout;
    this.effort = effort;
  }

  void run(KeyRange range) throws IOException {
    VersionEntries versions = new VersionEntries(index);
    EntryRun run = new EntryRun(index.strategy().folding());
    byte[] last = new byte[0];
    try (Table base = connection.getTable(index.baseTable());
        Table entries = connection.getTable(index.table());
        ResultScanner pieces = base.getScanner(range.over(scan(index).setBatch(PIECE)))) {
      for (Result piece : pieces) {
        boolean newRow = !Arrays.equals(piece.getRow(), last);
        if (run.isFull()) {
          run.write(entries, effort);
          if (newRow) {
            ledger.reached(layout, range, piece.getRow());
          }
        }
        if (newRow) {
          last = piece.getRow();
          effort.row();
        }
        run.add(versions.of(piece));
      }
      run.write(entries, effort);
    }
    effort.refused(versions.refused());
    ledger.done(layout, range);
  }

  /** All versions of the index's column, and the markers that hide them. */
  static Scan scan(Index index) {
    return new Scan()
        .addFamily(index.column().family())
        .setFilter(
            new QualifierFilter(
                CompareOperator.EQUAL, new BinaryComparator(index.column().qualifier())))
        .readAllVersions()
        .setRaw(true)
        .setCacheBlocks(false);
  }
}
