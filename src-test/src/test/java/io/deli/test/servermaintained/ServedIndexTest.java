package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.FailingTokenizer;
import io.deli.test.cluster.FailingTokenizer.Failure;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.RegionRequests;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes that region servers maintain, and HBase's own client, which knows nothing of them. */
class ServedIndexTest {
  private static final byte[] MIDDLE = Bytes.toBytes("rf");
  private static final int VERSIONS = 3;

  private final long seed = Long.getLong("deli.seed", 20240403);
  private final Connection plain = MiniCluster.connection();

  private ServedTable create(IndexDefinition definition, int versions, byte[]... splits)
      throws IOException {
    return ServedTable.create(
        plain, MiniCluster.uniqueTable("served"), definition, versions, splits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "composite"})
  void findsWhatAnyWriterWrites(String strategy) throws Exception {
    ServedTable served = create(BY_Q.withStrategy(strategy), VERSIONS, MIDDLE);
    MiniCluster.spread(served.name());
    PlainWriters writers = new PlainWriters(served, seed, true);
    writers.run(6, 60);
    assertThat(served.assertRight(1)).isNotEmpty();
    served.assertRight(VERSIONS);
    DeliAdmin.of(plain).collect(served.name(), ProgressListener.NONE);
    served.assertRight(VERSIONS);
    // What is exposed now may have been collected.
    writers.run(6, 60);
    served.assertRight(1);
    served.assertRight(VERSIONS);
  }

  @Test
  void aDeleteOfOneVersionRestoresWhatItExposes() throws IOException {
    ServedTable served = create(BY_Q, 1);
    try (Table table = served.table()) {
      for (long at = 1; at <= 2; at++) {
        table.put(
            new Put(Bytes.toBytes("r")).addColumn(FAMILY, QUALIFIER, at, Bytes.toBytes("v" + at)));
      }
      MiniCluster.utility().flush(served.name());
      served.deleteEntries();
      table.delete(new Delete(Bytes.toBytes("r")).addColumn(FAMILY, QUALIFIER));
      assertThat(served.assertRight(1)).containsExactly("r=v1@1");
    }
  }

  /** Repair would spare its entries until that time has come. */
  @Test
  void aWriteOfTheFutureIsRefusedBeforeItHasEntries() throws IOException {
    ServedTable served = create(BY_Q, 1);
    byte[] row = Bytes.toBytes("r");
    WriteId ahead = WriteId.of(System.currentTimeMillis() + Duration.ofDays(365).toMillis(), 1);
    Put put = new Put(row).addColumn(FAMILY, QUALIFIER, 5, Bytes.toBytes("v"));
    put.setAttribute(WriteId.ATTRIBUTE, ahead.toBytes());
    try (Table table = served.table();
        Table entries = plain.getTable(served.index().table())) {
      assertThatThrownBy(() -> table.put(put)).hasMessageContaining("clock, which is ahead");
      assertThat(served.held()).isEmpty();
      // As a client wrote it that maintains the index itself.
      entries.put(served.index().codec().put(new Entry(Bytes.toBytes("v"), row, 5, ahead)));
    }
    assertThat(served.held()).hasSize(1);
    DeliAdmin.of(plain).collect(served.name(), ProgressListener.NONE);
    assertThat(served.held()).isEmpty();
  }

  @Test
  void versionsAndEntriesAreOneToOneWhoeverWrites() throws IOException {
    IndexDefinition byClient = IndexDefinition.on("by_client", Column.of(FAMILY, QUALIFIER));
    ServedTable served = create(BY_Q, VERSIONS);
    DeliAdmin.of(plain).createIndex(served.name(), byClient);
    ServedTable other = new ServedTable(plain, served.name(), Index.of(served.name(), byClient));
    try (DeliConnection deli = MiniCluster.connect();
        DeliTable table = deli.getTable(served.name())) {
      table.put(put("a", "v1"));
      table.put(List.of(put("b", "v1"), put("c", "v2")));
      table.put(new Put(Bytes.toBytes("d")).addColumn(FAMILY, QUALIFIER, 7, Bytes.toBytes("v7")));
      assertThat(served.assertRight(1)).hasSize(4);
      assertThat(other.assertRight(1)).hasSize(4);
      assertThat(served.held()).containsExactlyInAnyOrderElementsOf(other.held()).hasSize(4);
      table.delete(new Delete(Bytes.toBytes("d")));
      table.put(put("a", "v3"));
    }
    DeliAdmin.of(plain).collect(served.name(), ProgressListener.NONE);
    assertThat(served.held()).containsExactlyInAnyOrderElementsOf(served.base(VERSIONS));
    assertThat(other.held()).containsExactlyInAnyOrderElementsOf(served.base(VERSIONS));
  }

