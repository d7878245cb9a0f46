package io.deli.test.ycsb;

import static io.deli.test.ycsb.Records.record;
import static io.deli.test.ycsb.Records.results;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.ycsb.JdbcClient;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The same operations on a MariaDB that is started for them. */
class JdbcClientTest {
  @TempDir private static Path directory;
  private static MariaDb server;

  @BeforeAll
  static void start() throws Exception {
    server = MariaDb.start(directory);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void answersEveryOperation() throws DBException, SQLException {
    Properties properties = properties("answers");
    JdbcClient client = open(properties);
    try {
      BindingContract.assertAnswersEveryOperation(client, "answers");
      client.insert("answers", "special", record("100%", "text"));
      var found = results();
      client.find("answers", Records.prefix("100%"), found);
      client.find("answers", Records.prefix("_"), found);
      assertThat(found).hasSize(1);
    } finally {
      client.cleanup();
    }
    assertThat(explained("SELECT * FROM answers WHERE field0 = 'v1' ORDER BY YCSB_TIME DESC"))
        .isEqualTo("by_value");
  }

  @Test
  void ordersNumbersAsNumbers() throws DBException {
    Properties properties = properties("numbers");
    properties.setProperty("deli.ycsb.type", "LONG");
    JdbcClient client = open(properties);
    try {
      for (int number : new int[] {-5, 7, 30, 200}) {
        client.insert("numbers", "user" + number, record("" + number, "text"));
      }
      var range = results();
      assertThat(client.find("numbers", Records.range("-9", "30"), range)).isEqualTo(Status.OK);
      assertThat(range.stream().map(Records::text).map(record -> record.get("field0")))
          .containsExactlyInAnyOrder("-5", "7", "30");
    } finally {
      client.cleanup();
    }
  }

  @Test
  void refusesWhatWouldNotDo() {
    Properties absent = properties("absent");
    absent.remove("deli.ycsb.create");
    assertThatThrownBy(() -> open(absent)).isInstanceOf(DBException.class);
    Properties versions = properties("versions");
    versions.setProperty("deli.ycsb.versions", "2");
    assertThatThrownBy(() -> open(versions)).hasMessageContaining("keeps no versions");
  }

  /** The index that the server says it would use. */
  private static String explained(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url(), "root", "");
        Statement statement = connection.createStatement();
        ResultSet plan = statement.executeQuery("EXPLAIN " + query)) {
      plan.next();
      return plan.getString("key");
    }
  }

  private static Properties properties(String table) {
    Properties properties = new Properties();
    properties.setProperty("db.url", server.url());
    properties.setProperty("db.user", "root");
    properties.setProperty("table", table);
    properties.setProperty("fieldcount", "2");
    properties.setProperty("deli.ycsb.create", "true");
    return properties;
  }

  private static JdbcClient open(Properties properties) throws DBException {
    JdbcClient client = new JdbcClient();
    client.setProperties(properties);
    client.init();
    return client;
  }
}
