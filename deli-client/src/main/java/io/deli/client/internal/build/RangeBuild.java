package io.deli.client.internal.build;

import io.deli.client.EntryWriter;
import io.deli.index.Index;
import io.deli.strategy.VersionEntries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;

/**
 * What one thread of a build does: gives the rows of ranges their entries. It writes entries in
 * runs, over the ends of ranges, and a range is done when its last run is written.
 *
 * <p>A version may die, and garbage collection delete its entry, between being read here and the
 * entry being written. The entry is then masked, or garbage that readers verify and repair. That
 * the tombstone masks the entry of an equal version which lives cannot be: one that was put since
 * the index was published carries a write id of its own, or none because its timestamp was drawn
 * and comes never again; and of those from before, all were in files when the range was read, so
 * that a compaction which drops one of them together with the marker that hides it has them all. In
 * a family of the new version behaviour, where a marker hides nothing that was put after it, those
 * that were hidden have been compacted away before.
 */
final class RangeBuild {
  /** Cells of a row that come in one piece. */
  private static final int PIECE = 1_000;

  private final Site site;
  private final Effort effort;
  private final VersionEntries versions;
  private final EntryWriter.Run run;

  /** Read to their ends, but not written to there. */
  private final List<KeyRange> read = new ArrayList<>();

  /**
   * @param run for this thread
   */
  RangeBuild(Site site, Effort effort, EntryWriter.Run run) {
    this.site = site;
    this.effort = effort;
    this.versions = new VersionEntries(site.index());
    this.run = run;
  }

  /** Takes ranges while there are any; those it took are done when it returns. */
  void run(Queue<KeyRange> ranges) throws IOException {
    try (Table base = site.connection().getTable(site.index().baseTable())) {
      for (KeyRange range = ranges.poll(); range != null; range = ranges.poll()) {
        read(range, base);
        read.add(range);
        if (run.isFull()) {
          write();
        }
      }
      write();
    }
    effort.refused(versions);
  }

  private void read(KeyRange range, Table base) throws IOException {
    byte[] last = new byte[0];
    try (ResultScanner pieces = base.getScanner(range.over(scan(site.index()).setBatch(PIECE)))) {
      for (Result piece : pieces) {
        boolean newRow = !Arrays.equals(piece.getRow(), last);
        if (run.isFull()) {
          write();
          if (newRow) {
            site.ledger().reached(site.layout(), range, piece.getRow());
          }
        }
        if (newRow) {
          last = piece.getRow();
          effort.row();
        }
        run.add(versions.of(piece));
      }
    }
  }

  private void write() throws IOException {
    effort.entries(run.write());
    // Whoever took over may have cleared away what was to be loaded.
    site.tenure().confirm();
    if (!read.isEmpty()) {
      site.ledger().done(site.layout(), read);
      effort.ranges(read.size());
      read.clear();
    }
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
