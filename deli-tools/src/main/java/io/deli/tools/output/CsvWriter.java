package io.deli.tools.output;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Comma-separated values; facts about the whole go to the error stream. */
final class CsvWriter implements RowWriter {
  private final PrintStream out;
  private final PrintStream err;
  private final CSVPrinter printer;

  CsvWriter(PrintStream out, PrintStream err, List<String> columns) {
    this.out = out;
    this.err = err;
    try {
      this.printer =
          new CSVPrinter(
              out,
              CSVFormat.RFC4180
                  .builder()
                  .setRecordSeparator('\n')
                  .setHeader(columns.toArray(String[]::new))
                  .get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void row(List<?> values) {
    try {
      printer.printRecord(values);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void end(Map<String, ?> facts) {
    out.flush();
    facts.forEach((name, fact) -> err.println(name + ": " + fact));
  }
}
