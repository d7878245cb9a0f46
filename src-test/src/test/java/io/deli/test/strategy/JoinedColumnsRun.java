package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.Continuation;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.Finding;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.client.WriteRefusedException;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.strategy.Index;
import io.deli.strategy.QueryKind;
import io.deli.strategy.Retraction;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A random history of a table with an index on two columns, and what a scan of the table by HBase's
 * own client tells of it, which knows nothing of indexes.
 */
final class JoinedColumnsRun implements AutoCloseable {
  private static final byte[] FAMILY = {'f'};
  private static final Column USER = Column.parse("f:user");
  private static final Column TIME = Column.parse("f:time");
  private static final Column OTHER = Column.parse("f:between");
  private static final List<String> USERS = List.of("", "a", "a\0", "ab", "b");
  private static final String INDEX = "by_user_time";
  private static final int ROWS = 12;
  private static final int VERSIONS = 3;

  /** Longer than any write takes. */
  private static final long GRACE_MILLIS = 5_000;

  private final Random random;
  private final TableName name = MiniCluster.uniqueTable("joined");
  private final Index index;
  private final DeliConnection connection;
  private final DeliTable table;
  private final Table plain;

  /** Knows nothing of indexes where region servers maintain them. */
  private final Table writer;

  private final DeliAdmin admin;
  private final long past = System.currentTimeMillis() - 1_000_000;

  /** A condition, and what it says of a pair. */
  private record Asked(ValueQuery query, Predicate<JoinedPair> holds) {}

