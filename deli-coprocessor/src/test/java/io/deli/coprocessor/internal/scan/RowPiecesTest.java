package io.deli.coprocessor.internal.scan;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.NoLimitScannerContext;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowPiecesTest {
  private static final long WHOLE_ROWS = Long.MAX_VALUE;

  private static List<Cell> kept(List<RowPiece> pieces) {
    List<Cell> kept = new ArrayList<>();
    pieces.forEach(piece -> piece.emitKept(kept));
    return kept;
  }

  /** Though the blocks behind them are gone. */
  @Test
  void pieces_areRows_orPartsOfLargeOnes() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      List<Cell> cells = Cells.history(new Random(seed), "", "p", "q");
      long cut = cells.get(0).getSerializedSize() + 1L;
      for (long limit : new long[] {WHOLE_ROWS, cut}) {
        List<RowPiece> pieces = Cells.pieces(limit, cells);
        List<Cell> all = new ArrayList<>();
        for (RowPiece piece : pieces) {
          assertThat(piece.cells()).allMatch(cell -> CellUtil.matchingRows(cell, piece.last()));
          assertThat(piece.size()).isEqualTo(piece.cells().size());
          assertThat(piece.bytes())
              .isEqualTo(piece.cells().stream().mapToLong(Cell::getSerializedSize).sum());
          piece.emitAll(all);
        }
        assertThat(all).usingElementComparator(CellComparator.getInstance()).isEqualTo(cells);
        for (int i = 1; i < pieces.size(); i++) {
          Cell first = pieces.get(i).cells().get(0);
          Cell before = pieces.get(i - 1).last();
          assertThat(pieces.get(i - 1).isCut()).isEqualTo(Coordinates.sameVersion(before, first));
        }
        if (limit == WHOLE_ROWS) {
          assertThat(pieces)
              .hasSize(
                  (int)
                      cells.stream()
                          .map(CellUtil::cloneRow)
                          .map(Bytes::toString)
                          .distinct()
                          .count());
        } else {
          assertThat(pieces).hasSizeGreaterThan(2);
        }
      }
    }
  }

  /** A piece that is written back whole must not be without what masks it. */
  @Test
  void markersThatMayMaskCellsOfAPieceToCome_areKept() throws Exception {
    List<Cell> cells =
        Cells.sorted(
            List.of(
                Cells.cell("", NOW, KeyValue.Type.DeleteFamily, "", 9),
                Cells.cell("o", NOW, KeyValue.Type.DeleteColumn, "", 8),
                Cells.cell("q", NOW + 1, KeyValue.Type.DeleteColumn, "", 7),
                Cells.cell("q", NOW, KeyValue.Type.Put, "one", 6),
                Cells.cell("q", NOW - 1, KeyValue.Type.Put, "two", 5)));
    assertThat(kept(Cells.pieces(WHOLE_ROWS, cells))).isEmpty();
    long upToOne = cells.stream().limit(4).mapToLong(Cell::getSerializedSize).sum();
    List<RowPiece> cut = Cells.pieces(upToOne, cells);
    assertThat(cut).hasSize(2);
    assertThat(kept(cut)).containsExactly(cells.get(0), cells.get(2));
  }

  @Test
  void versionsOfOneTimestamp_takeNoMoreMemoryThanOthers() throws Exception {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      cells.add(Cells.cell("q", NOW, KeyValue.Type.Put, "one", i));
    }
    cells.add(Cells.cell("q", NOW - 1, KeyValue.Type.Put, "two", 1));
    long ofOne = cells.get(0).getSerializedSize();
    List<RowPiece> pieces = Cells.pieces(10 * ofOne, Cells.sorted(cells));
    assertThat(pieces).hasSize(101).allMatch(piece -> piece.bytes() <= 11 * ofOne);
    assertThat(pieces.subList(0, 99)).allMatch(RowPiece::isCut);
    assertThat(pieces.subList(99, 101)).noneMatch(RowPiece::isCut);
  }

  /**
   * It is seen again when the newer one ends: expired, it is not, and the next rewrite drops it.
   */
  @Test
  void aHiddenVersion_isWrittenAsOneThatHasExpired() throws Exception {
    Cell hiding = Cells.passing(Cells.cell("q", NOW, KeyValue.Type.Put, "newer", 2), 5);
    Cell hidden =
        PrivateCellUtil.createCell(
            Cells.cell("q", NOW - 1, KeyValue.Type.Put, "older", 1), List.of(labelled()));
    List<RowPiece> pieces = Cells.pieces(WHOLE_ROWS, List.of(hiding, hidden));
    BitSet second = new BitSet();
    second.set(1);
    assertThat(pieces.get(0).dropped()).isEqualTo(second);
    assertThat(pieces.get(0).hidden()).isEqualTo(second);
    List<Cell> kept = kept(pieces);
    assertThat(kept).isEqualTo(List.of(hiding, hidden));
    assertThat(CellUtil.cloneValue(kept.get(1))).asString().isEqualTo("older");
    List<Tag> tags = PrivateCellUtil.getTags(kept.get(1));
    assertThat(tags)
        .extracting(Tag::getType)
        .containsExactly(TagType.VISIBILITY_TAG_TYPE, TagType.TTL_TAG_TYPE);
    assertThat(kept.get(1).getTimestamp() + Tag.getValueAsLong(tags.get(1))).isNegative();
    List<Cell> again = kept(Cells.pieces(WHOLE_ROWS, kept));
    assertThat(again).containsExactly(hiding);
  }

  /** The version that masked it is written as expired. */
  @Test
  void behindAHiddenVersionOfAnotherPiece_whatIsWrittenBackHasExpired() throws Exception {
    List<Cell> cells =
        List.of(
            Cells.passing(Cells.cell("q", NOW, KeyValue.Type.Put, "hiding", 4), 5),
            Cells.cell("q", NOW - 1, KeyValue.Type.Put, "hidden", 3),
            Cells.cell("q", NOW - 2, KeyValue.Type.Put, "dead", 2),
            Cells.cell("q", NOW - 3, KeyValue.Type.Put, "dead", 1),
            Cells.cell("r", NOW, KeyValue.Type.DeleteColumn, "", 6),
            Cells.cell("r", NOW, KeyValue.Type.Put, "deleted", 5));
    for (long limit : new long[] {WHOLE_ROWS, 1}) {
      List<Cell> back = new ArrayList<>();
      Cells.pieces(limit, cells).forEach(piece -> piece.emitAll(back));
      assertThat(back).isEqualTo(cells);
      assertThat(back.subList(1, 6))
          .extracting(cell -> PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE).isPresent())
          .containsExactly(false, limit == 1, limit == 1, false, false);
    }
  }

  private static Tag labelled() {
    return new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, "x");
  }

  @Test
  void aPiece_tellsWhatIsCovered() throws Exception {
    List<Cell> cells =
        List.of(
            Cells.cell("q", NOW, KeyValue.Type.Put, "one", 6),
            Cells.cell("q", NOW - 1, KeyValue.Type.Put, "two", 5));
    RowPiece piece =
        new RowPieces(
                new Cells(cells, cell -> cell.getTimestamp() < NOW), Cells.matcher(1), WHOLE_ROWS)
            .next();
    assertThat(piece.covered().get(0)).isFalse();
    assertThat(piece.covered().get(1)).isTrue();
    assertThat(piece.cells()).isNotEmpty();
    assertThat(new RowPiece().cells()).isEmpty();
  }

  /** A scanner that keeps a column and all markers, and trims the rest. */
  @Test
  void keepingScanner_trimsWhatIsNotToBeKept() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      List<Cell> cells = Cells.history(new Random(seed), "", "p", "q");
      RetentionMatcher matcher = Cells.matcher(2);
      List<Cell> expected = new ArrayList<>();
      for (Cell cell : cells) {
        boolean kept = matcher.keeps(cell);
        if (kept || !Coordinates.isPut(cell) || isQ(cell)) {
          expected.add(cell);
        }
      }
      List<Cell> out = new ArrayList<>();
      try (KeepingScanner scanner =
          new KeepingScanner(new Cells(cells), Cells.matcher(2), RowPiecesTest::isQ)) {
        assertThat(scanner.next(out, NoLimitScannerContext.getInstance())).isFalse();
      }
      assertThat(out).isEqualTo(expected);
    }
  }

  private static boolean isQ(Cell cell) {
    return Bytes.equals(CellUtil.cloneQualifier(cell), Bytes.toBytes("q"));
  }

  @Test
  void keepingScanner_comesBackAfterAHundredCells_andReadsWhatWasNotShipped() throws Exception {
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.getInstance());
    for (int i = 0; i < 300; i++) {
      cells.add(Cells.cell("q" + i % 49, NOW - i, KeyValue.Type.Put, "v", i));
    }
    List<Cell> out = new ArrayList<>();
    Cells source = new Cells(List.copyOf(cells));
    KeepingScanner scanner = new KeepingScanner(source, Cells.matcher(1), cell -> false);
    while (scanner.next(out, NoLimitScannerContext.getInstance())) {
      scanner.shipped();
    }
    assertThat(source.shipments()).isEqualTo(3);
    assertThat(out).hasSize(49);
    scanner.close();
    assertThat(source.isClosed()).isTrue();
  }

  /** An exception out of a flush aborts the region server. */
  @Test
  void keepingScanner_keepsAllWhereNobodyCanTell() throws Exception {
    List<Cell> cells =
        Cells.history(new Random(1), "p", "q").stream().filter(Coordinates::isPut).toList();
    List<Cell> out = new ArrayList<>();
    KeepingScanner scanner =
        new KeepingScanner(new Cells(cells), new RetentionMatcher(null, null), cell -> false);
    assertThat(scanner.next(out, NoLimitScannerContext.getInstance())).isFalse();
    assertThat(out).isEqualTo(cells);
  }

  @Test
  void pieces_haveTheirSourceShippedAndClosed() throws Exception {
    Cells source = new Cells(Cells.history(new Random(1), "p", "q"));
    RowPieces pieces = new RowPieces(source, Cells.matcher(1), 1);
    assertThat(pieces.next()).isNotNull();
    pieces.shipped();
    assertThat(source.shipments()).isEqualTo(1);
    pieces.close();
    assertThat(source.isClosed()).isTrue();
  }

  /** Of a file whose run has failed in some rows. */
  @Test
  void replay_tellsWhatWasDying_butInRowsThatFailed() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      List<Cell> cells = Cells.history(new Random(seed), "p", "q");
      NavigableSet<byte[]> failed = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      if (seed % 2 == 0) {
        failed.add(Bytes.toBytes("r1"));
      }
      Replay replay = new Replay(Cells.matcher(1), failed);
      RetentionMatcher matcher = Cells.matcher(1);
      Cells source = new Cells(cells);
      for (Cell cell : cells) {
        boolean dead = matcher.match(cell) == RetentionMatcher.Verdict.DEAD;
        assertThat(replay.isDying(source.next()))
            .isEqualTo(
                dead && Coordinates.isPut(cell) && !failed.contains(CellUtil.cloneRow(cell)));
        replay.beforeShipped();
        source.shipped();
      }
    }
  }

  @Test
  void copies_outliveWhatTheyWereCopiedFrom() throws Exception {
    List<Cell> cells = Cells.history(new Random(1), "p", "q");
    CellSource copied =
        new ScannerCells(new KeepingScanner(new Cells(cells), Cells.matcher(1), cell -> true));
    assertThat(copied.next()).isEqualTo(cells.get(0));
    copied.shipped();
    for (Cell cell : cells.subList(1, cells.size())) {
      assertThat(copied.next()).isEqualTo(cell);
    }
    assertThat(copied.next()).isNull();
  }

  @Test
  void aPurge_withoutARange_isOfItsKind() throws Exception {
    InternalScanner other =
        new KeepingScanner(new Cells(List.of()), Cells.matcher(1), cell -> true);
    assertThat(Purge.of(ScanType.COMPACT_DROP_DELETES, other))
        .isEqualTo(new Purge(ScanType.COMPACT_DROP_DELETES, Optional.empty()));
    assertThat(Purge.NOTHING.type()).isEqualTo(ScanType.COMPACT_RETAIN_DELETES);
  }
}
