package io.deli.tools.output;

import java.util.List;

/** Small tables within a text. */
public final class Tables {
  private Tables() {}

  /** Prints rows in aligned columns, without a count. */
  public static void print(Terminal terminal, List<String> columns, List<? extends List<?>> rows) {
    TableWriter writer = new TableWriter(terminal.out(), columns);
    rows.forEach(writer::row);
    writer.finish();
  }
}
