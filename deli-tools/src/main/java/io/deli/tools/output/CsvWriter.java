package io.deli.tools.output;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;

/** Comma-separated values; facts about the whole go to the error stream. */
record CsvWriter(PrintStream out, PrintStream err) implements RowWriter {
  CsvWriter(PrintStream out, PrintStream err, List<String> columns) {
    this(out, err);
    row(columns);
  }

  @Override
  public void row(List<?> values) {
    out.print(CSVFormat.RFC4180.format(values.toArray()) + '\n');
  }

  @Override
  public void end(Map<String, ?> facts) {
    out.flush();
    facts.forEach((name, fact) -> err.println(name + ": " + fact));
  }
}
