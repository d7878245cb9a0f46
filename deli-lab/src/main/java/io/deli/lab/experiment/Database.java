package io.deli.lab.experiment;

import io.deli.lab.experiment.OwnHBase.Premises;
import io.deli.ycsb.JdbcClient;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.StringJoiner;
import site.ycsb.DB;

/** A relational database to compare with, by its JDBC URL, and its process if that is known. */
public record Database(String url, OptionalLong process) {
  private static final List<String> SETTINGS =
      List.of(
          "version",
          "innodb_flush_log_at_trx_commit",
          "sync_binlog",
          "innodb_doublewrite",
          "innodb_buffer_pool_size");

  private Connection connect() throws IOException {
    try {
      return DriverManager.getConnection(url);
    } catch (SQLException e) {
      throw new IOException("no connection to the database: " + e.getMessage(), e);
    }
  }

  void execute(String statement) throws IOException {
    try (Connection connection = connect();
        Statement prepared = connection.createStatement()) {
      prepared.execute(statement);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private double number(String query) throws IOException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getDouble(1);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  /** Version, and what of its settings decides how durable and how fast a write is. */
  String description() throws IOException {
    StringJoiner description = new StringJoiner(", ");
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@" + String.join(", @@", SETTINGS))) {
      row.next();
      for (int column = 1; column <= SETTINGS.size(); column++) {
        description.add(SETTINGS.get(column - 1) + " " + row.getString(column));
      }
      return description.toString();
    } catch (SQLException e) {
      throw new IOException("the database does not tell its settings: " + e.getMessage(), e);
    }
  }

  /** A table with a secondary index, as YCSB's binding makes it; updates change rows in place. */
  record DatabaseTable(Database database, String name) implements ArmTable {
    @Override
    public void create() throws IOException {
      drop();
    }

    @Override
    public DB binding() {
      return new JdbcClient();
    }

    @Override
    public void describe(Properties properties) {
      properties.setProperty("table", name);
      properties.setProperty("db.url", database.url);
      properties.setProperty("deli.ycsb.create", "true");
    }

    @Override
    public Premises premises() {
      return new Premises(Optional.empty(), database.process);
    }

    @Override
    public Outcome size() throws IOException {
      String file =
          "SELECT file_size / 1e6 FROM information_schema.innodb_sys_tablespaces WHERE name LIKE"
              + " '%%/%s'";
      return Outcome.found(Map.of("MB", database.number(file.formatted(name))));
    }

    @Override
    public void drop() throws IOException {
      database.execute("DROP TABLE IF EXISTS `%s`".formatted(name));
    }
  }
}
