package io.deli.coprocessor.internal.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.strategy.VersionRules;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ExposedRowTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final Column P = Column.parse("f:p");
  private static final Column Q = Column.parse("f:q");

  private final List<Cell> cells = new ArrayList<>();
  private final ExposedRow row = new ExposedRow(ROW);
  private int reads;

  /** Keeps one version. */
  private static ForgetfulColumn column(Column column) {
    return new ForgetfulColumn(
        column,
        new VersionRules(1, 0, Long.MAX_VALUE, true),
        List.of(Index.of(TableName.valueOf("t"), IndexDefinition.on("i", column))));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private final Region region =
      proxy(
          Region.class,
          (self, opened, scans) -> {
            reads++;
            return proxy(
                RegionScanner.class,
                (scanner, method, into) -> {
                  if (method.getName().equals("next")) {
                    add(into[0]);
                  }
                  return method.getReturnType() == boolean.class ? false : null;
                });
          });

  @SuppressWarnings("unchecked")
  private void add(Object into) {
    ((Collection<Cell>) into).addAll(cells);
  }

  private void put(Column column, long... newestFirst) {
    for (long timestamp : newestFirst) {
      cells.add(new KeyValue(ROW, column.family(), column.qualifier(), timestamp, new byte[9]));
    }
  }

  private void delete(Column column, long timestamp) {
    row.add(new Delete(ROW).addColumn(column.family(), column.qualifier(), timestamp));
  }

  private List<Long> exposed(Column column) throws Exception {
    return row.exposed(column(column), region).stream().map(Cell::getTimestamp).toList();
  }

  @Test
  void manyDeletes_readOnce_andExposeEachVersionOnce() throws Exception {
    for (long timestamp = 1_000; timestamp > 0; timestamp--) {
      put(Q, timestamp);
    }
    for (long timestamp = 1_000; timestamp > 1; timestamp--) {
      delete(Q, timestamp);
      assertThat(exposed(Q)).containsExactly(timestamp - 1);
      row.restored(column(Q));
    }
    assertThat(reads).isOne();
  }

  @Test
  void whatAFailedDeleteExposed_isExposedByTheNext() throws Exception {
    put(P, 5, 4);
    put(Q, 5, 4, 3);
    delete(P, 5);
    delete(Q, 5);
    assertThat(exposed(P)).containsExactly(4L);
    assertThat(exposed(Q)).containsExactly(4L);
    row.restored(column(P));
    assertThat(exposed(P)).isEmpty();
    assertThat(exposed(Q)).containsExactly(4L);
    delete(Q, 4);
    assertThat(exposed(Q)).containsExactly(3L);
  }

  @Test
  void whatIsForgotten_isReadAgain_andNotRestoredTwice() throws Exception {
    put(Q, 5, 4, 3);
    delete(Q, 5);
    assertThat(exposed(Q)).containsExactly(4L);
    row.restored(column(Q));
    row.forget();
    assertThat(exposed(Q)).isEmpty();
    delete(Q, 4);
    assertThat(exposed(Q)).containsExactly(3L);
    assertThat(reads).isEqualTo(2);
  }
}
