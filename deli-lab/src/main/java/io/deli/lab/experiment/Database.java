package io.deli.lab.experiment;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.StringJoiner;

/**
 * A relational database to compare with.
 *
 * @param url of JDBC, with user and password if it wants them
 */
public record Database(String url) {
  private static final List<String> SETTINGS =
      List.of(
          "version",
          "innodb_flush_log_at_trx_commit",
          "sync_binlog",
          "innodb_doublewrite",
          "innodb_buffer_pool_size");

  /** A connection of one's own. */
  public Connection connect() throws IOException {
    try {
      return DriverManager.getConnection(url);
    } catch (SQLException e) {
      throw new IOException("no connection to the database: " + e.getMessage(), e);
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
}
