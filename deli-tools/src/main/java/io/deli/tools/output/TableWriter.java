package io.deli.tools.output;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Aligned columns, numbers to the right. Widths are those of the first rows, so that results of any
 * length stream; a later, wider value pushes its line out.
 */
final class TableWriter implements RowWriter {
  private static final int MEASURED = 500;

  private final PrintStream out;
  private final List<String> columns;
  private final List<List<?>> waiting = new ArrayList<>();
  private int[] widths;
  private boolean[] numeric;
  private long rows;

  TableWriter(PrintStream out, List<String> columns) {
    this.out = out;
    this.columns = columns;
  }

  @Override
  public void row(List<?> values) {
    rows++;
    if (widths != null) {
      print(values);
    } else {
      waiting.add(values);
      if (waiting.size() == MEASURED) {
        begin();
      }
    }
  }

  @Override
  public void end(Map<String, ?> facts) {
    finish();
    out.println("(" + rows + (rows == 1 ? " row)" : " rows)"));
    facts.forEach((name, fact) -> out.println(name + ": " + fact));
    out.flush();
  }

  void finish() {
    if (widths == null) {
      begin();
    }
  }

  private void begin() {
    widths = new int[columns.size()];
    numeric = new boolean[columns.size()];
    for (int c = 0; c < widths.length; c++) {
      widths[c] = columns.get(c).length();
      numeric[c] = !waiting.isEmpty();
      for (List<?> values : waiting) {
        Object value = values.get(c);
        widths[c] = Math.max(widths[c], width(text(value)));
        numeric[c] &= value == null || value instanceof Number || value instanceof FileSize;
      }
    }
    print(columns);
    StringBuilder rule = new StringBuilder("-");
    for (int c = 0; c < widths.length; c++) {
      rule.append(c == 0 ? "" : "-+-").append("-".repeat(widths[c]));
    }
    out.println(rule.append('-'));
    waiting.forEach(this::print);
    waiting.clear();
  }

  private void print(List<?> values) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      String text = text(values.get(c));
      String padding = " ".repeat(Math.max(0, widths[c] - width(text)));
      line.append(c == 0 ? " " : " | ").append(numeric[c] ? padding + text : text + padding);
    }
    out.println(line.toString().stripTrailing());
  }

  private static String text(Object value) {
    return value == null ? "" : value.toString().replace("\n", "\\n").replace("\r", "\\r");
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