  /** A Put costs the index a Put, and the base nothing more; a batch costs it one request. */
  @Test
  void collectsWhatPlainWritersLeaveAndReadsNothing() throws IOException {
    ServedTable served = create(BY_Q, 1);
    try (Table table = served.table()) {
      // The server finds the index table.
      table.put(put("r", "first"));
      RegionRequests before = RegionRequests.of(served.name());
      RegionRequests indexBefore = RegionRequests.of(served.index().table());
      for (int i = 0; i < 10; i++) {
        table.put(put("r", "v" + i));
      }
      List<Put> batch = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        batch.add(put("r" + i, "w"));
      }
      table.put(batch);
      table.delete(new Delete(Bytes.toBytes("r3")));
      assertThat(RegionRequests.of(served.name()).since(before))
          .isEqualTo(new RegionRequests(21, 0));
      assertThat(RegionRequests.of(served.index().table()).since(indexBefore))
          .isEqualTo(new RegionRequests(20, 0));
    }
    DeliAdmin.of(plain).collect(served.name(), ProgressListener.NONE);
    assertThat(served.held())
        .containsExactlyInAnyOrderElementsOf(served.assertRight(1))
        .hasSize(10);
  }

  /** What HBase stamps by itself has the time of the clock, and must not lie behind. */
  @Test
  void whatIsAcknowledgedAfterABatchOfItsRowIsRead() throws Exception {
    ServedTable served = create(BY_Q, 100);
    byte[] counter = Bytes.toBytes("n");
    try (Table table = served.table()) {
      for (int n = 0; n < 10; n++) {
        byte[] row = Bytes.toBytes("r" + n);
        List<Put> batch = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          batch.add(put("r" + n, "v" + i));
        }
        table.put(batch);
        assertThat(
                table
                    .checkAndMutate(
                        CheckAndMutate.newBuilder(row)
                            .ifNotExists(FAMILY, OTHER)
                            .build(put("r" + n, "new")))
                    .isSuccess())
            .isTrue();
        assertThat(table.get(new Get(row)).getValue(FAMILY, QUALIFIER)).asString().isEqualTo("new");
        table.batch(batch, new Object[batch.size()]);
        table.delete(new Delete(row));
        // Within a millisecond of the delete HBase hides this, too.
        Eventually.nextMillisecond();
        table.incrementColumnValue(row, FAMILY, counter, n);
        assertThat(table.get(new Get(row)).getValue(FAMILY, counter))
            .isEqualTo(Bytes.toBytes((long) n));
      }
    }
    assertThat(served.assertRight(100)).isEmpty();
  }

  /** As many as HBase itself makes of them. */
  @Test
  void aBatchMakesOneVersionOfARowAndTheNextBatchAnother() throws IOException {
    ServedTable served = create(BY_Q, 100);
    try (Table table = served.table()) {
      List<Put> batch = List.of(put("r", "v1"), put("r", "v2"), put("r", "v1"), put("r", "v3"));
      table.put(batch);
      assertThat(served.assertRight(100)).hasSize(1);
      table.put(batch);
      table.put(put("r", "again"));
      assertThat(served.assertRight(100)).hasSize(3);
      table.delete(new Delete(Bytes.toBytes("r")));
      assertThat(served.assertRight(100)).isEmpty();
    }
  }

  @Test
  void whatCannotSucceedIsNotTriedAgain() throws IOException {
    ServedTable served = create(BY_Q, 1);
    try (Admin admin = plain.getAdmin();
        Table table = served.table()) {
      Put urgent = put("r", "v");
      urgent.setPriority(HConstants.HIGH_QOS);
      assertThatThrownBy(() -> table.put(urgent))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("priority", served.index().table().getNameAsString());
      admin.disableTable(served.index().table());
      admin.deleteTable(served.index().table());
      assertThatThrownBy(() -> table.put(put("r", "v")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(served.index().table().getNameAsString());
    }
    assertThat(served.base(1)).isEmpty();
  }

  @Test
  void whatCannotBeIndexedIsRefusedAndNothingWritten() throws IOException {
    ServedTable served = create(BY_Q, 1);
    byte[] row = Bytes.toBytes("r");
    byte[] huge = new byte[Short.MAX_VALUE];
    try (Table table = served.table()) {
      assertThatThrownBy(() -> table.append(new Append(row).addColumn(FAMILY, QUALIFIER, huge)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("by_q", "f:q", "row limit");
      assertThatThrownBy(() -> table.put(new Put(row).addColumn(FAMILY, QUALIFIER, huge)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("by_q", "f:q", "row limit");
      assertThatThrownBy(
              () ->
                  table.mutateRow(
                      new RowMutations(row)
                          .add(
                              List.of(
                                  put("r", "v"), new Put(row).addColumn(FAMILY, QUALIFIER, huge)))))
          .hasMessageContaining("row limit");
      table.append(new Append(row).addColumn(FAMILY, OTHER, Bytes.toBytes("x")));
    }
    assertThat(served.base(1)).isEmpty();
    served.assertRight(1);
    IndexDefinition eager = BY_Q.withStrategy("eager");
    assertThatThrownBy(() -> create(eager, 1))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll("eager", "SERVER");
  }

  /** Anything else that got out of a hook would end the server. */
  @Test
  void whatBreaksATokenizerIsRefused() throws IOException {
    ServedTable served = create(BY_Q.withTokenizer(FailingTokenizer.class.getName()), 1);
    List<Failure> failures = List.of(Failure.STATE, Failure.DEPTH, Failure.CLASS);
    try (Table table = served.table()) {
      for (Failure failure : failures) {
        table.put(put(failure.name(), failure.name()));
        table.put(put(failure.name(), "newer"));
      }
      for (Failure failure : failures) {
        String value = failure.name();
        FailingTokenizer.fail(value::equals, failure);
        Delete exposing = new Delete(Bytes.toBytes(value)).addColumn(FAMILY, QUALIFIER);
        assertRefused(served, value, () -> table.put(put(value, value)));
        assertRefused(served, value, () -> table.delete(exposing));
      }
    } finally {
      FailingTokenizer.work();
    }
    assertThat(served.assertRight(1)).hasSameSizeAs(failures);
  }

  private static void assertRefused(ServedTable served, String row, ThrowingCallable write) {
    assertThatThrownBy(write)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll(served.name().getNameAsString(), row, "by_q");
  }

  /** Nobody else writes its entries: a server that does not know how must not pass it over. */
  @Test
  void whatANewerDefinitionCoversIsRefused() throws IOException {
    ServedTable served = create(BY_Q, 1);
    try (Admin admin = plain.getAdmin();
        Table table = served.table()) {
      TableDescriptor base = admin.getDescriptor(served.name());
      String key = "deli.index." + BY_Q.name();
      String newer = base.getValue(key).replace("\"version\":2", "\"version\":99");
      admin.modifyTable(TableDescriptorBuilder.newBuilder(base).setValue(key, newer).build());
      assertThatThrownBy(() -> table.put(put("r", "v")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("f:q", "version 99", "upgrade DELI");
      table.put(new Put(Bytes.toBytes("r")).addColumn(FAMILY, OTHER, Bytes.toBytes("x")));
    }
    assertThat(served.base(1)).isEmpty();
    assertThat(served.held()).isEmpty();
  }

  @Test
  void anIndexThatIsOfflineKeepsTheBaseAsItIs() throws IOException {
    ServedTable served = create(BY_Q, 1);
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt("hbase.client.retries.number", 1);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(served.name());
        Table patient = served.table()) {
      // Whoever sends entries knows where its region was.
      table.put(put("r", "before"));
      table.delete(new Delete(Bytes.toBytes("r")));
      admin.disableTable(served.index().table());
      List<ThrowingCallable> writes =
          List.of(
              () -> table.put(put("r", "v")),
              () -> table.put(List.of(put("r", "v"), put("s", "v"))),
              // It waits for a second only, which a busy server may need to look.
              () ->
                  patient.checkAndMutate(
                      CheckAndMutate.newBuilder(Bytes.toBytes("r"))
                          .ifNotExists(FAMILY, QUALIFIER)
                          .build(put("r", "v"))),
              () -> patient.incrementColumnValue(Bytes.toBytes("r"), FAMILY, QUALIFIER, 1));
      for (ThrowingCallable write : writes) {
        assertThatThrownBy(write)
            .hasStackTraceContaining("DoNotRetryIOException")
            .hasStackTraceContaining("index table " + served.index().table() + " is disabled")
            .hasStackTraceContaining("deli disable-index");
      }
      table.put(new Put(Bytes.toBytes("r")).addColumn(FAMILY, OTHER, Bytes.toBytes("x")));
      assertThat(served.base(1)).isEmpty();
      // Nothing waits for the index that would hinder these.
      MiniCluster.utility().flush(served.name());
      admin.enableTable(served.index().table());
    }
    try (Table patient = served.table()) {
      patient.put(put("r", "v"));
    }
    assertThat(served.assertRight(1)).hasSize(1);
  }

  /** As it is while it moves: nobody is told that it is of no use to try again. */
  @Test
  void anIndexThatIsNowhereForAWhileIsWaitedFor() throws IOException {
    ServedTable served = create(BY_Q, 1);
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt("hbase.client.retries.number", 1);
    List<Put> two = List.of(put("r", "v"), put("s", "v"));
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(served.name())) {
      TestTable.set(served.name(), DeliSettings.SERVER_TIMEOUT.key(), "3000");
      RegionInfo region = admin.getRegions(served.index().table()).get(0);
      admin.unassign(region.getRegionName());
      assertThatThrownBy(() -> table.put(two))
          .hasStackTraceContaining("RegionTooBusyException")
          .hasStackTraceContaining(served.index().table() + " did not take the entries")
          .hasStackTraceContaining("try again");
      assertThat(served.base(1)).isEmpty();
      admin.assign(region.getRegionName());
    }
    try (Table patient = served.table()) {
      patient.put(two);
    }
    assertThat(served.assertRight(1)).hasSize(2);
  }

  @Test
  void nothingIsMaintainedThatIsDisabled() throws IOException {
    ServedTable served = create(BY_Q, 1);
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor base = admin.getDescriptor(served.name());
      assertThat(IndexDefinitions.of(base)).containsExactly(BY_Q);
      DeliAdmin.of(plain).disable(served.name(), BY_Q.name());
      try (Table table = served.table()) {
        table.put(put("r", "v"));
      }
      assertThat(served.held()).isEmpty();
    }
  }
}
