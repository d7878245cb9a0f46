package io.deli.tools.load;

import io.deli.tools.load.RecordReader.BadLineException;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Rows of delimiter-separated values.
 *
 * <p>Each line is parsed by itself, and with those that follow only while a quoted value is open:
 * so one bad line costs one row and not the rest of the file. Behind a bad row of several lines the
 * input ends, for these may be text of a value, which would be taken for rows.
 */
final class DelimitedReader implements RecordReader {
  /** Characters of a row; in a longer one there is rather a quote that nobody closed. */
  private static final int LONGEST_ROW = 1 << 24;

  private final Lines lines;
  private final CSVFormat format;
  private List<String> columns;
  private long lastStart;

  /**
   * Reads rows.
   *
   * @param columns names of the columns, {@code -} for one to leave out; empty if the first line
   *     names them
   */
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
    try (CSVParser parser = CSVParser.parse(new RowText(line), format)) {
      Iterator<CSVRecord> record = parser.iterator();
      List<String> values = record.hasNext() ? record.next().stream().toList() : List.of();
      lines.requireUtf8(lastStart);
      return values;
    } catch (UncheckedIOException e) {
      throw bad(e.getCause());
    }
  }

  private BadLineException bad(IOException e) throws IOException {
    boolean isOpen = e instanceof EOFException;
    if (!isOpen && !(e instanceof CSVException)) {
      throw e;
    }
    String reason =
        isOpen
            ? "a quoted value is not closed"
            : "a quoted value is followed by something else than a delimiter";
    return new BadLineException(lastStart, reason, lines.number() > lastStart);
  }

  /** The text of a row, of which the parser asks for a further line only inside a value. */
  private final class RowText extends Reader {
    private String text;
    private int at;
    private long length;

    RowText(String first) {
      take(first);
    }

    private void take(String line) {
      Character escape = format.getEscapeCharacter();
      // An escape takes the first character of a line break only; the second would end the row.
      boolean isEscaped = escape != null && line.endsWith(escape.toString());
      text = line + (isEscaped ? "\n" : lines.lineBreak());
      at = 0;
      length += text.length();
    }

    @Override
    public int read(char[] into, int offset, int most) throws IOException {
      if (at == text.length()) {
        String next = length > LONGEST_ROW ? null : lines.next();
        if (next == null) {
          throw new EOFException();
        }
        take(next);
      }
      int count = Math.min(most, text.length() - at);
      text.getChars(at, at + count, into, offset);
      at += count;
      return count;
    }

    @Override
    public void close() {}
  }
}
