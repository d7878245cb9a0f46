package io.deli.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.ByteStrings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

class RowSortTest {
  private static final byte[] FAMILY = Bytes.toBytes("e");
  private static final byte[] ENDS = {0, 1, Byte.MAX_VALUE, Byte.MIN_VALUE, -1};

  @Provide
  Arbitrary<byte[]> bytes() {
    return ByteStrings.bytes();
  }

  @Provide
  Arbitrary<List<byte[]>> rows() {
    return ByteStrings.bytes().list().ofMaxSize(40);
  }

  @Example
  void rowsAreLookedAtAgainOnlyWhereTheirHeadsAreEqual() {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      byte[] row = Bytes.add(Bytes.toBytes("what all rows share"), Bytes.toBytes(i), new byte[8]);
      cells.add(0, new KeyValue(row, FAMILY, row, 1, new byte[0]));
    }
    AtomicInteger compared = new AtomicInteger();
    RowSort.sort(
        cells,
        cell -> cell,
        (a, b) -> {
          compared.incrementAndGet();
          return CellComparator.getInstance().compare(a, b);
        });
    assertThat(compared).hasValue(0);
    assertThat(cells).isSortedAccordingTo(CellComparator.getInstance());
  }

  /** Rows that differ early, late or not at all, behind what they share; some end there. */
  @Property(tries = 2000)
  void sortsAsStoresDo(@ForAll("bytes") byte[] shared, @ForAll("rows") List<byte[]> rows) {
    List<KeyValue> cells = new ArrayList<>();
    for (byte[] row : rows) {
      for (byte end : ENDS) {
        byte[] whole = Bytes.add(shared, row, new byte[] {end});
        cells.add(new KeyValue(whole, FAMILY, row, cells.size(), new byte[0]));
      }
    }
    List<KeyValue> sorted = new ArrayList<>(cells);
    RowSort.sort(sorted, cell -> cell, CellComparator.getInstance());
    cells.sort(CellComparator.getInstance());
    assertThat(sorted).usingElementComparator((a, b) -> a == b ? 0 : 1).isEqualTo(cells);
  }
}
