package io.deli.ycsb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * One operation of a trace: a line of values that are separated by tabs.
 *
 * <pre>
 * INSERT       key    field  value  field  value ...
 * UPDATE       key    field  value  field  value ...
 * DELETE       key
 * READ         key    field  field ...
 * SCAN         key    count  field  field ...
 * READVALUE    field  value  limit  field  field ...
 * RANGELOOKUP  field  from   to     limit  field  field ...
 * PREFIX       field  prefix limit  field  field ...
 * </pre>
 *
 * <p>No fields at the end of a read means all of them. A backslash, a tab, a line feed and a
 * carriage return within a value are written {@code \\}, {@code \t}, {@code \n} and {@code \r};
 * every other byte stands for itself, so that values of any bytes come back as they were.
 */
record TraceLine(String operation, List<String> values) {
  static final String FILE = "trace.file";

  private static String raw(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  private static String raw(String text) {
    return raw(text.getBytes(UTF_8));
  }

  static Path file(Properties properties) {
    String file = properties.getProperty(FILE);
    if (file == null) {
      throw new IllegalArgumentException("no file for the trace: set -p " + FILE + "=PATH");
    }
    return Path.of(file);
  }

  /** Reads bytes that were written in {@code ISO_8859_1}. */
  static TraceLine parse(String line) {
    List<String> values = new ArrayList<>();
    for (String value : line.split("\t", -1)) {
      values.add(unescape(value));
    }
    return new TraceLine(values.get(0), values.subList(1, values.size()));
  }

  static TraceLine of(String operation, String... values) {
    List<String> all = new ArrayList<>();
    for (String value : values) {
      all.add(raw(value));
    }
    return new TraceLine(operation, all);
  }

  static TraceLine of(ValueRead read) {
    List<String> values = new ArrayList<>(List.of(read.field()));
    values.addAll(read.operands());
    values.add(Integer.toString(read.limit()));
    return of(read.kind().name(), values.toArray(new String[0])).with(read.fields());
  }

  Optional<ValueRead> read() {
    return Stream.of(ValueRead.Kind.values())
        .filter(kind -> kind.name().equals(operation))
        .findFirst()
        .map(
            kind -> {
              int limit = kind.operands() + 1;
              List<String> operands = IntStream.range(1, limit).mapToObj(this::text).toList();
              return new ValueRead(kind, text(0), operands, number(limit), fields(limit + 1));
            });
  }

  TraceLine with(Set<String> fields) {
    return fields == null ? this : plus(fields.stream().sorted().map(TraceLine::raw).toList());
  }

  TraceLine with(Map<String, byte[]> record) {
    List<String> more = new ArrayList<>();
    record.forEach(
        (field, value) -> {
          more.add(raw(field));
          more.add(raw(value));
        });
    return plus(more);
  }

  private TraceLine plus(List<String> more) {
    List<String> all = new ArrayList<>(values);
    all.addAll(more);
    return new TraceLine(operation, all);
  }

  String text(int index) {
    return new String(values.get(index).getBytes(ISO_8859_1), UTF_8);
  }

  int number(int index) {
    return Integer.parseInt(values.get(index));
  }

  /** The fields from a value on; null, which means all to YCSB, if there are none. */
  Set<String> fields(int from) {
    if (from == values.size()) {
      return null;
    }
    Set<String> fields = new HashSet<>();
    for (int i = from; i < values.size(); i++) {
      fields.add(text(i));
    }
    return fields;
  }

  /** The record that begins with the second value. */
  Map<String, ByteIterator> record() {
    Map<String, ByteIterator> record = new HashMap<>();
    for (int i = 1; i + 1 < values.size(); i += 2) {
      record.put(text(i), new ByteArrayByteIterator(values.get(i + 1).getBytes(ISO_8859_1)));
    }
    return record;
  }

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(operation);
    values.forEach(value -> line.append('\t').append(escape(value)));
    return line.toString();
  }

  private static String escape(String value) {
    return value
        .replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private static String unescape(String value) {
    if (value.indexOf('\\') < 0) {
      return value;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      if (each == '\\' && i + 1 < value.length()) {
        each =
            switch (value.charAt(++i)) {
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> '\\';
            };
      }
      text.append(each);
    }
    return text.toString();
  }
}
