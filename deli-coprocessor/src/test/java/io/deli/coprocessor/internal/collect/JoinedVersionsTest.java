package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.by;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.deletes;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.piece;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.put;
import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static io.deli.coprocessor.internal.scan.Cells.cell;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/** The versions of an index on several columns that die with a piece of a row. */
class JoinedVersionsTest {
  private static final FamilyIndexes JOINED =
      new FamilyIndexes(
          List.of(
              Index.of(
                  TableName.valueOf("t"),
                  IndexDefinition.on("by_q_p", Column.parse("f:q"), Column.parse("f:p")))),
          List.of(),
          false);

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
}
