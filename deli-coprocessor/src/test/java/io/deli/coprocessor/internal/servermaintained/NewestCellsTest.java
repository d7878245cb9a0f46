package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class NewestCellsTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] F = Bytes.toBytes("f");
  private static final Column A = Column.parse("f:a");
  private static final Column B = Column.parse("f:b");

  private static Cell cell(Column column, long timestamp, String value) {
    return new KeyValue(ROW, column.family(), column.qualifier(), timestamp, Bytes.toBytes(value));
  }

  private static Cell marker(KeyValue.Type type, byte[] family, byte[] qualifier, long timestamp) {
    return new KeyValue(ROW, family, qualifier, timestamp, type);
  }

  @Test
  void theGreatestTimestampStays_andOfEqualOnesTheLastAdded() {
    Cell read = cell(A, 2, "read");
    NewestCells newest = new NewestCells(List.of(read), List.of());
    newest.add(cell(A, 1, "older"));
    assertThat(newest.of(List.of(A))).containsExactly(read);
    Cell equal = cell(A, 2, "equal");
    newest.add(equal);
    assertThat(newest.of(List.of(A))).containsExactly(equal);
  }

  @Test
  void aRowThatLacksAColumn_hasNoneOfThem() {
    Cell a = cell(A, 2, "a");
    NewestCells newest = new NewestCells(List.of(a), List.of());
    assertThat(newest.of(List.of(A, B))).isEmpty();
    Cell b = cell(B, 1, "b");
    newest.add(b);
    assertThat(newest.of(List.of(B, A))).containsExactly(b, a);
  }

  @Test
  void theBatchsDeletesHideWhatIsReadAndWhatIsPut() {
    Cell ofColumn = marker(KeyValue.Type.DeleteColumn, F, A.qualifier(), 3);
    NewestCells newest = new NewestCells(List.of(cell(A, 2, "read")), List.of(ofColumn));
    newest.add(cell(A, 3, "put"));
    assertThat(newest.of(List.of(A))).isEmpty();
    Cell later = cell(A, 4, "later");
    newest.add(later);
    assertThat(newest.of(List.of(A))).containsExactly(later);
    Cell ofFamily = marker(KeyValue.Type.DeleteFamily, F, new byte[0], 3);
    Cell ofAnother = marker(KeyValue.Type.DeleteFamily, Bytes.toBytes("g"), new byte[0], 3);
    List<Cell> read = List.of(cell(A, 2, "a"));
    assertThat(new NewestCells(read, List.of(ofFamily)).of(List.of(A))).isEmpty();
    assertThat(new NewestCells(read, List.of(ofAnother)).of(List.of(A))).isEqualTo(read);
  }
}
