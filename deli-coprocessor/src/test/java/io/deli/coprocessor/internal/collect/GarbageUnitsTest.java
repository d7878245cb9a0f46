package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static io.deli.coprocessor.internal.scan.Cells.by;
import static io.deli.coprocessor.internal.scan.Cells.cell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.Cells;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.token.Tokenizers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What dies with a piece of a row, of a family that keeps one version. */
class GarbageUnitsTest {
  static final Index BY_Q = index("by_q", "f:q", Tokenizers.EXACT);
  static final Index PREFIXES = index("prefixes", "f:q", Tokenizers.PREFIX);
  private static final Index BY_P = index("by_p", "f:p", Tokenizers.EXACT);
  private static final FamilyIndexes INDEXES =
      new FamilyIndexes(List.of(BY_Q, PREFIXES, BY_P), List.of(), false);

  private static Index index(String name, String column, String tokenizer) {
    return Index.of(
        TableName.valueOf("t"),
        IndexDefinition.on(name, Column.parse(column))
            .withTokenizer(tokenizer)
            .withOption(Tokenizers.PREFIX_LENGTH, "1"));
  }

  /** Of a rewrite of all files. */
  static GarbageUnits units(FamilyIndexes indexes) {
    return new GarbageUnits(indexes, Purge.of(ScanType.COMPACT_DROP_DELETES));
  }

  static Cell put(String qualifier, long timestamp, String value, long write) {
    return cell(qualifier, timestamp, KeyValue.Type.Put, value, write);
  }

  static RowPiece piece(Cell... cells) throws Exception {
    Cells source = new Cells(Cells.sorted(List.of(cells)));
    return new RowPieces(source, Cells.matcher(1), Long.MAX_VALUE).next();
  }

  static List<String> deletes(Unit unit) {
    List<String> all = new ArrayList<>();
    Iterator<Map.Entry<TableName, Cell>> deletes = unit.deletes();
    while (deletes.hasNext()) {
      Map.Entry<TableName, Cell> next = deletes.next();
      Cell marker = next.getValue();
      all.add(
          next.getKey()
              + " "
              + Bytes.toStringBinary(CellUtil.cloneRow(marker)).replace("\\x00\\x00", ">")
              + " "
              + (NOW - marker.getTimestamp()));
    }
    assertThatThrownBy(deletes::next).isInstanceOf(NoSuchElementException.class);
    return all;
  }

  @Test
  void eachEntryOfEachDyingVersion_isDeleted() throws Exception {
    Unit unit =
        units(INDEXES)
            .unit(
                piece(
                    put("o", NOW, "a", 9),
                    put("o", NOW - 1, "b", 8),
                    put("p", NOW, "c", 7),
                    put("p", NOW - 1, "d", 6),
                    put("q", NOW, "e", 5),
                    put("q", NOW - 1, "f", 4),
                    put("q", NOW - 2, "g", 3)));
    assertThat(unit.dying()).isEqualTo(3);
    assertThat(deletes(unit))
        .containsExactly(
            "t.by_p d>r 1",
            "t.by_q f>r 1",
            "t.prefixes >r 1",
            "t.prefixes f>r 1",
            "t.by_q g>r 2",
            "t.prefixes >r 2",
            "t.prefixes g>r 2");
  }

  @Test
  void whereOnlyMarkersAndOtherColumnsDie_thereIsNothingToDelete() throws Exception {
    Unit unit =
        units(INDEXES)
            .unit(
                piece(
                    cell("", NOW, KeyValue.Type.DeleteFamily, "", 9),
                    cell("q", NOW, KeyValue.Type.DeleteColumn, "", 8),
                    put("o", NOW - 1, "b", 7)));
    assertThat(unit.dying()).isZero();
    assertThat(deletes(unit)).isEmpty();
    assertThat(unit.piece().dropped().cardinality()).isEqualTo(3);
  }

