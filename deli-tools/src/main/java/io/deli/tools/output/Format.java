package io.deli.tools.output;

import java.util.List;

/** How results are printed. */
public enum Format {
  /** Aligned columns for people. */
  TABLE,
  /** Comma-separated values with a header line, for spreadsheets. */
  CSV,
  /** One JSON document, for programs. */
  JSON;

  /**
   * A writer of rows with these columns.
   *
   * @param name what the rows are, in the plural: the name of the list in JSON
   */
  public RowWriter writer(Terminal terminal, String name, List<String> columns) {
    return switch (this) {
      case TABLE -> new TableWriter(terminal.out(), columns);
      case CSV -> new CsvWriter(terminal.out(), terminal.err(), columns);
      case JSON -> new JsonRowWriter(terminal.out(), name, columns);
    };
  }
}
