package io.deli.client.internal.build;

import io.deli.client.EntryWriter;
import io.deli.client.internal.verify.BaseTableReader;
import io.deli.strategy.ColumnVersions;
import io.deli.strategy.VersionEntries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Backfills ranges in one thread of a build. Entries are written in runs that may span ranges; a
 * range is done when its last run is written.
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
final class RangeBackfill {
  /** Cells of a row in one partial result. */
  private static final int PIECE = 1_000;

  private final BuildContext context;
  private final BuildCounters counters;
  private final VersionEntries versions;
  private final EntryWriter.Run run;

  /** The ranges that are read completely but not yet written. */
  private final List<BuildCheckpoint.Range> read = new ArrayList<>();

  /**
   * @param run for this thread
   */
  RangeBackfill(BuildContext context, BuildCounters counters, EntryWriter.Run run) {
    this.context = context;
    this.counters = counters;
    this.versions = new VersionEntries(context.index());
    this.run = run;
  }

  /** Polls and processes ranges until there are none. */
  void run(Queue<BuildCheckpoint.Range> ranges) throws IOException {
    try (Table base = context.connection().getTable(context.index().baseTable())) {
      for (BuildCheckpoint.Range range = ranges.poll(); range != null; range = ranges.poll()) {
        read(range, base);
        read.add(range);
        if (run.isFull()) {
          write();
        }
      }
      write();
    }
    counters.refused(versions);
  }

  private void read(BuildCheckpoint.Range range, Table base) throws IOException {
    byte[] last = new byte[0];
    Scan scan = context.index().key().inParts(BaseTableReader.stored(context.index()), PIECE);
    try (ResultScanner pieces = base.getScanner(range.rest().restrict(scan))) {
      for (Result piece = pieces.next(); piece != null; piece = pieces.next()) {
        boolean newRow = !Arrays.equals(piece.getRow(), last);
        if (run.isFull()) {
          write();
          if (newRow) {
            context.checkpoint().reached(context.layout(), range, piece.getRow());
          }
        }
        if (newRow) {
          last = piece.getRow();
          counters.row();
        }
        run.add(versions.of(piece));
        if (piece.mayHaveMoreCellsInRow()) {
          readTwins(piece.rawCells()[piece.size() - 1], base);
        }
      }
    }
  }

  /**
   * Reads the versions that the last of a piece hides until it expires: HBase's client drops the
   * first cell of the next piece if it equals that.
   */
  private void readTwins(Cell last, Table base) throws IOException {
    if (ColumnVersions.end(last) == Long.MAX_VALUE) {
      return;
    }
    byte[] row = CellUtil.cloneRow(last);
    Scan same =
        BaseTableReader.stored(context.index())
            .withStartRow(row)
            .withStopRow(row, true)
            .setTimestamp(last.getTimestamp());
    try (ResultScanner twins = base.getScanner(same)) {
      for (Result each : twins) {
        run.add(versions.of(each));
      }
    }
  }

  private void write() throws IOException {
    counters.entries(run.write());
    // Whoever took over may have cleared away what was to be loaded.
    context.lease().confirm();
    if (!read.isEmpty()) {
      context.checkpoint().done(context.layout(), read);
      counters.ranges(read.size());
      read.clear();
    }
  }
}