  /** Its twin is seen again, if the unit is written back or the compaction ends too early. */
  @Test
  void aTwinOfAVersionThatIsSeenAgain_keepsItsEntries() throws Exception {
    Unit unit =
        units(INDEXES)
            .unit(
                piece(
                    Cells.passing(put("q", NOW, "e", 9), 10),
                    put("q", NOW - 1, "f", 5),
                    put("q", NOW - 1, "f", 4)));
    assertThat(unit.piece().dropped().cardinality()).isEqualTo(2);
    assertThat(unit.piece().hidden().cardinality()).isEqualTo(1);
    assertThat(deletes(unit)).isEmpty();
  }

  @Test
  void aVersionThatIsSeenAgain_keepsItsEntries() throws Exception {
    Unit unit =
        units(INDEXES)
            .unit(piece(Cells.passing(put("q", NOW, "e", 5), 10), put("q", NOW - 1, "f", 4)));
    assertThat(unit.dying()).isZero();
    assertThat(deletes(unit)).isEmpty();
  }

  /** The one that stays may be on either side. */
  @Test
  void anEntryOfATwinThatStays_isSpared() throws Exception {
    for (int stays = 0; stays < 3; stays++) {
      RowPiece piece =
          piece(put("p", NOW, "ab", 6), put("p", NOW, "ab", 5), put("p", NOW, "ab", 4));
      piece.dropped().set(0, 3);
      assertThat(deletes(units(INDEXES).unit(piece))).hasSize(3);
      piece.dropped().clear(stays);
      assertThat(deletes(units(INDEXES).unit(piece))).isEmpty();
    }
    RowPiece otherWrite =
        piece(by(WriteId.of(1, 2), put("p", NOW, "ab", 5)), put("p", NOW, "ab", 4));
    assertThat(deletes(units(INDEXES).unit(otherWrite))).containsExactly("t.by_p ab>r 0");
    RowPiece otherTime = piece(put("p", NOW, "ab", 5), put("p", NOW - 1, "ab", 4));
    assertThat(deletes(units(INDEXES).unit(otherTime))).containsExactly("t.by_p ab>r 1");
  }

  /** Of each timestamp the first twin stays. */
  @Test
  void theTwinsOfEachTimestamp_areLookedAtAnew() throws Exception {
    RowPiece piece =
        piece(
            put("p", NOW, "ab", 6),
            put("p", NOW, "ab", 5),
            put("p", NOW - 1, "cd", 4),
            put("p", NOW - 1, "cd", 3),
            put("p", NOW - 1, "ef", 2));
    piece.dropped().clear();
    piece.dropped().set(1);
    piece.dropped().set(3, 5);
    assertThat(deletes(units(INDEXES).unit(piece))).containsExactly("t.by_p ef>r 1");
  }

  private static List<RowPiece> pieces(long limit, List<Cell> cells) throws Exception {
    return Cells.pieces(limit, Cells.sorted(cells));
  }

  /** By one explicit timestamp, of which the newest stays. */
  @Test
  @Timeout(20)
  void manyTwins_takeTimeThatGrowsWithTheirNumber() throws Exception {
    List<Cell> cells = new ArrayList<>();
    for (int write = 1; write <= 60_000; write++) {
      cells.add(put("p", NOW, "ab", write));
    }
    Unit unit = units(INDEXES).unit(pieces(Long.MAX_VALUE, cells).get(0));
    assertThat(unit.dying()).isEqualTo(59_999);
    assertThat(unit.deletes().hasNext()).as("all have the entry of the one that stays").isFalse();
  }

