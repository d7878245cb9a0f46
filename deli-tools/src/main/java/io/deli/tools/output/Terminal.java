package io.deli.tools.output;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The streams that a command reads and writes: results go to {@code out}, all else to {@code err}.
 *
 * @param interactive whether a person watches {@code err}
 */
public record Terminal(InputStream in, PrintStream out, PrintStream err, boolean interactive) {
  /** The process's own streams, in UTF-8 whatever the locale says. */
  public static Terminal system() {
    return new Terminal(
        System.in,
        new PrintStream(System.out, false, StandardCharsets.UTF_8),
        new PrintStream(System.err, true, StandardCharsets.UTF_8),
        Boolean.getBoolean("deli.terminal"));
  }

  /** Tells a person what is going on. */
  public void say(String line) {
    err.println(line);
  }

  /** A small table within a text: rows in aligned columns, without a count. */
  public void table(List<String> columns, List<? extends List<?>> rows) {
    TableWriter writer = new TableWriter(out, columns);
    rows.forEach(writer::row);
    writer.finish();
  }

  public void print(String line) {
    out.println(line);
  }
}
