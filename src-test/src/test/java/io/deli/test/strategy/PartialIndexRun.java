package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.BuildOptions;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.VerifyOptions;
import io.deli.client.WriteRefusedException;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Random writes to a table with a partial index, whose queries are compared with scans of the
 * table. Some rows are older than the index and have one of its two columns only.
 */
final class PartialIndexRun implements AutoCloseable {
  private static final int ROWS = 12;
  private static final String INDEX = "open_by_user";
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] USER = Bytes.toBytes("user");
  private static final byte[] STATE = Bytes.toBytes("state");
  private static final byte[] OPEN = Bytes.toBytes("open");
  private static final List<String> USERS = List.of("ann", "bob", "cid");

  private final TableName name = MiniCluster.uniqueTable("partial");
  private final Random random;
  private final DeliConnection connection;
  private final DeliAdmin admin;

  /** Creates the table, with rows, and builds the index. */
  PartialIndexRun(String strategy, long seed) throws IOException {
    random = new Random(seed);
    TestTable.createAsOperator(
        TestTable.describe(name, family -> family.setMaxVersions(2)), List.of());
    try (Table table = MiniCluster.connection().getTable(name)) {
      for (int i = 0; i < 3 * ROWS; i++) {
        table.put(put(random.nextInt(4) > 0, random.nextInt(4) > 0));
      }
    }
    connection = MiniCluster.connect(MiniCluster.configuration(200));
    admin = connection.getDeliAdmin();
    admin.createIndex(
        name,
        IndexDefinition.on(INDEX, Column.of(F, USER))
            .withStrategy(strategy)
            .withCondition(Column.of(F, STATE), OPEN),
        CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
    admin.build(name, INDEX, BuildOptions.DEFAULT, ProgressListener.NONE);
  }

  private byte[] row() {
    return Bytes.toBytes("row" + random.nextInt(ROWS));
  }

  /** Of both columns if it is to have neither. */
  private Put put(boolean user, boolean state) {
    Put put = new Put(row());
    if (user || !state) {
      put.addColumn(F, USER, Bytes.toBytes(USERS.get(random.nextInt(USERS.size()))));
    }
    if (state || !user) {
      put.addColumn(F, STATE, random.nextBoolean() ? OPEN : Bytes.toBytes("closed"));
    }
    return put;
  }

  void run(int operations) throws Exception {
    try (DeliTable table = connection.getTable(name)) {
      compare(table);
      int refused = 0;
      for (int i = 0; i < operations; i++) {
        Mutation mutation = mutation();
        try {
          write(table, mutation);
        } catch (WriteRefusedException e) {
          refused++;
          assertThat(e).hasMessageContainingAll(INDEX, "f:state=open");
        }
        disturb(i);
        compare(table);
      }
      assertThat(refused).isBetween(1, operations / 2);
      admin.collect(name, ProgressListener.NONE);
      compare(table);
      assertThat(admin.verify(name, INDEX, VerifyOptions.DEFAULT, ProgressListener.NONE))
          .satisfies(report -> assertThat(report.isClean()).as("%s", report).isTrue());
    }
  }

  private Mutation mutation() {
    return switch (random.nextInt(10)) {
      case 0 -> new Delete(row());
      case 1 -> new Delete(row()).addColumns(F, USER).addColumns(F, STATE);
      case 2 -> new Delete(row()).addColumn(F, random.nextBoolean() ? USER : STATE);
      case 3, 4 -> put(false, true);
      case 5 -> put(true, false);
      default -> put(true, true);
    };
  }

  private static void write(Table table, Mutation mutation) throws IOException {
    if (mutation instanceof Put put) {
      table.put(put);
    } else {
      table.delete((Delete) mutation);
    }
  }

  private void disturb(int step) throws IOException {
    if (step % 20 == 19) {
      MiniCluster.utility().flush(name);
    }
    if (step % 50 == 49) {
      MiniCluster.utility().compact(name, step % 100 == 99);
    }
  }

  private void compare(DeliTable table) throws IOException {
    List<String> expected = new ArrayList<>();
    try (ResultScanner rows = table.getScanner(new Scan())) {
      for (Result row : rows) {
        if (row.containsColumn(F, USER) && Bytes.equals(row.getValue(F, STATE), OPEN)) {
          expected.add(Bytes.toString(row.getValue(F, USER)) + " " + Bytes.toString(row.getRow()));
        }
      }
    }
    List<String> found = new ArrayList<>();
    for (String user : USERS) {
      ValueQuery query =
          ValueQuery.on(INDEX)
              .equalTo(Bytes.toBytes(user))
              .and(ValueQuery.on("f:state").equalTo(OPEN));
      try (ValueScanner hits = table.readValue(query)) {
        hits.forEach(hit -> found.add(user + " " + Bytes.toString(hit.row())));
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(new TreeSet<>(expected));
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
