package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Continuation;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.config.DeliSettings;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of the greatest length that HBase takes. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongestRowsTest {
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final ValueQuery FIND = ValueQuery.on(TestTable.INDEX).equalTo(VALUE);

  /** In order; no key is greater than the last. */
  private static final List<byte[]> ROWS =
      List.of(
          Bytes.toBytes("a"),
          filled('m', HConstants.MAX_ROW_LENGTH - 1),
          filled('m', HConstants.MAX_ROW_LENGTH),
          Bytes.toBytes("n"),
          filled(0xFF, HConstants.MAX_ROW_LENGTH));

  private static byte[] filled(int with, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  private static Put put(byte[] row, byte[] value) {
    return new Put(row).addColumn(TestTable.FAMILY, TestTable.QUALIFIER, value);
  }

  private static List<byte[]> find(DeliTable table, ValueQuery query) throws IOException {
    try (ValueScanner hits = table.readValue(query)) {
      List<byte[]> rows = new ArrayList<>();
      hits.forEach(hit -> rows.add(hit.row()));
      return rows;
    }
  }

  private static List<byte[]> findOneByOne(DeliTable table, ValueQuery query) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    Optional<Continuation> from = Optional.empty();
    do {
      try (ValueScanner hits = table.readValue(from.map(query::from).orElse(query).limit(1))) {
        Optional<ValueHit> hit = hits.next();
        hit.ifPresent(found -> rows.add(found.row()));
        from = hits.continuation();
      }
    } while (from.isPresent());
    return rows;
  }

  private static void assertFindsAll(TableName name) throws IOException {
    for (int page : new int[] {1, 2, 100}) {
      try (DeliConnection connection =
              MiniCluster.connect(DeliSettings.READ_PAGE.key(), Integer.toString(page));
          DeliTable table = connection.getTable(name)) {
        assertThat(find(table, FIND)).as("pages of %d", page).containsExactlyElementsOf(ROWS);
        assertThat(find(table, FIND.mostRecent(9))).hasSameSizeAs(ROWS);
        assertThat(findOneByOne(table, FIND)).containsExactlyElementsOf(ROWS);
        assertThat(find(table, FIND.reversed())).hasSameSizeAs(ROWS);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next", "none"})
  void theLongestBaseRows_areFoundOnceWhereverAnAnswerEnds(String strategy) throws Exception {
    try (ClientTable table =
        ClientTable.createIndexed(
            TestTable.describe("longest_rows", 1), TestTable.byQ().withStrategy(strategy))) {
      for (byte[] row : ROWS) {
        table.client().put(put(row, VALUE));
      }
      assertFindsAll(table.name());
      table.flush();
      assertFindsAll(table.name());
      // Each answer of a server has one row.
      TestTable.set(table.name(), HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY, "1");
      assertFindsAll(table.name());
      HookObserver.on(table.name())
          .each(
              Moment.CALL,
              "Scan"::equals,
              (region, method) -> {
                throw new UnknownProtocolException("left to HBase's scan");
              });
      assertFindsAll(table.name());
    }
  }
}
