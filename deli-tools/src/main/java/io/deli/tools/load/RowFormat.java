package io.deli.tools.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/**
 * The form of an input.
 *
 * @param json whether rows are JSON objects; otherwise they are delimited
 * @param columns names of the columns of delimited rows; empty if the first line names them
 */
public record RowFormat(boolean json, CSVFormat delimited, List<String> columns)
    implements Serializable {
  public RowFormat {
    columns = List.copyOf(columns);
  }

  /** Gives the bytes of lines one by one, with CR LF or without a line break; null at the end. */
  @FunctionalInterface
  public interface LineSource {
    byte[] next() throws IOException;
  }

  /** Reads an input, which is UTF-8, from its start. */
  public RecordReader reader(InputStream in) {
    return reader(new Lines(in));
  }

  /** Reads lines from anywhere in an input. */
  public RecordReader reader(LineSource lines) {
    return reader(new Lines(lines));
  }

  private RecordReader reader(Lines lines) {
    return json ? new JsonLinesReader(lines) : new DelimitedReader(lines, delimited, columns);
  }

  /** Whether the first line names the columns. */
  public boolean hasHeader() {
    return !json && columns.isEmpty();
  }

  /** The same with the names of columns that a header gave. */
  public RowFormat withColumns(List<String> names) {
    return new RowFormat(json, delimited, names);
  }
}
