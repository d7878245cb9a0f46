package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.internal.scan.Cells;
import io.deli.entry.WriteId;
import io.deli.strategy.ColumnVersions;
import io.deli.strategy.VersionRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a store: writes of files, compactions of some or all of them, in windows that
 * cut rows, some of which do not come to their end, and indexes that refuse some of the deletes.
 * Families, cells, or both have a time to live, and deletes of exact versions restore entries as
 * the server does.
 */
class RandomCompactionsTest {
  private static final int HISTORIES = 2_000;
  private static final int STEPS = 12;

  @Test
  void whatIsSeenNowOrLater_hasItsEntries_andOthersGoInTheEnd() throws Exception {
    for (int seed = 0; seed < HISTORIES; seed++) {
      run(seed);
    }
  }

  private static void run(int seed) throws Exception {
    History history = new History(new Random(seed));
    IndexedFiles files = history.files;
    for (int step = 0; step < STEPS; step++) {
      history.act();
      assertThat(files.missing(history.now)).as("seed %d: %s", seed, files).isEmpty();
    }
    history.collectAll();
    assertThat(files.missing(history.now)).as("seed %d: %s", seed, files).isEmpty();
    assertThat(files.garbage()).as("seed %d: %s", seed, files).isEmpty();
  }

  /** Draws what happens to a family of its own, and when. */
  private static final class History {
    private final Random random;
    private final ScanInfo family;
    private final IndexedFiles files;
    private final Set<String> put = new HashSet<>();
    private final Set<String> passing = new HashSet<>();
    private final Set<String> deleted = new HashSet<>();
    private long now = NOW;
    private long writes;

    History(Random random) {
      this.random = random;
      int most = 1 + random.nextInt(4);
      boolean expires = random.nextInt(3) == 0;
      family =
          new ScanInfo(
              new Configuration(false),
              Bytes.toBytes("f"),
              expires ? random.nextInt(most + 1) : 0,
              most == 4 ? Integer.MAX_VALUE : most,
              expires ? 10L * random.nextInt(50) : Long.MAX_VALUE,
              KeepDeletedCells.FALSE,
              HConstants.DEFAULT_BLOCKSIZE,
              0,
              CellComparator.getInstance(),
              false);
      files = new IndexedFiles(random, family);
    }

    void act() throws Exception {
      now += random.nextInt(60);
      if (files.count() < 2 || random.nextInt(3) > 0) {
        write();
      } else if (random.nextInt(4) == 0) {
        files.compact(0, files.count(), now);
      } else {
        int from = random.nextInt(files.count() - 1);
        files.compact(from, from + 2 + random.nextInt(files.count() - from - 1), now);
      }
    }

    /** The second time, versions go that the first has made expire. */
    void collectAll() throws Exception {
      files.heal();
      files.compact(0, files.count(), now);
      files.compact(0, files.count(), now);
    }

    private void write() {
      List<Cell> file = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        String row = "r" + random.nextInt(2);
        long timestamp = (now / 10 - random.nextInt(random.nextBoolean() ? 6 : 30)) * 10;
        switch (random.nextInt(10)) {
          case 0 -> file.add(marker(row, "q", timestamp, KeyValue.Type.DeleteColumn));
          case 1 -> file.add(marker(row, "", timestamp, KeyValue.Type.DeleteFamily));
          case 2 ->
              deleteExactly(
                  file,
                  random.nextBoolean()
                      ? marker(row, "q", timestamp, KeyValue.Type.Delete)
                      : marker(row, "", timestamp, KeyValue.Type.DeleteFamilyVersion));
          default -> {
            // A compaction without the marker's file would count it, as HBase's own does.
            if (!deleted.contains(row + timestamp)) {
              put(file, row, timestamp);
            }
          }
        }
      }
      files.add(file, now);
    }

    private Cell marker(String row, String column, long timestamp, KeyValue.Type type) {
      return Cells.of(row, column, timestamp, type, "", ++writes);
    }

    /**
     * A version without an identity, as of a client of the past, is the first of its timestamp, or
     * has twins that last.
     */
    private void put(List<Cell> file, String row, long timestamp) {
      String value = List.of("ab", "ac", "bc").get(random.nextInt(3));
      Cell cell = Cells.of(row, "q", timestamp, KeyValue.Type.Put, value, ++writes);
      boolean lasts = random.nextInt(3) > 0;
      if (!lasts) {
        cell = Cells.passing(cell, random.nextInt(400));
      }
      boolean first = put.add(row + timestamp);
      if (!(first || (lasts && !passing.contains(row + timestamp))) || random.nextInt(3) > 0) {
        cell = WriteIdTags.tagged(cell, WriteId.of(now, writes));
      } else if (!lasts) {
        passing.add(row + timestamp);
      }
      file.add(cell);
    }

    /** Writes the versions that a marker brings back once more, so that they have entries. */
    private void deleteExactly(List<Cell> file, Cell marker) {
      List<Cell> there =
          Cells.sorted(Stream.concat(files.cells().stream(), file.stream()).toList()).stream()
              .filter(cell -> CellUtil.matchingRows(cell, marker))
              .filter(cell -> IndexedFiles.end(cell).map(end -> end >= now).orElse(true))
              .toList();
      ColumnVersions versions = ColumnVersions.of(IndexedFiles.COLUMN, there);
      VersionRules rules =
          new VersionRules(family.getMaxVersions(), family.getMinVersions(), family.getTtl(), true);
      for (Cell version :
          versions.resurrected(rules, Integer.MAX_VALUE, now).under(List.of(marker))) {
        KeyValue again = (KeyValue) WriteIdTags.tagged(version, WriteId.of(now, ++writes));
        again.setSequenceId(writes);
        file.add(again);
      }
      deleted.add(Bytes.toString(CellUtil.cloneRow(marker)) + marker.getTimestamp());
      file.add(marker);
    }
  }
}
