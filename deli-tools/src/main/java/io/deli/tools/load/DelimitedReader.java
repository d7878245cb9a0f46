package io.deli.tools.load;

import io.deli.tools.load.RecordReader.BadLineException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Rows of delimiter-separated values.
 *
 * <p>Each line is parsed by itself, and with those that follow only while a quoted value is open:
 * so one bad line costs one row and not the rest of the file.
 */
public final class DelimitedReader implements RecordReader {
  /** A value with more line breaks than this is rather a quote that nobody closed. */
  private static final int LONGEST_VALUE = 200;

  private final Lines lines;
  private final CSVFormat format;
  private List<String> columns;
  private long lastStart;

  /**
   * Reads rows in UTF-8.
   *
   * @param columns names of the columns, {@code -} for one to leave out; empty if the first line
   *     names them
   */
  public DelimitedReader(InputStream in, CSVFormat format, List<String> columns) {
    this(new Lines(in), format, columns);
  }

  DelimitedReader(Lines lines, CSVFormat format, List<String> columns) {
    this.lines = lines;
    this.format = format;
    this.columns = List.copyOf(columns);
  }

  @Override
  public List<String> columns() throws IOException, BadLineException {
    if (columns.isEmpty()) {
      List<String> header = values();
      columns = header == null ? List.of() : named(header);
    }
    return columns;
  }

  @Override
  public Optional<InputRecord> next() throws IOException, BadLineException {
    List<String> values = columns().isEmpty() ? null : values();
    if (values == null) {
      return Optional.empty();
    }
    long line = lastStart;
    if (values.size() != columns.size()) {
      throw new BadLineException(
          line, "%d values for %d columns".formatted(values.size(), columns.size()));
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (int c = 0; c < columns.size(); c++) {
      if (!columns.get(c).equals("-")) {
        fields.put(columns.get(c), values.get(c));
      }
    }
    return Optional.of(new InputRecord(line, fields));
  }

  private List<String> named(List<String> header) throws BadLineException {
    for (String name : header) {
      if (name == null || name.isBlank()) {
        throw new BadLineException(lastStart, "a column has no name: name them all with --columns");
      }
    }
    return header.stream().map(String::trim).toList();
  }

  private List<String> values() throws IOException, BadLineException {
    String line = lines.next();
    while (line != null && line.isEmpty()) {
      line = lines.next();
    }
    if (line == null) {
      return null;
    }
    lastStart = lines.number();
    StringBuilder record = new StringBuilder(line);
    List<String> further = new ArrayList<>();
    while (true) {
      try {
        List<String> values = parse(record.toString());
        lines.requireUtf8(lastStart);
        return values;
      } catch (IOException e) {
        String next = isOpen(e) && further.size() < LONGEST_VALUE ? lines.next() : null;
        if (next == null) {
          lines.giveBack(further);
          throw new BadLineException(lastStart, reason(e));
        }
        further.add(next);
        record.append('\n').append(next);
      }
    }
  }

  private List<String> parse(String record) throws IOException {
    try (CSVParser parser = CSVParser.parse(new StringReader(record), format)) {
      List<CSVRecord> records = parser.getRecords();
      return records.isEmpty() ? List.of() : records.get(0).stream().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isOpen(IOException e) {
    return e.getMessage() != null && e.getMessage().contains("EOF");
  }

  private static String reason(IOException e) {
    if (isOpen(e)) {
      return "a quoted value is not closed";
    }
    return "a quoted value is followed by something else than a delimiter";
  }
}
