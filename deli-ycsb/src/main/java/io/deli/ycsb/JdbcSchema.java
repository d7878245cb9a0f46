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
 *
 * <p>Phoenix has times of its own, and tables that others create.
 */
record JdbcSchema(
    boolean phoenix,
    String hint,
    String table,
    String field,
    List<String> fields,
    ValueType type,
    boolean indexed,
    boolean create) {
  static final String URL = "db.url";
  static final String KEY_COLUMN = ValueReads.KEY;

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
            properties.getProperty(URL, "").startsWith("jdbc:phoenix:"),
            properties.getProperty("db.hint", ""),
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

  /** Of the rows that a condition selects, the most recent. */
  String newest() {
    return " ORDER BY %s DESC, %s LIMIT ?"
        .formatted(phoenix ? "PHOENIX_ROW_TIMESTAMP()" : TIME_COLUMN, KEY_COLUMN);
  }

  String select(String from, List<String> columns) {
    List<String> selected = new ArrayList<>(List.of(KEY_COLUMN));
    columns.forEach(column -> selected.add(quote(column)));
    return "SELECT %s%s FROM %s"
        .formatted(
            hint.isEmpty() ? "" : "/*+ " + hint + " */ ", String.join(", ", selected), quote(from));
  }

  /** Whether a write of these columns takes {@link #time}, too, as its last parameter. */
  boolean isTimed(List<String> columns) {
    return !phoenix && columns.contains(field);
  }

  String upsert(String into, List<String> columns) {
    List<String> written = columns.stream().map(this::quote).collect(Collectors.toList());
    if (isTimed(columns)) {
      written.add(TIME_COLUMN);
    }
    String values =
        " INTO %s (%s, %s) VALUES (?%s)"
            .formatted(
                quote(into), KEY_COLUMN, String.join(", ", written), ", ?".repeat(written.size()));
    return phoenix
        ? "UPSERT" + values
        : "INSERT%s ON DUPLICATE KEY UPDATE %s"
            .formatted(
                values,
                written.stream()
                    .map(column -> column + " = VALUES(" + column + ")")
                    .collect(Collectors.joining(", ")));
  }

  /** The columns of the fields asked for; null means all, to YCSB. */
  List<String> columns(Set<String> wanted) {
    return wanted == null ? fields : List.copyOf(wanted);
  }

  /** Names come from properties. */
  String quote(String name) {
    String mark = phoenix ? "\"" : "`";
    return mark + name.replace(mark, mark + mark) + mark;
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
