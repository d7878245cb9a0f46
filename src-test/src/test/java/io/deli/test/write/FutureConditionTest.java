package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Conditional Puts that a value of the future decides, which would hide them if they had the time
 * of the clock: two could take one lock. HBase gives them the timestamp of that value.
 */
class FutureConditionTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] FREE = Bytes.toBytes("free");
  private static final byte[] MINE = Bytes.toBytes("mine");
  private static final long HOUR_MILLIS = 3_600_000;

  private final TestTable written;

  FutureConditionTest() throws IOException {
    written = TestTable.create("conditions", 3);
  }

  private static CheckAndMutate taking(byte[] column, boolean several) throws IOException {
    CheckAndMutate.Builder ifFree = CheckAndMutate.newBuilder(ROW).ifEquals(FAMILY, column, FREE);
    Put put = new Put(ROW).addColumn(FAMILY, column, MINE);
    return several ? ifFree.build(RowMutations.of(List.of(put))) : ifFree.build(put);
  }

  private interface Step {
    void by(DeliTable table) throws Exception;
  }

  /** With the column free, by a timestamp that is so far ahead. */
  private void free(byte[] column, long leadMillis, Step then) throws Exception {
    try (DeliConnection connection =
            DeliConnection.wrap(ConnectionFactory.createConnection(MiniCluster.configuration()));
        DeliTable table = connection.getTable(written.name())) {
      long future = System.currentTimeMillis() + leadMillis;
      table.put(new Put(ROW).addColumn(FAMILY, column, future, FREE));
      then.by(table);
    }
  }

  private byte[] read(byte[] column) throws IOException {
    try (var table = MiniCluster.connection().getTable(written.name())) {
      return table.get(new Get(ROW)).getValue(FAMILY, column);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onUnindexedColumnsShowAtOnce(boolean several) throws Exception {
    free(
        OTHER,
        HOUR_MILLIS,
        table -> {
          assertThat(table.checkAndMutate(taking(OTHER, several)).isSuccess()).isTrue();
          assertThat(read(OTHER)).isEqualTo(MINE);
          assertThat(table.checkAndMutate(taking(OTHER, several)).isSuccess()).isFalse();
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onIndexedColumnsWaitUntilTheFutureHasCome(boolean several) throws Exception {
    free(
        QUALIFIER,
        1_500,
        table -> {
          assertThat(table.checkAndMutate(taking(QUALIFIER, several)).isSuccess()).isTrue();
          assertThat(read(QUALIFIER)).isEqualTo(MINE);
          assertThat(table.checkAndMutate(taking(QUALIFIER, several)).isSuccess()).isFalse();
        });
    Eventually.holds(written::assertIndexed);
  }

  @Test
  void onIndexedColumnsFailIfThatIsTooFar() throws Exception {
    free(
        QUALIFIER,
        HOUR_MILLIS,
        table -> {
          assertThatThrownBy(() -> table.checkAndMutate(taking(QUALIFIER, false)))
              .isInstanceOf(RetriesExhaustedException.class)
              .hasMessageContainingAll(
                  written.name().getNameAsString(), "'r'", "what decided its condition");
          assertThat(read(QUALIFIER)).isEqualTo(FREE);
        });
    Eventually.holds(written::assertIndexed);
  }

  /** The condition is on another column, by which HBase stamps the Put as well. */
  @Test
  void onlyWhatTheFutureWouldHideWaits() throws Exception {
    CheckAndMutate taking =
        CheckAndMutate.newBuilder(ROW)
            .ifEquals(FAMILY, OTHER, FREE)
            .build(new Put(ROW).addColumn(FAMILY, QUALIFIER, MINE));
    free(
        OTHER,
        HOUR_MILLIS,
        table -> {
          assertThat(table.checkAndMutate(taking).isSuccess()).isTrue();
          assertThat(read(QUALIFIER)).isEqualTo(MINE);
        });
    free(
        QUALIFIER,
        1_500,
        table -> {
          assertThat(table.checkAndMutate(taking).isSuccess()).isTrue();
          assertThat(read(QUALIFIER)).isEqualTo(MINE);
        });
  }
}
