package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.Continuation;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.strategy.IndexDefinitions;
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
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of the greatest lengths that HBase takes, of base tables and of index tables. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongestRowsTest {
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final ValueQuery FIND = ValueQuery.on(TestTable.INDEX).equalTo(VALUE);

  /** The last generation whose table is known by its name. */
  private static final int LAST = 999_999_999;

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

  private static IndexDefinition definition(String kind) {
    IndexDefinition byQ = TestTable.byQ();
    return switch (kind) {
      case "by time" -> byQ.withOrder(EntryOrder.BY_TIME);
      case "by servers" -> byQ.withMaintenance(Maintenance.SERVER);
      case "salted" -> byQ.withOption(IndexDefinition.BUCKETS, "2");
      default -> byQ.withStrategy(kind);
    };
  }

  /** By a client that knows no regions yet. */
  private static void putCold(TableName name, String row, byte[] value) throws IOException {
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(name)) {
      table.put(put(Bytes.toBytes(row), value));
    }
  }

  private static void assertColdClientsFind(TableName name, byte[] value, int rows)
      throws IOException {
    ValueQuery query = ValueQuery.on(TestTable.INDEX).equalTo(value);
    for (ValueQuery each : List.of(query, query.reversed())) {
      Optional<Continuation> from = Optional.empty();
      int found = 0;
      do {
        try (DeliConnection connection = MiniCluster.connect();
            DeliTable table = connection.getTable(name);
            ValueScanner hits = table.readValue(from.map(each::from).orElse(each).limit(1))) {
          found += hits.next().isPresent() ? 1 : 0;
          from = hits.continuation();
        }
      } while (from.isPresent());
      assertThat(found).isEqualTo(rows);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "by time", "by servers", "salted", "in-place", "lazy"})
  void entriesAreNoLongerThanClientsWithoutCachedRegionsCanLocate(String kind) throws Exception {
    try (ClientTable table = withLongestName(definition(kind).at(LAST))) {
      TableName name = table.name();
      TableName index = table.index().table();
      // Beside the value: the salt, what ends the token, the time, and the key.
      int beside =
          switch (kind) {
            case "by time" -> 2 + Long.BYTES + 1;
            case "salted" -> 1 + 2 + 1;
            case "lazy" -> 2;
            default -> 2 + 1;
          };
      for (int length : new int[] {EntryCodec.LONGEST_ROW + 1, HConstants.MAX_ROW_LENGTH}) {
        byte[] value = filled('v', length - beside);
        assertThatThrownBy(() -> putCold(name, "r", value))
            .hasMessageContainingAll("'r'", "'by_q'", "row limit");
        assertThat(table.client().get(new Get(Bytes.toBytes("r"))).isEmpty()).isTrue();
        assertColdClientsFind(name, value, 0);
      }
      byte[] value = filled('v', EntryCodec.LONGEST_ROW - beside);
      putCold(name, "r", value);
      putCold(name, "s", value);
      assertColdClientsFind(name, value, 2);
      splitAtLastRow(index);
      assertColdClientsFind(name, value, 2);
      putCold(name, "r", VALUE);
      assertColdClientsFind(name, value, 1);
    }
  }

  /** Creates a table whose index table has the longest name that file systems take. */
  private static ClientTable withLongestName(IndexDefinition definition) throws IOException {
    String unique = MiniCluster.uniqueTable("longest").getNameAsString();
    String namespace = unique + "n".repeat(255 - unique.length());
    String qualifier = "t".repeat(255 - ".by_q.999999999".length());
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create(namespace).build());
    }
    return ClientTable.createIndexed(
        TestTable.describe(TableName.valueOf(namespace, qualifier), family -> family)
            .setValue("deli.generation.by_q", Integer.toString(LAST - 1)),
        definition);
  }

  /** HBase's master would try for ever to create one. */
  @Test
  void anIndexIsRefusedWhoseTablesWouldHaveLongerNames() throws IOException {
    String unique = MiniCluster.uniqueTable("named").getNameAsString();
    TableName name =
        TableName.valueOf(unique + "t".repeat(255 - unique.length() - ".by_q.999999999".length()));
    IndexDefinition longer = IndexDefinition.on("by_qq", TestTable.COLUMN);
    TableDescriptorBuilder table = TestTable.describe(name, family -> family);
    // As in a clone whose name is longer than that of the table.
    IndexDefinitions.put(table, longer.withState(IndexState.DISABLED));
    DeliAdmin deli = DeliAdmin.of(MiniCluster.connection());
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createTable(table.build());
      assertThatThrownBy(
              () -> deli.build(name, "by_qq", BuildOptions.DEFAULT, ProgressListener.NONE))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll("'by_qq' of table " + name, "256 bytes", "shorter name");
      deli.dropIndex(name, "by_qq");
      assertThatThrownBy(() -> deli.createIndex(name, longer))
          .isInstanceOf(InvalidIndexException.class);
      assertThat(admin.tableExists(IndexDefinitions.indexTable(name, "by_qq"))).isFalse();
      assertThat(deli.list(name)).isEmpty();
      deli.createIndex(name, longer.withStrategy("none"));
      deli.createIndex(name, TestTable.byQ());
    }
  }

  @Test
  void longerEntriesOfEarlierReleasesAreFoundAndCollected() throws Exception {
    byte[] row = Bytes.toBytes("r");
    byte[] value = filled('v', EntryCodec.LONGEST_ROW + 100);
    try (ClientTable table =
            ClientTable.createIndexed(TestTable.describe("longer", 1), TestTable.byQ());
        Table base = table.table();
        Table entries = table.plain().getTable(table.index().table())) {
      Entry entry = new Entry(value, row, 1, WriteId.NONE);
      entries.put(EntryCodec.put(table.index().codec().row(entry), entry));
      base.put(new Put(row).addColumn(TestTable.FAMILY, TestTable.QUALIFIER, 1, value));
      assertColdClientsFind(table.name(), value, 1);
      putCold(table.name(), "r", VALUE);
      assertColdClientsFind(table.name(), value, 0);
      table.collect();
      assertThat(table.read(table.index())).extracting(Entry::token).containsExactly(VALUE);
    }
  }

  /** Splits an index table at its last row, as HBase may. */
  private static void splitAtLastRow(TableName index) throws Exception {
    List<Result> rows = TestTable.rows(MiniCluster.connection(), index, new Scan());
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      int regions = admin.getRegions(index).size();
      admin.split(index, rows.get(rows.size() - 1).getRow());
      MiniCluster.utility().waitFor(60_000, () -> admin.getRegions(index).size() > regions);
    }
  }
}
