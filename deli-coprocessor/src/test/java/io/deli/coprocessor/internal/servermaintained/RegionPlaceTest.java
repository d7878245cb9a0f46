package io.deli.coprocessor.internal.servermaintained;

import static io.deli.coprocessor.internal.servermaintained.LockedBatches.FAMILY;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionPlaceTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final List<Cell> CELLS = put("r", "q", 1_500).get(FAMILY, Bytes.toBytes("q"));

  /** A region whose scanners read blocks that are used for others once they are closed. */
  private static Region region() {
    return as(Region.class, (method, arguments) -> scanner());
  }

  private static RegionScanner scanner() {
    byte[] block = KeyValueUtil.copyToNewKeyValue(CELLS.get(0)).getBuffer();
    return as(
        RegionScanner.class,
        (method, arguments) -> {
          if (method.equals("close")) {
            Arrays.fill(block, (byte) 0);
            return null;
          }
          @SuppressWarnings("unchecked")
          List<Cell> read = (List<Cell>) arguments[0];
          read.add(new ByteBufferKeyValue(ByteBuffer.wrap(block), 0, block.length));
          return false;
        });
  }

  private interface Answer {
    Object to(String method, Object[] arguments);
  }

  private static <T> T as(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answer.to(method.getName(), arguments)));
  }

  @Test
  void cellsAreLookedAtBeforeTheirScannerIsClosed() throws Exception {
    RegionPlace place = RegionPlace.of(region());
    assertThat(place.newest(new Get(ROW))).isEqualTo(1_500);
    assertThat(place.holds(ROW, 1_500, CELLS)).isTrue();
  }
}
