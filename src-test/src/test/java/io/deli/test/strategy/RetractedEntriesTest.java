package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.lab.torture.Audit;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a client takes entries out, it must be sure: whatever can still be seen, or be seen again,
 * keeps its entries.
 */
@ParameterizedClass
@ValueSource(strings = {"composite", "in-place"})
class RetractedEntriesTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final byte[] ROW = Bytes.toBytes("row");

  /** Later than any that is drawn meanwhile. */
  private static final long TO_COME = System.currentTimeMillis() + 3_600_000;

  @Parameter private String strategy;

  private final TableName name = MiniCluster.uniqueTable("retracted");
  @AutoClose private ClientTable indexed;
  private DeliTable table;

  @BeforeEach
  void create() throws IOException {
    indexed =
        ClientTable.createIndexed(
            TestTable.describe(name, family -> family.setMaxVersions(1)),
            IndexDefinition.on("i", COLUMN).withStrategy(strategy));
    table = indexed.client();
  }

  private static Put put(String value) {
    return new Put(ROW).addColumn(COLUMN.family(), COLUMN.qualifier(), Bytes.toBytes(value));
  }

  private static Put put(String value, long timestamp) {
    return new Put(ROW)
        .addColumn(COLUMN.family(), COLUMN.qualifier(), timestamp, Bytes.toBytes(value));
  }

  private static Delete latest() {
    return new Delete(ROW).addColumn(COLUMN.family(), COLUMN.qualifier());
  }

  private static Delete exact(long timestamp) {
    return new Delete(ROW).addColumn(COLUMN.family(), COLUMN.qualifier(), timestamp);
  }

  private void assertFound(int versions) throws IOException {
    Audit audit = Audit.of(MiniCluster.connection(), name);
    assertThat(audit.missing()).isEmpty();
    assertThat(audit.versions()).isEqualTo(versions);
  }

  /** HBase looks for the latest before it carries out any operation of a request. */
  @Test
  void aDeleteOfTheLatestVersionInOneListWithAPut() throws Exception {
    table.put(put("old"));
    table.batch(List.of(put("new"), latest()), new Object[2]);
    assertFound(1);
  }

  @Test
  void deletesOfTheLatestVersionBehindPutsInAMutator() throws IOException {
    table.put(put("old"));
    try (BufferedMutator mutator = indexed.connection().getBufferedMutator(name)) {
      for (int i = 0; i < 20; i++) {
        mutator.mutate(put("new" + i));
        mutator.flush();
        mutator.mutate(latest());
      }
    }
    assertFound(1);
  }

  @Test
  void putsAndTheDeleteOfOneOfThemInOneList() throws Exception {
    table.batch(List.of(put("a", 10), put("b", 20), exact(20)), new Object[3]);
    assertFound(1);
  }

  @Test
  void aPutThatAnOlderMarkerHides() throws IOException {
    table.put(put("seen"));
    table.delete(exact(TO_COME));
    table.put(put("hidden", TO_COME));
    assertFound(1);
  }

  @Test
  void aPutThatItsOwnDeleteHides() throws IOException {
    table.put(put("seen"));
    table.mutateRow(RowMutations.of(List.of(put("hidden", TO_COME), exact(TO_COME))));
    assertFound(1);
  }

  @Test
  void anExactDeleteBringsBackWhatWasSuperseded() throws IOException {
    table.put(put("old", 10));
    table.put(put("mid", 20));
    table.put(put("new", 30));
    table.delete(exact(30));
    assertFound(1);
    table.delete(latest());
    assertFound(1);
  }

  /** A server that dies loses it, and shows what it superseded or deleted. */
  @Test
  void whatIsInNoLogTakesNoEntriesOut() throws IOException {
    table.put(put("old"));
    table.put(put("new").setDurability(Durability.SKIP_WAL));
    table.delete(new Delete(ROW).setDurability(Durability.ASYNC_WAL));
    assertThat(entries()).isEqualTo(2);
  }

  @Test
  void whatExpiresTakesNoEntriesOut() throws IOException {
    table.put(put("old"));
    table.put(put("new").setTTL(3_600_000));
    assertThat(entries()).isEqualTo(2);
  }

  /** For one that expires, HBase drops what hid it. */
  @Test
  void whatExpiresBringsBackWhatWasSupersededBefore() throws Exception {
    table.put(put("old"));
    indexed.flush();
    assertFoundBehindWhatExpires();
  }

  /** For one that expires, HBase drops what it hides, and the markers behind that. */
  @Test
  void whatExpiresDoesNotBringBackWhatWasDeletedBefore() throws Exception {
    table.put(put("old"));
    indexed.flush();
    table.delete(new Delete(ROW).addColumns(COLUMN.family(), COLUMN.qualifier()));
    assertFoundBehindWhatExpires();
  }

  private void assertFoundBehindWhatExpires() throws Exception {
    table.put(put("mid"));
    table.put(put("new").setTTL(2_000));
    indexed.flush();
    Get row = new Get(ROW);
    MiniCluster.utility()
        .waitFor(20_000, 100, () -> !"new".equals(Bytes.toString(table.get(row).value())));
    assertFound(1);
  }

  private long entries() throws IOException {
    return DeliAdmin.of(MiniCluster.connection())
        .statistics(name, "i", 0, ProgressListener.NONE)
        .entries();
  }
}
