package io.deli.test.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.Index;
import io.deli.test.cluster.TestTable;
import io.deli.test.tools.DeliProcess;
import io.deli.tools.dashboard.Dashboard;
import io.deli.tools.files.EntryFiles;
import io.deli.tools.mapreduce.MapReduceEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.token.ClientTokenUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes where Kerberos says who a user is, and HBase what he may do. */
@Tag("kerberos")
class KerberosTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] A = Bytes.toBytes("a");
  private static final byte[] B = Bytes.toBytes("b");
  private static final IndexDefinition BY_CLIENTS =
      IndexDefinition.on("by_clients", Column.of(F, Bytes.toBytes("c")));
  private static final IndexDefinition BY_SERVERS =
      IndexDefinition.on("by_servers", Column.of(F, Bytes.toBytes("s")))
          .withMaintenance(Maintenance.SERVER);
  private static final IndexDefinition EMBEDDED =
      IndexDefinition.on("embedded", Column.of(F, Bytes.toBytes("e"))).withStrategy("embedded");
  private static final List<IndexDefinition> INDEXES = List.of(BY_CLIENTS, BY_SERVERS, EMBEDDED);

  @TempDir static Path directory;

  @AutoClose("stop")
  private static KerberosCluster cluster;

  private static int tables;

  private TableName table;

  @BeforeAll
  static void start() throws Exception {
    cluster = KerberosCluster.start(directory, "writer", "reader", "stranger");
  }

  @BeforeEach
  void create() throws Exception {
    table = TableName.valueOf("guarded" + tables++);
    cluster.utility().createTable(table, F);
    grant("writer", table, Action.READ, Action.WRITE);
    grant("reader", table, Action.READ);
    grant("ticket", table, Action.READ);
    for (IndexDefinition index : INDEXES) {
      DeliAdmin.of(connection()).createIndex(table, index);
    }
  }

  private static Connection connection() throws IOException {
    return cluster.utility().getConnection();
  }

  private static void grant(String user, TableName table, Action... actions) throws IOException {
    SecuredCluster.grant(
        connection(), user, Permission.newBuilder(table).withActions(actions).build());
    SecuredCluster.awaitPermissions(cluster.utility());
  }

  private static TableName entriesOf(TableName table, IndexDefinition index) {
    return Index.of(table, index).table();
  }

  private void write(String row, byte[] value) throws Exception {
    cluster.as(
        cluster.user("writer"),
        connection -> {
          try (DeliConnection deli = DeliConnection.wrap(connection);
              DeliTable guarded = deli.getTable(table)) {
            Put put = new Put(Bytes.toBytes(row));
            INDEXES.forEach(index -> put.addColumn(F, index.column().qualifier(), value));
            guarded.put(put);
            return null;
          }
        });
  }

  private List<String> findAs(UserGroupInformation user, byte[] value) throws Exception {
    return cluster.as(user, connection -> find(connection, value));
  }

  /** By all indexes. */
  private List<String> find(Connection connection, byte[] value) throws IOException {
    List<String> rows = new ArrayList<>();
    try (DeliConnection deli = DeliConnection.wrap(connection);
        DeliTable guarded = deli.getTable(table)) {
      for (IndexDefinition index : INDEXES) {
        TestTable.find(guarded, ValueQuery.on(index.name()).equalTo(value))
            .forEach(row -> rows.add(index.name() + " " + row));
      }
    }
    return rows;
  }

  private int entries(IndexDefinition index) throws IOException {
    Scan all = new Scan().readAllVersions();
    return TestTable.cells(connection(), entriesOf(table, index), all).size();
  }

  private static String[] hits(String row) {
    return INDEXES.stream().map(index -> index.name() + " " + row).toArray(String[]::new);
  }

  /** The servers need nobody's permission to write entries and to collect them. */
  @Test
  void clientsAndServersMaintainIndexes_andCompactionsCollect() throws Exception {
    grant("writer", entriesOf(table, BY_SERVERS), Action.READ);
    write("r", A);
    write("r", B);
    assertThat(findAs(cluster.user("reader"), A)).isEmpty();
    assertThat(findAs(cluster.user("reader"), B)).containsExactly(hits("r"));
    DeliAdmin.of(connection()).collect(table, ProgressListener.NONE);
    assertThat(entries(BY_CLIENTS)).isEqualTo(1);
    assertThat(entries(BY_SERVERS)).isEqualTo(1);
  }

  @Test
  void aReaderHasGarbageRepaired() throws Exception {
    Index index = Index.of(table, BY_CLIENTS);
    try (Table entries = connection().getTable(index.table())) {
      entries.put(index.codec().put(new Entry(A, Bytes.toBytes("gone"), 5, WriteId.NONE)));
    }
    cluster.as(
        cluster.user("reader"),
        connection -> {
          assertThat(find(connection, A)).isEmpty();
          cluster.utility().waitFor(20_000, () -> entries(BY_CLIENTS) == 0);
          return null;
        });
  }

  @Test
  void aStrangerIsToldWhatIsMissing() throws Exception {
    write("r", A);
    UserGroupInformation stranger = cluster.user("stranger");
    assertThatThrownBy(() -> findAs(stranger, A))
        .hasMessageContainingAll(
            AccessDeniedException.class.getName(), "'stranger'", "action=READ");
    try (DeliProcess deli = query(cluster.siteWithKeytab("stranger"), directory)) {
      assertThat(deli.awaitEnd()).as(deli.transcript()).isNotZero();
      assertThat(deli.transcript())
          .containsOnlyOnce("Insufficient permissions for user 'stranger'")
          .doesNotContain("\tat ");
    }
  }

  private DeliProcess query(Path site, Path tickets) throws IOException {
    return DeliProcess.start(
        directory,
        cluster.environment(tickets),
        List.of(
            "query",
            table.getNameAsString(),
            BY_CLIENTS.name(),
            "--equal",
            "a",
            "--conf",
            site.toString()));
  }

  @Test
  void theCommandLineTakesAKeytabOrTickets() throws Exception {
    write("r", A);
    Path tickets = cluster.ticketCache("ticket");
    try (DeliProcess deli = query(cluster.siteWithKeytab("reader"), directory)) {
      assertThat(deli.awaitEnd()).as(deli.transcript()).isZero();
      assertThat(deli.printed()).contains("r");
    }
    try (DeliProcess deli = query(cluster.site("tickets", Map.of()), tickets)) {
      assertThat(deli.awaitEnd()).as(deli.transcript()).isZero();
      assertThat(deli.printed()).contains("r");
    }
  }

  /** Its reducers need native code, which is not here. */
  @Test
  void aJobInThisProcessIsRefused_andFilesBuild() throws Exception {
    write("r", A);
    DeliAdmin admin = DeliAdmin.of(connection());
    assertThatThrownBy(
            () ->
                admin.build(table, BY_CLIENTS.name(), new MapReduceEngine(), ProgressListener.NONE))
        .hasMessageContainingAll("Hadoop's native library", "--files");
    assertThat(findAs(cluster.user("reader"), A)).containsExactly(hits("r"));
    BuildOptions files = BuildOptions.DEFAULT.withWriter(new EntryFiles());
    assertThat(admin.build(table, BY_CLIENTS.name(), files, ProgressListener.NONE).rows())
        .isEqualTo(1);
    assertThat(findAs(cluster.user("reader"), A)).containsExactly(hits("r"));
  }

  @Test
  void theDashboardAdmitsAnAdministratorsTicket() throws Exception {
    try (Dashboard dashboard =
        Dashboard.start(
            0,
            directory,
            cluster.withGuardedPages("reader"),
            () -> {
              throw new AssertionError("nobody is to ask");
            })) {
      HttpRequest.Builder page = HttpRequest.newBuilder(URI.create(dashboard.address()));
      HttpClient client = HttpClient.newHttpClient();
      HttpResponse<String> challenge = client.send(page.build(), BodyHandlers.ofString());
      assertThat(challenge.statusCode()).isEqualTo(401);
      assertThat(challenge.headers().firstValue("WWW-Authenticate")).hasValue("Negotiate");
      List<Integer> answers = new ArrayList<>();
      for (String ticket :
          List.of(
              cluster.negotiation(cluster.user("reader")),
              cluster.negotiation(cluster.user("stranger")),
              "Negotiate forged")) {
        HttpRequest request = page.setHeader("Authorization", ticket).build();
        answers.add(client.send(request, BodyHandlers.ofString()).statusCode());
      }
      assertThat(answers).containsExactly(200, 403, 403);
    }
  }

  /** As the tasks of a job do, which have nothing else. */
  @Test
  void aTokenIsEnoughToQuery() throws Exception {
    write("r", A);
    UserGroupInformation reader = UserGroupInformation.createRemoteUser("reader");
    reader.addToken(cluster.as(cluster.user("reader"), ClientTokenUtil::obtainToken));
    assertThat(findAs(reader, A)).containsExactly(hits("r"));
  }
}