  JoinedColumnsRun(String strategy, Maintenance maintenance, long seed) throws Exception {
    random = new Random(seed);
    IndexDefinition definition =
        IndexDefinition.on(INDEX, USER, TIME)
            .withType(ValueType.STRING, ValueType.LONG)
            .withDescending(TIME)
            .withStrategy(strategy)
            .withMaintenance(maintenance);
    index = Index.of(name, definition);
    TestTable.createAsOperator(
        TestTable.describe(name, family -> family.setMaxVersions(VERSIONS))
            .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(GRACE_MILLIS)),
        List.of());
    plain = MiniCluster.connection().getTable(name);
    connection = MiniCluster.connect(MiniCluster.configuration(200));
    admin = connection.getDeliAdmin();
    writeAhead();
    create(definition);
    table = connection.getTable(name);
    writer = maintenance == Maintenance.SERVER ? plain : table;
  }

  /** Rows from before there was the index: whole ones, and one whose columns came apart. */
  private void writeAhead() throws IOException {
    plain.put(List.of(put("r0", "a", 1, past), put("r1", "b", 2, past), put("r0", "b", 3)));
    plain.put(new Put(Bytes.toBytes("r1")).addColumn(FAMILY, TIME.qualifier(), Bytes.toBytes(9L)));
  }

  private void create(IndexDefinition definition) throws IOException {
    if (!index.strategy().keepsTable()) {
      admin.createIndex(name, definition);
      return;
    }
    admin.createIndex(
        name, definition, CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
    BuildReport built = admin.build(name, INDEX, BuildOptions.DEFAULT, ProgressListener.NONE);
    assertThat(built.refused()).isEqualTo(1);
    assertThat(built.refusal()).hasValueSatisfying(why -> assertThat(why).contains("'r1'"));
    assertThat(verify().count(Finding.Kind.UNINDEXABLE)).isEqualTo(1);
  }

  private static Put put(String row, String user, long time) {
    return put(row, user, time, HConstants.LATEST_TIMESTAMP);
  }

  private static Put put(String row, String user, long time, long timestamp) {
    return new Put(Bytes.toBytes(row))
        .addColumn(FAMILY, USER.qualifier(), timestamp, Bytes.toBytes(user))
        .addColumn(FAMILY, TIME.qualifier(), timestamp, Bytes.toBytes(time));
  }

  private Put put() {
    return random.nextInt(3) == 0
        ? put(row(), user(), time(), past + random.nextInt(50))
        : put(row(), user(), time());
  }

  private String row() {
    return "r" + random.nextInt(ROWS);
  }

  private String user() {
    return USERS.get(random.nextInt(USERS.size()));
  }

  private long time() {
    return random.nextInt(7) - 3L;
  }

  /** Writes at random, and compares. */
  void run(int operations) throws Exception {
    if (index.strategy().keepsTable()) {
      refuses();
    }
    // From here on, each row is written as a whole.
    writer.put(put("r1", "b", 2));
    for (int i = 0; i < operations; i++) {
      write();
      if (random.nextInt(3) == 0) {
        compare();
      }
      if (random.nextInt(40) == 0) {
        rewrite(random.nextBoolean());
      }
    }
    rewrite(true);
    compare();
    if (index.strategy().keepsTable()) {
      collect();
    }
  }

  /** No entry that a version needs goes, and none stays without. */
  private void collect() throws Exception {
    TimeUnit.MILLISECONDS.sleep(GRACE_MILLIS + 10);
    admin.collect(name, ProgressListener.NONE);
    for (int i = 0; i < 10; i++) {
      compare();
    }
    assertThat(verify().isClean()).isTrue();
    if (index.strategy().retraction() == Retraction.AT_REWRITE) {
      assertThat(TestTable.cells(index.table()))
          .hasSameSizeAs(JoinedPair.all(plain, USER, TIME, Long.MAX_VALUE, VERSIONS));
    }
  }

  private VerifyReport verify() throws IOException {
    return admin.verify(name, INDEX, VerifyOptions.DEFAULT, ProgressListener.NONE);
  }

  private void rewrite(boolean compacts) throws IOException {
    for (HRegion region : MiniCluster.regions(name)) {
      region.flush(true);
      if (compacts) {
        region.compact(true);
      }
    }
  }

  private void write() throws Exception {
    byte[] row = Bytes.toBytes(row());
    switch (random.nextInt(9)) {
      case 0 -> writer.delete(new Delete(row));
      case 1 -> writer.delete(ofColumn(row));
      case 2 -> writer.delete(ofColumn(row).addColumns(FAMILY, OTHER.qualifier()));
      case 3 -> writer.batch(List.of(put(), put(), put()), new Object[3]);
      case 4 ->
          writer.checkAndMutate(
              CheckAndMutate.newBuilder(row)
                  .ifNotExists(FAMILY, USER.qualifier())
                  .build(put(Bytes.toString(row), user(), time())));
      case 5 ->
          writer.mutateRow(
              RowMutations.of(
                  List.of(
                      put(Bytes.toString(row), user(), time()),
                      new Put(row).addColumn(FAMILY, OTHER.qualifier(), row))));
      default -> writer.put(put());
    }
  }

  private Delete ofColumn(byte[] row) {
    Column column = random.nextBoolean() ? USER : TIME;
    return random.nextBoolean()
        ? new Delete(row).addColumns(FAMILY, column.qualifier())
        : new Delete(row).addColumns(FAMILY, column.qualifier(), past + random.nextInt(50));
  }

  private void compare() throws IOException {
    Asked asked = asked();
    long asOf = Long.MAX_VALUE;
    int versions = 1;
    ValueQuery query = asked.query();
    Set<QueryKind> unanswerable = index.unanswerable();
    if (random.nextInt(4) == 0 && !unanswerable.contains(QueryKind.AS_OF)) {
      asOf = random.nextBoolean() ? past + random.nextInt(50) : System.currentTimeMillis();
      query = query.asOf(asOf);
    }
    if (random.nextInt(4) == 0 && !unanswerable.contains(QueryKind.OLD_VERSIONS)) {
      versions = 1 + random.nextInt(VERSIONS);
      query = query.versions(versions);
    }
    List<JoinedPair> expected =
        JoinedPair.all(plain, USER, TIME, asOf, versions).stream()
            .filter(asked.holds())
            .sorted(JoinedPair.ORDER)
            .toList();
    List<JoinedPair> found = random.nextInt(3) == 0 ? paged(query) : all(query);
    if (index.strategy().keepsTable()) {
      assertThat(found).as("%s", query).isEqualTo(expected);
      if (versions == 1) {
        assertThat(all(query.reversed())).containsExactlyInAnyOrderElementsOf(expected);
      }
    } else {
      assertThat(found).as("%s", query).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private Asked asked() {
    String user = user();
    long time = time();
    byte[] user1 = Bytes.toBytes(user);
    byte[] time1 = Bytes.toBytes(time);
    ValueQuery.Target target = ValueQuery.on(INDEX);
    ValueQuery.Target ofUser = target.leading(user1);
    return switch (random.nextInt(6)) {
      case 0 -> new Asked(target.equalTo(user1), pair -> pair.user().equals(user));
      case 1 -> new Asked(target.prefix(user1), pair -> pair.user().startsWith(user));
      case 2 -> new Asked(target.greaterThan(user1), pair -> pair.user().compareTo(user) > 0);
      case 3 ->
          new Asked(ofUser.equalTo(time1), pair -> pair.user().equals(user) && pair.time() == time);
      case 4 ->
          new Asked(ofUser.lessThan(time1), pair -> pair.user().equals(user) && pair.time() < time);
      default ->
          new Asked(
              ofUser.between(time1, Bytes.toBytes(time + 2)),
              pair -> pair.user().equals(user) && pair.time() >= time && pair.time() <= time + 2);
    };
  }

  private List<JoinedPair> all(ValueQuery query) throws IOException {
    List<JoinedPair> found = new ArrayList<>();
    try (ValueScanner hits = table.readValue(query)) {
      hits.forEach(hit -> found.add(JoinedPair.of(hit)));
    }
    return found;
  }

  private List<JoinedPair> paged(ValueQuery query) throws IOException {
    List<JoinedPair> found = new ArrayList<>();
    Optional<Continuation> next = Optional.empty();
    do {
      ValueQuery page = query.limit(3);
      try (ValueScanner hits = table.readValue(next.isPresent() ? page.from(next.get()) : page)) {
        hits.forEach(hit -> found.add(JoinedPair.of(hit)));
        next = hits.continuation();
      }
    } while (next.isPresent());
    return found;
  }

  /**
   * A mutation that would pair versions of different writes is refused, whoever writes; alone in
   * its batch.
   */
  private void refuses() throws Exception {
    byte[] row = Bytes.toBytes("refused");
    List<Mutation> refused =
        List.of(
            new Put(row).addColumn(FAMILY, USER.qualifier(), row),
            new Put(row)
                .addColumn(FAMILY, USER.qualifier(), 5, row)
                .addColumn(FAMILY, TIME.qualifier(), 6, row),
            new Delete(row).addColumn(FAMILY, USER.qualifier()),
            new Delete(row).addFamilyVersion(FAMILY, 5),
            new Increment(row).addColumn(FAMILY, TIME.qualifier(), 1));
    for (Mutation each : refused) {
      for (Table by : List.of(table, plain)) {
        assertThatThrownBy(() -> apply(each, by))
            .as("%s", each)
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContainingAll(name.toString(), "'refused'", INDEX);
      }
      if (writer == table) {
        assertThatThrownBy(() -> apply(each, table)).isInstanceOf(WriteRefusedException.class);
      }
    }
    Object[] answers = new Object[2];
    Put other = new Put(Bytes.toBytes("other")).addColumn(FAMILY, OTHER.qualifier(), row);
    assertThatThrownBy(() -> plain.batch(List.of(refused.get(0), other), answers))
        .hasMessageContaining("put without f:time");
    assertThat(answers[1]).isInstanceOf(Result.class);
    assertThat(TestTable.rows(MiniCluster.connection(), name, new Scan()))
        .extracting(found -> Bytes.toString(found.getRow()))
        .doesNotContain("refused")
        .contains("other");
  }

  private static void apply(Mutation mutation, Table by) throws IOException {
    if (mutation instanceof Put put) {
      by.put(put);
    } else if (mutation instanceof Delete delete) {
      by.delete(delete);
    } else {
      by.increment((Increment) mutation);
    }
  }

  @Override
  public void close() throws IOException {
    plain.close();
    table.close();
    connection.close();
  }
}