  /** A piece for each cell. */
  @Test
  void twinsInSeveralPieces_areKnownByTheirWriteIds() throws Exception {
    List<Cell> cells =
        List.of(
            by(WriteId.of(1, 1), put("p", NOW, "ab", 9)),
            by(WriteId.of(1, 2), put("p", NOW, "ab", 8)),
            by(WriteId.of(1, 1), put("p", NOW, "ab", 7)),
            by(WriteId.of(1, 3), put("p", NOW, "ab", 6)),
            put("p", NOW - 1, "cd", 5),
            by(WriteId.of(1, 1), put("p", NOW - 2, "ab", 4)));
    GarbageUnits units = units(INDEXES);
    List<List<String>> deletes = new ArrayList<>();
    for (RowPiece piece : pieces(1, cells)) {
      Unit unit = units.unit(piece);
      assertThat(unit.isRefused()).isFalse();
      deletes.add(deletes(unit));
    }
    assertThat(deletes)
        .containsExactly(
            List.of(),
            List.of("t.by_p ab>r 0"),
            List.of(),
            List.of("t.by_p ab>r 0"),
            List.of("t.by_p cd>r 1"),
            List.of("t.by_p ab>r 2"));
  }

  @Test
  void whereverARowIsCut_theSameEntriesAreDeleted() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      List<Cell> cells = new ArrayList<>();
      for (int write = 20; write > random.nextInt(18); write--) {
        WriteId id = WriteId.of(1, 1 + random.nextInt(4));
        cells.add(by(id, put("p", NOW - (20 - write) / 5, "ab", write)));
      }
      Set<String> whole = entries(pieces(Long.MAX_VALUE, cells));
      for (long limit : new long[] {1, 250, 500, 900}) {
        assertThat(entries(pieces(limit, cells))).isEqualTo(whole);
      }
    }
  }

  /** The entries that are deleted with the pieces of a row. */
  private static Set<String> entries(List<RowPiece> pieces) {
    GarbageUnits units = units(INDEXES);
    Set<String> entries = new TreeSet<>();
    for (RowPiece piece : pieces) {
      units.unit(piece).deletes().forEachRemaining(each -> entries.add(each.getValue().toString()));
    }
    return entries;
  }

  /** Nobody knows what comes behind. */
  @Test
  void twinsInSeveralPieces_withoutWriteIds_areKept() throws Exception {
    List<Cell> cells =
        List.of(
            put("p", NOW, "ab", 9),
            put("p", NOW, "ab", 8),
            put("p", NOW, "ab", 7),
            put("p", NOW - 1, "ab", 6));
    GarbageUnits units = units(INDEXES);
    List<Boolean> kept = new ArrayList<>();
    for (RowPiece piece : pieces(1, cells)) {
      kept.add(units.unit(piece).isRefused());
    }
    assertThat(kept).containsExactly(false, true, true, false);
  }

  /** Another twin may be there, whose entry is the same. */
  @Test
  void whereNotAllFilesAreRead_twinsWithoutWriteIdsAreKept() throws Exception {
    Purge some = Purge.of(ScanType.COMPACT_RETAIN_DELETES);
    Cell newest = put("p", NOW, "b", 9);
    Cell other = put("p", NOW - 1, "ab", 7);
    for (boolean nameless : new boolean[] {true, false}) {
      Cell older = put("p", NOW, "ab", 8);
      RowPiece piece = piece(newest, nameless ? older : by(WriteId.of(1, 1), older), other);
      assertThat(new GarbageUnits(INDEXES, some).unit(piece).isRefused()).isEqualTo(nameless);
      assertThat(units(INDEXES).unit(piece).isRefused()).isFalse();
    }
    Cell marker = cell("p", NOW, KeyValue.Type.Delete, "", 9);
    for (RowPiece piece : List.of(piece(newest, other), piece(marker, put("p", NOW, "ab", 8)))) {
      Unit unit = new GarbageUnits(INDEXES, some).unit(piece);
      assertThat(unit.dying()).isEqualTo(1);
      assertThat(unit.isRefused()).isFalse();
    }
  }

  /** By one write a row may be given several timestamps. */
  @Test
  void ofACutRow_onlyTwinsOfTheCutAreInDoubt() throws Exception {
    List<Cell> cells =
        List.of(
            put("p", NOW, "ab", 9),
            put("p", NOW - 1, "cd", 8),
            by(WriteId.of(1, 1), put("p", NOW - 2, "ef", 7)),
            by(WriteId.of(1, 1), put("p", NOW - 2, "ef", 6)));
    long three = cells.stream().limit(3).mapToLong(Cell::getSerializedSize).sum();
    List<RowPiece> pieces = pieces(three, cells);
    assertThat(pieces).extracting(RowPiece::size).containsExactly(3, 1);
    GarbageUnits units = units(INDEXES);
    Unit first = units.unit(pieces.get(0));
    assertThat(first.isRefused()).isFalse();
    assertThat(deletes(first)).containsExactly("t.by_p cd>r 1", "t.by_p ef>r 2");

    List<Cell> oneWrite =
        List.of(
            by(WriteId.of(1, 1), put("p", NOW, "ab", 9)),
            by(WriteId.of(1, 1), put("p", NOW - 1, "ab", 8)),
            by(WriteId.of(1, 2), put("p", NOW - 1, "ab", 7)));
    GarbageUnits others = units(INDEXES);
    List<String> deletes = new ArrayList<>();
    for (RowPiece piece : pieces(1, oneWrite)) {
      deletes.addAll(deletes(others.unit(piece)));
    }
    assertThat(deletes).containsExactly("t.by_p ab>r 1", "t.by_p ab>r 1");
  }

  @Test
  void whereAnIndexCannotBeUsed_nothingIsCollected() throws Exception {
    Column q = Column.parse("f:q");
    FamilyIndexes unresolved = new FamilyIndexes(List.of(BY_Q), List.of(q), false);
    FamilyIndexes unknown = new FamilyIndexes(List.of(), List.of(), true);
    Cell version = put("q", NOW - 1, "f", 4);
    for (FamilyIndexes indexes : List.of(unresolved, unknown)) {
      assertThat(indexes.covers(version)).isTrue();
      assertThat(indexes.collects(version)).isFalse();
      Unit unit = units(indexes).unit(piece(put("q", NOW, "e", 5), version));
      assertThat(unit.dying()).isEqualTo(1);
      assertThatThrownBy(() -> unit.deletes().hasNext()).hasMessageContaining("cannot be used");
    }
    assertThat(unresolved.covers(put("o", NOW, "f", 4))).isFalse();
    assertThat(INDEXES.collects(version)).isTrue();
    assertThat(INDEXES.collects(put("o", NOW, "f", 4))).isFalse();
    assertThat(FamilyIndexes.NONE.covers(version)).isFalse();
  }

  private static RowPiece covered(int position, RowPiece piece) {
    piece.covered().set(position);
    return piece;
  }

  /** After a run that deleted the entries of what was covered. */
  @Test
  void ofARow_coveredVersionsGo_andAllElseIfNoneIsLeftForTheNextRun() throws Exception {
    CoveredUnits covered = new CoveredUnits(INDEXES);
    Cell[] row = {
      cell("", NOW - 5, KeyValue.Type.DeleteFamily, "", 9),
      put("o", NOW - 9, "b", 7),
      put("q", NOW, "e", 5),
      put("q", NOW - 1, "f", 4),
      put("q", NOW - 2, "g", 3)
    };
    RowPiece none = piece(row);
    assertThat(deletes(covered.unit(none))).isEmpty();
    assertThat(none.dropped().isEmpty()).isTrue();
    RowPiece some = covered(3, piece(row));
    covered.unit(some);
    assertThat(some.dropped().stream()).containsExactly(3);
    RowPiece all = covered(3, covered(4, piece(row)));
    covered.unit(all);
    assertThat(all.dropped().stream()).containsExactly(0, 1, 3, 4);
    RowPiece lives = covered(2, covered(3, piece(row)));
    covered.unit(lives);
    assertThat(lives.dropped().isEmpty()).isTrue();
    RowPiece hidden =
        piece(Cells.passing(put("q", NOW, "e", 5), 10), put("q", NOW - 1, "f", 4), row[1]);
    covered.unit(hidden);
    assertThat(hidden.dropped().stream()).containsExactly(2);
  }
}
