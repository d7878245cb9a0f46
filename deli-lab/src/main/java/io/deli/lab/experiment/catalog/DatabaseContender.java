package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Database;
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Pairs in a relational table with a secondary index: each read and update a statement and a
 * transaction, each thread a connection.
 */
final class DatabaseContender implements Contender {
  static final String ARM = "MariaDB";

  private static final String TABLE = "deli_experiment_read_write";
  private static final int LOADERS = 4;
  private static final int BATCH = 200;

  private final Database database;
  private final Pairs pairs;
  private boolean filled;

  DatabaseContender(Database database, Pairs pairs) {
    this.database = database;
    this.pairs = pairs;
  }

  @Override
  public String arm() {
    return ARM;
  }

  /** Once: updates change rows in place, and the database itself purges what they replaced. */
  @Override
  public void restore() throws IOException {
    if (!filled) {
      fill();
      filled = true;
    }
  }

  private void fill() throws IOException {
    drop();
    execute(
        ("CREATE TABLE %s (k VARBINARY(32) PRIMARY KEY, v VARBINARY(32), filler VARBINARY(255),"
                + " INDEX by_v (v)) ENGINE = InnoDB")
            .formatted(TABLE));
    Workers.toTheEnd(
        LOADERS,
        thread -> {
          Connection connection = connect();
          int[] next = {thread};
          return Workers.closing(
              () -> close(connection),
              random -> {
                int from = next[0];
                next[0] += BATCH * LOADERS;
                return insert(connection, from);
              });
        });
  }

  /** Inserts every so manieth row from one on and returns how many. */
  private int insert(Connection connection, int from) throws IOException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO %s VALUES (?, ?, ?)".formatted(TABLE))) {
      connection.setAutoCommit(false);
      int rows = 0;
      for (int row = from; row < pairs.rows() && rows < BATCH; row += LOADERS) {
        int value = pairs.valueOf(row);
        insert.setBytes(1, Pairs.key(row));
        insert.setBytes(2, Pairs.value(value));
        insert.setBytes(3, Pairs.filler(row, value));
        insert.addBatch();
        rows++;
      }
      if (rows > 0) {
        insert.executeBatch();
        connection.commit();
      }
      return rows;
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void drop() throws IOException {
    execute("DROP TABLE IF EXISTS " + TABLE);
  }

  private void execute(String sql) throws IOException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private Connection connect() throws IOException {
    return database.connect();
  }

  private static void close(Connection connection) throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  @Override
  public Client open() throws IOException {
    Connection connection = connect();
    try {
      return new Statements(
          connection,
          connection.prepareStatement("SELECT k, v FROM %s WHERE v = ?".formatted(TABLE)),
          connection.prepareStatement(
              "UPDATE %s SET v = ?, filler = ? WHERE k = ?".formatted(TABLE)));
    } catch (SQLException e) {
      close(connection);
      throw new IOException(e);
    }
  }

  private record Statements(
      Connection connection, PreparedStatement select, PreparedStatement update) implements Client {
    @Override
    public void read(int row, int value) throws IOException {
      try {
        select.setBytes(1, Pairs.value(value));
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            rows.getBytes(1);
            rows.getBytes(2);
          }
        }
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void update(int row, int value) throws IOException {
      try {
        update.setBytes(1, Pairs.value(value));
        update.setBytes(2, Pairs.filler(row, value));
        update.setBytes(3, Pairs.key(row));
        update.executeUpdate();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      DatabaseContender.close(connection);
    }
  }
}
