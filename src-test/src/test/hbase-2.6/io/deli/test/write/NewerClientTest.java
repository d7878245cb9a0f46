package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.AsyncDeliTable;
import io.deli.test.cluster.TestTable;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTable.PartialResultCoprocessorCallback;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What HBase's client has since 2.6 works through DELI's. */
class NewerClientTest extends ConfiguredClient {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] VALUE = Bytes.toBytes("a");
  private static TestTable written;

  @BeforeAll
  static void create() throws Exception {
    written = TestTable.create("newer", 3);
  }

  private static Put put() {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, VALUE);
  }

  @Test
  void checkAndMutateTellsTheMetricsThatAreAskedFor() throws Exception {
    CheckAndMutate.Builder holds =
        CheckAndMutate.newBuilder(ROW).ifEquals(FAMILY, QUALIFIER, VALUE).queryMetricsEnabled(true);
    try (Table table = connection.getTable(written.name())) {
      table.put(put());
      assertThat(table.checkAndMutate(holds.build(put())).getMetrics()).isNotNull();
      assertThat(table.checkAndMutate(holds.build(new Delete(ROW))).getMetrics()).isNotNull();
    }
    written.assertIndexed();
  }

  @Test
  void requestsCarryTheAttributesThatTheirTableWasGiven() throws Exception {
    try (Table table =
        connection.getTableBuilder(written.name(), null).setRequestAttribute("a", VALUE).build()) {
      table.put(put());
      assertThat(table.getRequestAttributes()).isEqualTo(Map.of("a", VALUE));
    }
    BufferedMutatorParams params =
        new BufferedMutatorParams(written.name()).setRequestAttribute("a", VALUE);
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      mutator.mutate(put());
      mutator.flush();
      assertThat(mutator.getRequestAttributes()).isEqualTo(Map.of("a", VALUE));
    }
    written.assertIndexed();
  }

  /** What {@link AsyncTable} itself does with them loses all parts of an answer but the first. */
  @Test
  void answersInPartsAreLeftToTheTableBehind() {
    assertThat(
            Arrays.stream(AsyncDeliTable.class.getMethods())
                .filter(method -> method.getName().equals("coprocessorService"))
                .filter(
                    method ->
                        method.getParameterTypes()[2] == PartialResultCoprocessorCallback.class))
        .hasSize(1)
        .noneMatch(method -> method.getDeclaringClass() == AsyncTable.class);
  }
}
