package io.deli.ycsb;

import io.deli.index.ValueType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import site.ycsb.workloads.CoreWorkload;

/**
 * Table and statements of {@link JdbcClient}: a row for each record, a column for each field, and
 * the time when the field that is read by value was last written.
 *
 * <p>Columns compare as bytes, as HBase does. The index is on value and time, so that it gives the
 * most recent rows of a value in order.
 */
record JdbcSchema(
    String table,
    String field,
    List<String> fields,
    ValueType type,
    boolean indexed,
    boolean create) {
  static final String KEY_COLUMN = ValueReads.KEY;
  static final String NEWEST = " ORDER BY YCSB_TIME DESC, %s LIMIT ?".formatted(KEY_COLUMN);

  private static final String TIME_COLUMN = "YCSB_TIME";
  private static final AtomicLong LAST_TIME = new AtomicLong();

  static JdbcSchema of(Properties properties) {
    if (BindingOptions.number(properties, BindingOptions.PREFIX + "versions", "1") != 1) {
      throw new IllegalArgumentException(
          "a relational table keeps no versions: leave %sversions out"
              .formatted(BindingOptions.PREFIX));
    }
    JdbcSchema schema =
        new JdbcSchema(
            properties.getProperty(
                CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT),
            BindingOptions.field(properties),
            BindingOptions.fieldNames(properties),
            BindingOptions.type(properties),
            !BindingOptions.isPlain(properties),
            BindingOptions.flag(properties, BindingOptions.PREFIX + "create"));
    schema.fieldType();
    if (!schema.fields.contains(schema.field)) {
      throw new IllegalArgumentException(
          "field %s is none of %s".formatted(schema.field, schema.fields));
    }
    return schema;
  }

  /** Creates the table if it is to be, and sees that it is there. */
  void prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (create) {
        statement.execute(creation());
      }
      statement.executeQuery("SELECT 1 FROM " + quote(table) + " LIMIT 0").close();
    }
  }

  private String creation() {
    List<String> columns = new ArrayList<>();
    columns.add(KEY_COLUMN + " VARCHAR(255) PRIMARY KEY");
    for (String each : fields) {
      columns.add(quote(each) + " " + (each.equals(field) ? fieldType() : "LONGTEXT"));
    }
    columns.add(TIME_COLUMN + " BIGINT");
    if (indexed) {
      columns.add("INDEX by_value (%s, %s)".formatted(quote(field), TIME_COLUMN));
    }
    return "CREATE TABLE IF NOT EXISTS %s (%s) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
        .formatted(quote(table), String.join(", ", columns));
  }

  private String fieldType() {
    return switch (type) {
      case STRING, BYTES -> "VARCHAR(255)";
      case INT, LONG -> "BIGINT";
      case FLOAT, DOUBLE -> "DOUBLE";
      default ->
          throw new IllegalArgumentException(
              "no column type for %s: use STRING, LONG or DOUBLE".formatted(type));
    };
  }

  String select(String from, List<String> columns) {
    List<String> selected = new ArrayList<>(List.of(KEY_COLUMN));
    columns.forEach(column -> selected.add(quote(column)));
    return "SELECT %s FROM %s".formatted(String.join(", ", selected), quote(from));
  }

  String upsert(String into, List<String> columns) {
    List<String> written = columns.stream().map(JdbcSchema::quote).collect(Collectors.toList());
    if (columns.contains(field)) {
      written.add(TIME_COLUMN);
    }
    return "INSERT INTO %s (%s, %s) VALUES (?%s) ON DUPLICATE KEY UPDATE %s"
        .formatted(
            quote(into),
            KEY_COLUMN,
            String.join(", ", written),
            ", ?".repeat(written.size()),
            written.stream()
                .map(column -> column + " = VALUES(" + column + ")")
                .collect(Collectors.joining(", ")));
  }

  /** The columns of the fields asked for; null means all, to YCSB. */
  List<String> columns(Set<String> wanted) {
    return wanted == null ? fields : List.copyOf(wanted);
  }

  /** Names come from properties. */
  static String quote(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /** A value as its column takes it; a text that is no number of the field's kind is refused. */
  Object parameter(String column, String value) {
    if (!column.equals(field)) {
      return value;
    }
    return switch (type) {
      case INT, LONG -> Long.parseLong(value);
      case FLOAT, DOUBLE -> Double.parseDouble(value);
      default -> value;
    };
  }

  void requireField(String asked) {
    if (!asked.equals(field)) {
      throw new IllegalArgumentException(
          "field %s is not read by value, but %s: set -p %sfield=%s"
              .formatted(asked, field, BindingOptions.PREFIX, asked));
    }
  }

  /** The condition of a read, without its column; numbers have no prefixes. */
  String condition(ValueRead.Kind kind) {
    if (kind == ValueRead.Kind.PREFIX && type.isNumeric()) {
      throw new IllegalArgumentException("numbers have no prefixes: use STRING or BYTES");
    }
    return switch (kind) {
      case READVALUE -> "= ?";
      case RANGELOOKUP -> "BETWEEN ? AND ?";
      case PREFIX -> "LIKE ? ESCAPE '!'";
    };
  }

  /** Microseconds, later than any before in this JVM. */
  long time() {
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return LAST_TIME.updateAndGet(last -> Math.max(last + 1, now));
  }
}
