package io.deli.lab.experiment;

import io.deli.ycsb.JdbcClient;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import site.ycsb.DB;

/** A relational table with a secondary index, as YCSB's binding makes it. */
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
    properties.setProperty("db.url", database.url());
    properties.setProperty("deli.ycsb.create", "true");
  }

  /** Nothing: a commit was as durable as it gets. */
  @Override
  public void flush() {}

  /** Nothing: the database itself purges what updates replaced. */
  @Override
  public void settle() {}

  @Override
  public void remember() {}

  /** Nothing: updates changed rows in place. */
  @Override
  public void restore() {}

  @Override
  public void drop() throws IOException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS `%s`".formatted(name));
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
