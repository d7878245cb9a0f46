package io.deli.coprocessor.internal.compactiontrigger;

import io.deli.coprocessor.internal.collect.Collector;
import io.deli.coprocessor.internal.compactiontrigger.GarbageEstimator.Sample.Stretch;
import io.deli.coprocessor.internal.compactiontrigger.SamplePositions.Part;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.scan.FileCells;
import io.deli.coprocessor.internal.scan.RetentionContext;
import io.deli.coprocessor.internal.scan.RetentionMatcher;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.spi.BlockKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * Estimates the garbage in the files of a store that a compaction of all of them would find now.
 * Changes nothing.
 */
final class GarbageEstimator {
  /**
   * A sample of a store's cells. Immutable.
   *
   * @param stretches whose places were drawn with a chance in proportion to the cells that are
   *     there
   */
  record Sample(List<Stretch> stretches) {

    /**
     * Consecutive rows.
     *
     * @param cells of any kind
     * @param versions of these, the puts to indexed columns
     * @param dying of these, the ones that a compaction of all files would take with their entries
     */
    record Stretch(long cells, long versions, long dying) {}

    /**
     * The share of dying versions among all of the store, by estimate; 0 if none was seen.
     *
     * <p>A stretch of many cells is drawn more often, so each counts by its shares of cells, not by
     * their number: else rows with many versions would count twice.
     */
    double ratio() {
      double versions = 0;
      double dying = 0;
      for (Stretch stretch : stretches) {
        if (stretch.cells() > 0) {
          versions += (double) stretch.versions() / stretch.cells();
          dying += (double) stretch.dying() / stretch.cells();
        }
      }
      return dying == 0 ? 0 : dying / versions;
    }
  }

  // Uncompressed; larger files have more blocks than are sampled.
  private static final long READ_WHOLE = 8L << 20;

  private static final int PLACES = 32;
  private static final int STRETCH_CELLS = 200;
  private static final long STRETCH_BYTES = 128 << 10;
  // A longer row is read in pieces of this size.
  private static final long ROW_BYTES = 1 << 20;

  private final HStore store;
  private final FamilyIndexes indexes;
  private final List<HStoreFile> files;
  private final Collector collector;

  /**
   * @param collector knows what staged runs have collected
   */
  GarbageEstimator(WatchedStore watched, List<HStoreFile> files, Collector collector) {
    store = watched.store();
    indexes = watched.indexes();
    this.files = files;
    this.collector = collector;
  }

  /**
   * Reads a sample.
   *
   * @throws IOException also if a compaction has replaced one of them, or the region closes
   */
  Sample sample() throws IOException {
    RetentionContext context =
        RetentionContext.ofFiles(
            store,
            collector.retention(store),
            Purge.of(ScanType.COMPACT_DROP_DELETES),
            indexes::isRevivable,
            indexes::forgets,
            files);
    List<Part> parts = new ArrayList<>();
    long bytes = 0;
    for (HStoreFile file : files) {
      StoreFileReader reader = WatchedStore.reader(file);
      bytes += reader.getTotalUncompressedBytes();
      List<Cell> blocks = BlockKeys.of(reader.getHFileReader());
      double cells = (double) reader.getEntries() / blocks.size();
      blocks.forEach(key -> parts.add(new Part(CellUtil.cloneRow(key), cells)));
    }
    if (bytes <= READ_WHOLE) {
      byte[] first = HConstants.EMPTY_START_ROW;
      return new Sample(List.of(read(context, first, Long.MAX_VALUE, Long.MAX_VALUE)));
    }
    return sample(
        context, SamplePositions.choose(parts, PLACES, ThreadLocalRandom.current().nextDouble()));
  }

  private Sample sample(RetentionContext context, List<byte[]> places) throws IOException {
    List<Stretch> stretches = new ArrayList<>();
    byte[] last = null;
    for (byte[] place : places) {
      stretches.add(
          Arrays.equals(place, last)
              ? stretches.get(stretches.size() - 1)
              : read(context, place, STRETCH_CELLS, STRETCH_BYTES));
      last = place;
    }
    return new Sample(stretches);
  }

  /** Whole rows, until they have so many cells or bytes. */
  private Stretch read(RetentionContext context, byte[] from, long mostCells, long mostBytes)
      throws IOException {
    long cells = 0;
    long bytes = 0;
    long versions = 0;
    long dying = 0;
    RetentionMatcher matcher = context.matcher();
    try (RowPieces rows =
        new RowPieces(
            FileCells.near(store, files, from, collector.covered(files)), matcher, ROW_BYTES)) {
      while (cells < mostCells && bytes < mostBytes) {
        RowPiece piece = rows.next();
        if (piece == null) {
          break;
        }
        cells += piece.size();
        bytes += piece.bytes();
        for (int i = 0; i < piece.size(); i++) {
          Cell cell = piece.cells().get(i);
          if (Coordinates.isPut(cell) && indexes.collects(cell)) {
            versions++;
            dying += piece.dropped().get(i) && !piece.covered().get(i) ? 1 : 0;
          }
        }
        rows.shipped();
        if (collector.isAbandoned()) {
          throw new IOException("the region closes");
        }
      }
    }
    return new Stretch(cells, versions, dying);
  }
}
