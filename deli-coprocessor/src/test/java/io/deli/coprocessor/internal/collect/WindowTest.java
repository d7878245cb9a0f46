package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.scan.Cells.cell;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.scan.Cells;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.send.IndexDelete;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class WindowTest {
  private static final TableName A = TableName.valueOf("t.a");
  private static final TableName B = TableName.valueOf("t.b");
  private static final byte[] ENTRIES = {'e'};

  private final List<Cell> out = new ArrayList<>();
  private final List<Unit> writtenBack = new ArrayList<>();

  private static Map.Entry<TableName, Cell> delete(TableName table, String row, long timestamp) {
    return Map.entry(
        table, new KeyValue(Bytes.toBytes(row), ENTRIES, ENTRIES, timestamp, KeyValue.Type.Delete));
  }

  /** Of two versions, the second of which dies. */
  private static Unit unit(String value) throws Exception {
    Cells cells =
        new Cells(
            List.of(
                cell("q", 2, KeyValue.Type.Put, value, 2),
                cell("q", 1, KeyValue.Type.Put, value, 1)));
    RowPiece piece = new RowPieces(cells, Cells.matcher(1), Long.MAX_VALUE).next();
    return new Unit(piece, 1, Collections.emptyIterator());
  }

  private List<Integer> emitted(Window window) {
    out.clear();
    writtenBack.clear();
    window.emit(out, writtenBack::add);
    return List.of(out.size(), writtenBack.size());
  }

  private static List<DeleteBatch> all(Window window) {
    List<DeleteBatch> all = new ArrayList<>();
    while (window.nextTable() != null) {
      all.add(window.next(Integer.MAX_VALUE));
    }
    return all;
  }

  private static List<IndexDelete> deletes(List<DeleteBatch> batches) {
    return batches.stream().flatMap(each -> each.deletes().stream()).toList();
  }

  private static void acknowledge(List<DeleteBatch> batches) {
    deletes(batches).forEach(IndexDelete::acknowledge);
    batches.forEach(each -> assertThat(each.settle()).isEmpty());
  }

  @Test
  void aUnit_isDroppedOnlyIfAllItsDeletesAreAcknowledged() throws Exception {
    for (int missing = 0; missing < 3; missing++) {
      Window window = new Window();
      Unit unit = unit("v");
      Unit other = unit("w");
      window.add(unit, delete(A, "1", 1));
      window.add(unit, delete(A, "2", 1));
      window.add(unit, delete(B, "3", 1));
      window.end(unit);
      window.add(other, delete(B, "4", 1));
      window.end(other);
      window.seal();
      List<DeleteBatch> batches = all(window);
      List<IndexDelete> deletes = deletes(batches);
      assertThat(deletes).hasSize(4);
      for (IndexDelete delete : deletes) {
        if (deletes.indexOf(delete) != missing) {
          delete.acknowledge();
        }
      }
      assertThat(batches.stream().flatMap(each -> each.settle().stream()).toList())
          .extracting(each -> Bytes.toString(CellUtil.cloneRow(each.marker())))
          .containsExactly(Integer.toString(missing + 1));
      assertThat(emitted(window)).containsExactly(3, 1);
      assertThat(writtenBack).containsExactly(unit);
    }
  }

  /** It is emitted with the last of them, and whole if any is refused. */
  @Test
  void aUnit_mayHaveItsDeletesInSeveralWindows() throws Exception {
    for (boolean acknowledged : new boolean[] {true, false}) {
      Unit unit = unit("v");
      Window first = new Window();
      first.add(unit, delete(A, "1", 1));
      first.seal();
      Window second = new Window();
      second.add(unit, delete(A, "2", 1));
      second.end(unit);
      second.seal();
      acknowledge(all(second));
      if (acknowledged) {
        acknowledge(all(first));
      }
      assertThat(emitted(first)).containsExactly(0, 0);
      assertThat(emitted(second)).containsExactly(acknowledged ? 1 : 2, acknowledged ? 0 : 1);
    }
  }

  @Test
  void aWindow_takesTheMemoryOfItsCellsAndDeletes() throws Exception {
    Window window = new Window();
    assertThat(window.isEmpty()).isTrue();
    assertThat(window.bytes()).isZero();
    Unit unit = unit("v");
    window.add(unit, delete(A, "1", 1));
    assertThat(window.isEmpty()).isFalse();
    long ofDelete = window.bytes();
    assertThat(ofDelete).isBetween(100L, 300L);
    window.end(unit);
    assertThat(window.bytes()).isEqualTo(ofDelete + unit.piece().bytes());
    window.add(unit("w"), delete(A, "1", 2));
    assertThat(window.bytes()).isEqualTo(2 * ofDelete + unit.piece().bytes());
  }

  @Test
  void deletes_areCountedByCells_andThoseOfOneRowGoTogether() throws Exception {
    Window window = new Window();
    Unit unit = unit("v");
    for (int i = 1; i <= 250; i++) {
      window.add(unit, delete(A, "row", i));
    }
    window.add(unit, delete(A, "other", 1));
    window.end(unit);
    assertThat(window.seal()).isEqualTo(251);
    assertThat(window.cells()).isEqualTo(251);
    List<DeleteBatch> batches = all(window);
    assertThat(deletes(batches))
        .extracting(each -> each.delete().size())
        .containsExactly(1, 100, 100, 50);
    acknowledge(batches);
    assertThat(emitted(window)).containsExactly(1, 0);
  }

  @Test
  void requests_areOfOneTable_andOfSoManyCells() throws Exception {
    Window window = new Window();
    Unit unit = unit("v");
    for (String row : List.of("1", "2", "3")) {
      window.add(unit, delete(A, row, 1));
    }
    for (int i = 1; i <= 5; i++) {
      window.add(unit, delete(B, "4", i));
    }
    window.add(unit, delete(B, "5", 1));
    window.end(unit);
    window.seal();
    assertThat(window.nextTable()).isEqualTo(A);
    assertThat(window.next(2).deletes()).hasSize(2);
    assertThat(window.next(2).deletes()).hasSize(1);
    assertThat(window.nextTable()).isEqualTo(B);
    assertThat(window.next(4).deletes()).extracting(IndexDelete::cells).containsExactly(4);
    assertThat(window.next(4).deletes()).extracting(IndexDelete::cells).containsExactly(1, 1);
    assertThat(window.nextTable()).isNull();
  }

  @Test
  void aWindow_isAnsweredWhenNothingIsLeftOrUnderWay() throws Exception {
    Window window = new Window();
    Unit unit = unit("v");
    window.add(unit, delete(A, "1", 1));
    window.add(unit, delete(B, "2", 1));
    window.end(unit);
    window.seal();
    assertThat(window.isAnswered()).isFalse();
    DeleteBatch sent = window.next(1);
    window.sent();
    window.skip(A::equals);
    assertThat(window.nextTable()).isEqualTo(B);
    window.skip(B::equals);
    assertThat(window.nextTable()).isNull();
    assertThat(window.isAnswered()).isFalse();
    window.answered();
    assertThat(window.isAnswered()).isTrue();
    window.again(A, sent.settle());
    assertThat(window.nextTable()).isEqualTo(A);
    assertThat(window.isAnswered()).isFalse();
  }

  @Test
  void unitsThatEndInAWindow_outliveTheirBlocks() throws Exception {
    Cells cells = new Cells(List.of(cell("q", 2, KeyValue.Type.Put, "v", 2)));
    RowPiece piece = new RowPieces(cells, Cells.matcher(1), Long.MAX_VALUE).next();
    Unit unit = new Unit(piece, 1, Collections.emptyIterator());
    Window window = new Window();
    window.add(unit, delete(A, "1", 1));
    window.beforeShipped();
    window.end(unit);
    window.beforeShipped();
    cells.shipped();
    assertThat(CellUtil.cloneValue(piece.cells().get(0))).asString().isEqualTo("v");
  }

  @Test
  void aUnitThatIsRefused_staysWhole() throws Exception {
    Unit unit = unit("v");
    assertThat(unit.isRefused()).isFalse();
    unit.refuse();
    assertThat(unit.isRefused()).isTrue();
    assertThat(unit.dying()).isEqualTo(1);
    Window window = new Window();
    window.end(unit);
    window.seal();
    assertThat(emitted(window)).containsExactly(2, 1);
  }
}
