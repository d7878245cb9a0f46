package io.deli.tools.load;

import io.deli.index.Column;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.tools.Failure;
import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RecordReader.InputRecord;
import io.deli.tools.output.Texts;
import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The mapping of a row of the input to a row of the table.
 *
 * @param key names of the columns that make the row key
 * @param separator between them
 * @param keyType encoding of the key
 * @param families names of the table's families
 * @param family for columns whose name has none
 * @param types encodings by table column; {@code STRING} where not given
 * @param omitted names of columns to leave out
 */
public record RowMapping(
    List<String> key,
    String separator,
    ValueType keyType,
    Set<String> families,
    String family,
    Map<Column, ValueType> types,
    Set<String> omitted)
    implements Serializable {
  public RowMapping {
    key = List.copyOf(key);
    families = Set.copyOf(families);
    types = Map.copyOf(types);
    omitted = Set.copyOf(omitted);
  }

  /** The table column that an input column goes to. */
  public static Column column(String family, String name) {
    return name.indexOf(':') > 0
        ? Column.parse(name)
        : Column.of(Bytes.toBytes(family), Bytes.toBytes(name));
  }

  /**
   * Checks the columns of an input before a row is written.
   *
   * @throws Failure if the table has not the family of one, or two are one column of the table, of
   *     which only the last would be stored
   */
  public void check(List<String> columns) {
    Set<String> names = new HashSet<>();
    Set<Column> written = new HashSet<>();
    for (String name : columns) {
      if (name.equals("-")) {
        continue;
      }
      Column column = column(family, name);
      boolean isWritten = !omitted.contains(name);
      if (!names.add(name) || (isWritten && !written.add(column))) {
        throw Failure.usage(
            "the input has column %s twice: rename one, or name its columns with --columns"
                .formatted(column));
      }
      Optional<String> refusal = isWritten ? missingFamily(name, column) : Optional.empty();
      if (refusal.isPresent()) {
        throw Failure.usage(refusal.get() + ", or leave the column out with --skip");
      }
    }
  }

  private Optional<String> missingFamily(String name, Column column) {
    if (name.indexOf(':') < 1) {
      return Optional.empty(); // It goes to the default family.
    }
    String needed = Texts.format(column.family());
    return families.contains(needed)
        ? Optional.empty()
        : Optional.of(
            "the table has no family '%s', which column %s needs: use one of %s"
                .formatted(needed, name, new TreeSet<>(families)));
  }

  /**
   * The row as a Put, null values left out.
   *
   * @throws BadLineException if it has no key, no value, one that is not of its type, or a column
   *     whose family the table does not have
   */
  public Put put(InputRecord record) throws BadLineException {
    return put(record, HConstants.LATEST_TIMESTAMP);
  }

  /** The same with a timestamp. */
  public Put put(InputRecord record, long timestamp) throws BadLineException {
    Put put = new Put(rowKey(record), timestamp);
    for (Map.Entry<String, String> field : record.fields().entrySet()) {
      String name = field.getKey();
      if (field.getValue() != null && !omitted.contains(name)) {
        add(put, record.line(), name, field.getValue());
      }
    }
    if (put.isEmpty()) {
      throw new BadLineException(record.line(), "all values are null");
    }
    return put;
  }

  private void add(Put put, long line, String name, String text) throws BadLineException {
    Column column = column(family, name);
    Optional<String> refusal = missingFamily(name, column);
    if (refusal.isPresent()) {
      throw new BadLineException(line, refusal.get());
    }
    ValueType type = types.getOrDefault(column, ValueType.STRING);
    if (type.isNumeric() && text.isBlank()) {
      return;
    }
    try {
      put.addColumn(column.family(), column.qualifier(), type.parse(text));
    } catch (InvalidIndexException e) {
      throw new BadLineException(line, "column " + name + ": " + e.getMessage());
    }
  }

  private byte[] rowKey(InputRecord record) throws BadLineException {
    Map<String, String> parts = new HashMap<>(record.fields());
    StringBuilder text = new StringBuilder();
    for (String name : key) {
      if (!parts.containsKey(name)) {
        throw new BadLineException(
            record.line(), "no column '%s', which makes the key".formatted(name));
      }
      String part = parts.get(name);
      if (part == null || part.isEmpty()) {
        throw new BadLineException(record.line(), "key column " + name + " is null or empty");
      }
      text.append(text.isEmpty() ? "" : separator).append(part);
    }
    byte[] row = rowKey(record.line(), text.toString());
    if (row.length > HConstants.MAX_ROW_LENGTH) {
      throw new BadLineException(
          record.line(), "the key has %d bytes, HBase takes 32767".formatted(row.length));
    }
    return row;
  }

  private byte[] rowKey(long line, String text) throws BadLineException {
    try {
      return keyType.parse(text);
    } catch (InvalidIndexException e) {
      throw new BadLineException(line, "the key: " + e.getMessage());
    }
  }
}
