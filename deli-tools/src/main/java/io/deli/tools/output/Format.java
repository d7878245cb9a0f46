package io.deli.tools.output;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The formats in which results are printed. */
public enum Format {
  /** Aligned columns for people. */
  TABLE,
  /** Comma-separated values with a header line, for spreadsheets. */
  CSV,
  /** One JSON document, for programs. */
  JSON;

  /**
   * A writer of rows with these columns. Values that are a {@link FileSize} or an {@link Instant}
   * are numbers of bytes and milliseconds to programs.
   *
   * @param name what the rows are, in the plural: the name of the list in JSON
   * @param millis whether times are numbers in tables, too, not as {@code 2026-01-31T12:00:00Z}
   */
  public RowWriter writer(Terminal terminal, String name, List<String> columns, boolean millis) {
    return switch (this) {
      case TABLE -> {
        RowWriter table = new TableWriter(terminal.out(), columns);
        yield millis ? new Numbers(table, false) : table;
      }
      case CSV -> new Numbers(new CsvWriter(terminal.out(), terminal.err(), columns), true);
      case JSON -> new Numbers(new JsonRowWriter(terminal.out(), name, columns), true);
    };
  }

  /** Turns times, and sizes if asked for, into numbers. */
  private record Numbers(RowWriter to, boolean sizes) implements RowWriter {
    @Override
    public void row(List<?> values) {
      to.row(Arrays.asList(values.stream().map(this::number).toArray()));
    }

    private Object number(Object value) {
      if (value instanceof Instant time) {
        return time.toEpochMilli();
      }
      return sizes && value instanceof FileSize size ? size.bytes() : value;
    }

    @Override
    public void end(Map<String, ?> facts) {
      to.end(facts);
    }
  }
}
