package io.deli.coprocessor.internal.scan;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static io.deli.coprocessor.internal.scan.RetentionMatcherTest.matched;
import static io.deli.coprocessor.internal.scan.RetentionMatcherTest.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.hbase.HBaseInternals.RowRange;
import io.deli.coprocessor.internal.scan.RetentionMatcher.Verdict;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A rewrite that does not read all files keeps the cells that hide older versions: these may have
 * lost their entries to a compaction that was given up.
 */
class PartialRewriteTest extends StoppedClock {
  private static final int HISTORIES = 3_000;
  private static final Purge SOME = Purge.of(ScanType.COMPACT_RETAIN_DELETES);
  private static final Purge ALL = Purge.of(ScanType.COMPACT_DROP_DELETES);

  private static List<Cell> matching(
      Verdict verdict, ScanInfo family, Purge purge, List<Cell> cells) throws Exception {
    RetentionRules rules = rules(family, purge, cell -> true, cell -> false, NOW);
    return matched(cells, rules.matcher(null), Set.of(verdict));
  }

  private static List<Cell> kept(Purge purge, Cell... cells) throws Exception {
    ScanInfo family = RetentionMatcherTest.family(0, 1, Long.MAX_VALUE, KeepDeletedCells.FALSE);
    return matching(Verdict.KEPT, family, purge, List.of(cells));
  }

  private static Purge stripe(String start, String stop) {
    RowRange rows = new RowRange(Bytes.toBytes(start), Bytes.toBytes(stop));
    return new Purge(SOME.type(), Optional.of(rows));
  }

  @Test
  void versionsAndMarkersStay_butInWholeStripes() throws Exception {
    Cell lasting = Cells.cell("q", NOW, KeyValue.Type.Put, "v", 3);
    Cell passing = Cells.passing(lasting, 9);
    Cell older = Cells.cell("q", NOW - 5, KeyValue.Type.Put, "v", 2);
    Cell marker = Cells.cell("q", NOW - 6, KeyValue.Type.DeleteColumn, "", 1);
    assertThat(kept(SOME, passing, older, marker)).containsExactly(passing, older, marker);
    assertThat(kept(SOME, lasting, older, marker)).containsExactly(lasting, marker);
    for (Purge whole : List.of(stripe("r", "s"), stripe("", ""), ALL)) {
      assertThat(kept(whole, passing, older, marker)).containsExactly(passing);
    }
    for (Purge another : List.of(stripe("", "r"), stripe("s", ""))) {
      assertThat(kept(another, passing, older, marker)).containsExactly(passing, older, marker);
    }
  }

  @Test
  void aMarkerThatHidesAsMuch_standsForLaterOnes() throws Exception {
    Cell lasting = Cells.cell("q", NOW, KeyValue.Type.Put, "v", 3);
    Cell older = Cells.cell("q", NOW - 5, KeyValue.Type.Put, "v", 2);
    Cell marker = Cells.cell("q", NOW - 6, KeyValue.Type.DeleteColumn, "", 1);
    Cell single = Cells.cell("q", NOW - 7, KeyValue.Type.Delete, "", 1);
    Cell behind = Cells.cell("q", NOW - 8, KeyValue.Type.DeleteColumn, "", 1);
    assertThat(kept(SOME, lasting, older, marker, single, behind)).containsExactly(lasting, marker);
    assertThat(kept(SOME, lasting, older, single, behind)).containsExactly(lasting, single, behind);
  }

  /** Beyond what HBase keeps, just what is seen again, and markers that nothing stands for. */
  @Test
  void nothingElseStays() throws Exception {
    int markers = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      ScanInfo family = RetentionMatcherTest.anyFamily(random);
      List<Cell> cells = Cells.history(random, "", "p", "q");
      List<Cell> kept = matching(Verdict.KEPT, family, SOME, cells);
      List<Cell> byHBase = RetentionMatcherTest.compacted(cells, family, SOME.type());
      Set<Cell> more = without(byHBase, kept);
      assertThat(without(kept, byHBase)).as("seed %d, %s", seed, family).isEmpty();
      assertThat(more.stream().filter(Coordinates::isPut))
          .as("seed %d, %s", seed, family)
          .usingElementComparator(CellComparator.getInstance())
          .containsExactlyElementsOf(matching(Verdict.HIDDEN, family, ALL, cells));
      List<Cell> needed = new ArrayList<>();
      for (Cell marker : without(byHBase, cells)) {
        if (!Coordinates.isPut(marker) && !isExpired(marker, family) && !isCovered(marker, kept)) {
          needed.add(marker);
        }
      }
      assertThat(more.stream().filter(cell -> !Coordinates.isPut(cell)))
          .as("seed %d, %s", seed, family)
          .usingElementComparator(CellComparator.getInstance())
          .containsExactlyElementsOf(needed);
      markers += needed.size();
    }
    assertThat(markers).isGreaterThan(HISTORIES / 30);
  }

  private static Set<Cell> without(Collection<Cell> some, Collection<Cell> all) {
    Set<Cell> rest = new TreeSet<>(CellComparator.getInstance());
    rest.addAll(all);
    some.forEach(rest::remove);
    return rest;
  }

  private static boolean isExpired(Cell marker, ScanInfo family) {
    return family.getMinVersions() == 0
        && family.getTtl() != Long.MAX_VALUE
        && marker.getTimestamp() + family.getTtl() < NOW;
  }

  /** Whether a marker is kept that hides what this one does. */
  private static boolean isCovered(Cell marker, List<Cell> kept) {
    return kept.stream()
        .filter(cell -> cell.getType() == Cell.Type.DeleteColumn)
        .filter(cell -> Coordinates.sameColumn(cell, marker))
        .anyMatch(cell -> CellComparator.getInstance().compare(cell, marker) < 0);
  }
}
