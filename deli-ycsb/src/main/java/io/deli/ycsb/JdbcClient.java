package io.deli.ycsb;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * The same operations on a MariaDB, a MySQL or, with a table that is there, Phoenix, for
 * comparison: a table with a secondary index on the field that is read by value, and none if {@code
 * deli.ycsb.strategy} is {@code plain}.
 *
 * <p>{@code db.driver}, {@code db.url}, {@code db.user} and {@code db.passwd} are those of YCSB's
 * own JDBC binding. Unlike there, insert and update are one: they write the fields given and leave
 * the others, as HBase does. One connection for each thread.
 */
@SuppressWarnings("NonApiType") // of YCSB's own interface
public class JdbcClient extends DatabaseClient {
  private static final String DEFAULT_DRIVER = "org.mariadb.jdbc.Driver";

  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private Connection connection;
  private JdbcSchema schema;
  private int batch;
  private int uncommitted;

  @Override
  public void init() throws DBException {
    Properties properties = getProperties();
    String url = properties.getProperty(JdbcSchema.URL);
    if (url == null) {
      throw new DBException("no database: set -p db.url=jdbc:mariadb://HOST:PORT/DATABASE");
    }
    String driver = properties.getProperty("db.driver", DEFAULT_DRIVER);
    try {
      schema = JdbcSchema.of(properties);
      Class.forName(driver);
      String user = properties.getProperty("db.user");
      connection =
          user == null
              ? DriverManager.getConnection(url)
              : DriverManager.getConnection(url, user, properties.getProperty("db.passwd", ""));
      schema.prepare(connection);
      batch = BindingOptions.batch(getProperties());
      connection.setAutoCommit(batch == 1);
    } catch (ClassNotFoundException e) {
      throw new DBException("no driver " + driver + " on the class path", e);
    } catch (SQLException | IllegalArgumentException e) {
      close();
      throw new DBException(e.getMessage(), e);
    }
    ThreadBindings.enter(this);
  }

  @Override
  public void cleanup() throws DBException {
    ThreadBindings.leave(this);
    close();
  }

  private void close() throws DBException {
    try {
      if (connection != null) {
        if (uncommitted > 0) {
          connection.commit();
        }
        connection.close();
      }
    } catch (SQLException e) {
      throw lost(e);
    }
  }

  @Override
  Status get(String table, String key, Set<String> fields, Map<String, ByteIterator> result)
      throws SQLException {
    List<String> columns = schema.columns(fields);
    PreparedStatement select =
        prepare(schema.select(table, columns) + " WHERE " + JdbcSchema.KEY_COLUMN + " = ?");
    select.setString(1, key);
    try (ResultSet rows = select.executeQuery()) {
      if (!rows.next()) {
        return Status.NOT_FOUND;
      }
      copy(rows, columns, result);
      return Status.OK;
    }
  }

  @Override
  Status scan(RecordScan wanted, List<HashMap<String, ByteIterator>> result) throws SQLException {
    List<String> columns = schema.columns(wanted.fields());
    PreparedStatement select =
        prepare(
            schema.select(wanted.table(), columns)
                + " WHERE %1$s >= ? ORDER BY %1$s LIMIT ?".formatted(JdbcSchema.KEY_COLUMN));
    select.setString(1, wanted.start());
    select.setInt(2, wanted.limit());
    collect(select, columns, false, result);
    return Status.OK;
  }

  @Override
  Status put(String table, String key, Map<String, ByteIterator> values) throws SQLException {
    List<String> columns = new ArrayList<>(values.keySet());
    PreparedStatement upsert = prepare(schema.upsert(table, columns));
    int next = 1;
    upsert.setString(next++, key);
    for (String column : columns) {
      upsert.setObject(next++, schema.parameter(column, values.get(column).toString()));
    }
    if (schema.isTimed(columns)) {
      upsert.setLong(next, schema.time());
    }
    upsert.executeUpdate();
    if (batch > 1 && ++uncommitted == batch) {
      connection.commit();
      uncommitted = 0;
    }
    return Status.OK;
  }

  @Override
  Status remove(String table, String key) throws SQLException {
    PreparedStatement delete =
        prepare(
            "DELETE FROM %s WHERE %s = ?".formatted(schema.quote(table), JdbcSchema.KEY_COLUMN));
    delete.setString(1, key);
    delete.executeUpdate();
    return Status.OK;
  }

  @Override
  Status lookup(String table, ValueRead read, List<HashMap<String, ByteIterator>> result)
      throws SQLException {
    read.requireField(schema.field());
    List<String> columns = schema.columns(read.fields());
    String sql =
        "%s WHERE %s %s"
            .formatted(
                schema.select(table, columns),
                schema.quote(read.field()),
                schema.condition(read.kind()));
    PreparedStatement select = prepare(read.limit() == 0 ? sql : sql + schema.newest());
    int next = 1;
    for (String operand : read.operands()) {
      String text =
          read.kind() == ValueRead.Kind.PREFIX ? operand.replaceAll("[!%_]", "!$0") + "%" : operand;
      select.setObject(next++, schema.parameter(read.field(), text));
    }
    if (read.limit() > 0) {
      select.setInt(next, read.limit());
    }
    collect(select, columns, true, result);
    return Status.OK;
  }

  private static void collect(
      PreparedStatement select,
      List<String> columns,
      boolean withKey,
      List<HashMap<String, ByteIterator>> result)
      throws SQLException {
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        HashMap<String, ByteIterator> record = new HashMap<>();
        copy(rows, columns, record);
        if (withKey) {
          record.put(KEY, new StringByteIterator(rows.getString(JdbcSchema.KEY_COLUMN)));
        }
        result.add(record);
      }
    }
  }

  private static void copy(ResultSet row, List<String> columns, Map<String, ByteIterator> record)
      throws SQLException {
    for (String column : columns) {
      String value = row.getString(column);
      if (value != null) {
        record.put(column, new StringByteIterator(value));
      }
    }
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }
}
