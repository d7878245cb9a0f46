package io.deli.coprocessor.internal.collect;

import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.BY_Q;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.deletes;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.piece;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.put;
import static io.deli.coprocessor.internal.collect.GarbageUnitsTest.units;
import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static io.deli.coprocessor.internal.scan.Cells.by;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.entry.WriteId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients choose the write ids by which garbage collection tells twins apart. */
class TwinIdsTest {
  private static final int TWINS = 50_000;

  /** One of 8^8 ids of equal hash: of each two bytes, the second counts 31 times the first. */
  private static WriteId colliding(int number) {
    byte[] id = new byte[16];
    for (int i = 0; i < 8; i++) {
      int digit = (number >> (3 * i)) & 7;
      id[2 * i] = (byte) (120 - 31 * digit);
      id[2 * i + 1] = (byte) digit;
    }
    return WriteId.from(id);
  }

  @Test
  @Timeout(20)
  void twinsWhoseIdsHaveEqualHashes_areToldApartSoon() throws Exception {
    assertThat(IntStream.range(0, 1_000).mapToObj(i -> colliding(i).toBytes()))
        .extracting(id -> ByteBuffer.wrap(id).hashCode())
        .containsOnly(ByteBuffer.wrap(colliding(0).toBytes()).hashCode());
    Cell[] twins =
        IntStream.range(0, TWINS)
            .mapToObj(i -> by(colliding(i), put("q", NOW, "v" + i, i + 1)))
            .toArray(Cell[]::new);
    Unit unit = units(new FamilyIndexes(List.of(BY_Q), List.of(), false)).unit(piece(twins));
    assertThat(deletes(unit)).hasSize(TWINS - 1);
  }
}
