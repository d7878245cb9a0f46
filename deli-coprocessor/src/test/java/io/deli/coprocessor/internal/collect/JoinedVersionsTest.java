package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.deletes;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.piece;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.put;
import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static io.deli.coprocessor.internal.scan.Cells.by;
import static io.deli.coprocessor.internal.scan.Cells.cell;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/** The versions of an index on several columns that die with a piece of a row. */
class JoinedVersionsTest {
  private static final FamilyIndexes JOINED = indexed("by_q_p", "f:q", "f:p");
  private static final FamilyIndexes OF_THREE = indexed("by_all", "f:o", "f:p", "f:q");

  private static FamilyIndexes indexed(String name, String... columns) {
    IndexDefinition definition =
        IndexDefinition.on(name, Stream.of(columns).map(Column::parse).toArray(Column[]::new));
    return new FamilyIndexes(
        List.of(Index.of(TableName.valueOf("t"), definition)), List.of(), false);
  }

  private static List<String> deletesOfJoined(Cell... cells) throws Exception {
    return deletes(GarbageUnitsTest.units(JOINED).unit(piece(cells))).stream()
        .map(delete -> delete.replace("\\x00\\xFF\\x00\\xFF", "+"))
        .toList();
  }

  @Test
  void aVersionOfSeveralColumns_diesOnce_withTheFirstOfItsCells() throws Exception {
    assertThat(
            deletesOfJoined(
                put("o", NOW - 1, "z", 4),
                put("p", NOW, "a", 5),
                put("p", NOW - 1, "b", 4),
                put("p", NOW - 2, "c", 3),
                put("q", NOW, "d", 5),
                put("q", NOW - 1, "e", 4),
                put("q", NOW - 2, "f", 3)))
        .containsExactly("t.by_q_p e+b>r 1", "t.by_q_p f+c>r 2");
    assertThat(
            deletesOfJoined(
                cell("q", NOW, KeyValue.Type.DeleteColumn, "", 6),
                put("p", NOW, "a", 5),
                put("q", NOW, "d", 5)))
        .containsExactly("t.by_q_p d+a>r 0");
    assertThat(deletesOfJoined(put("q", NOW, "d", 5), put("q", NOW - 1, "e", 4))).isEmpty();
  }

  /** The same Put twice, and another with its timestamp. */
  @Test
  void twinsOfSeveralColumns_keepTheEntriesOfThoseThatStay() throws Exception {
    WriteId one = WriteId.of(1, 1);
    WriteId two = WriteId.of(2, 2);
    assertThat(
            deletesOfJoined(
                by(two, put("p", NOW, "a", 6)),
                by(two, put("p", NOW, "a", 5)),
                by(one, put("p", NOW, "b", 4)),
                by(two, put("q", NOW, "c", 6)),
                by(two, put("q", NOW, "c", 5)),
                by(one, put("q", NOW, "c", 4))))
        .containsExactly("t.by_q_p c+b>r 0");
  }

  /** Of one column the older twin dies, of the other both. */
  @Test
  void twinsOfSeveralColumns_dieWithDifferentCells() throws Exception {
    WriteId one = WriteId.of(1, 1);
    WriteId two = WriteId.of(2, 2);
    assertThat(
            deletesOfJoined(
                by(two, put("p", NOW, "a", 6)),
                by(one, put("p", NOW, "b", 5)),
                cell("q", NOW, KeyValue.Type.DeleteColumn, "", 7),
                by(two, put("q", NOW, "c", 6)),
                by(one, put("q", NOW, "d", 5))))
        .containsExactly("t.by_q_p d+b>r 0", "t.by_q_p c+a>r 0");
  }

  /** A column's cell was put again, before the index was made. */
  @Test
  void theOnlyCellsOfATime_dieAsOneVersion_whateverTheirIds() throws Exception {
    assertThat(
            deletesOfJoined(
                by(WriteId.of(2, 2), put("p", NOW, "a", 6)),
                cell("q", NOW, KeyValue.Type.DeleteColumn, "", 7),
                by(WriteId.of(1, 1), put("q", NOW, "d", 5))))
        .containsExactly("t.by_q_p d+a>r 0");
  }

  /** Superseded ones of three columns. */
  private static RowPiece twins(int times, IntFunction<String> value) throws Exception {
    List<Cell> cells = new ArrayList<>();
    for (String column : List.of("o", "p", "q")) {
      cells.add(put(column, NOW, "newer", times + 1));
      for (int i = 1; i <= times; i++) {
        cells.add(put(column, NOW - 1, value.apply(i), i));
      }
    }
    return piece(cells.toArray(Cell[]::new));
  }

  /** A file that was loaded again and again. */
  @Test
  void equalTwins_areOneVersion() throws Exception {
    List<String> deletes = deletes(GarbageUnitsTest.units(OF_THREE).unit(twins(300, i -> "v")));
    assertThat(deletes).hasSize(300);
    assertThat(Set.copyOf(deletes)).hasSize(1);
  }

  /** Whichever cell dies, it may be of one write with 90,000 pairs of the others. */
  @Test
  void aUnitWithMoreVersionsThanCanBeTold_stays() throws Exception {
    Unit unit = GarbageUnitsTest.units(OF_THREE).unit(twins(300, i -> "v" + i));
    assertThat(unit.dying()).isPositive();
    assertThat(unit.isRefused()).isTrue();
    assertThat(GarbageUnitsTest.units(OF_THREE).unit(twins(3, i -> "v" + i)).isRefused()).isFalse();
  }

  private static int reads(Cell... cells) throws Exception {
    RowPiece piece = piece(cells);
    AtomicInteger reads = new AtomicInteger();
    piece.cells().replaceAll(cell -> counting((KeyValue) cell, reads));
    assertThat(GarbageUnitsTest.units(JOINED).unit(piece).dying()).isEqualTo(2);
    return reads.get();
  }

  /** One that counts how often its value is read. */
  private static Cell counting(KeyValue cell, AtomicInteger reads) {
    return new KeyValue(cell.getBuffer(), cell.getOffset(), cell.getLength()) {
      @Override
      public byte[] getValueArray() {
        reads.incrementAndGet();
        return super.getValueArray();
      }
    };
  }

  /** Most rows have columns that the index is not on. */
  @Test
  void otherColumns_areNoTwins() throws Exception {
    Cell marker = cell("q", NOW, KeyValue.Type.DeleteColumn, "", 6);
    Cell other = cell("p", NOW, KeyValue.Type.DeleteColumn, "", 6);
    Cell p = put("p", NOW, "a", 5);
    Cell q = put("q", NOW, "d", 5);
    assertThat(reads(marker, other, p, q, put("o", NOW, "x", 5)))
        .isEqualTo(reads(marker, other, p, q));
  }
}
