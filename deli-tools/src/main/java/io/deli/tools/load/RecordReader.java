package io.deli.tools.load;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads an input row by row. Not thread-safe. */
public interface RecordReader {
  /**
   * One row of an input file.
   *
   * @param line number of its first line, from 1
   * @param fields texts by column name, in the file's order; null where the file says null
   */
  record InputRecord(long line, Map<String, String> fields) {
    public InputRecord {
      fields = Collections.unmodifiableMap(fields);
    }
  }

  /**
   * The names of the columns, if they are those of all rows; empty if each row names its own, or
   * there is none.
   *
   * @throws BadLineException if the header cannot be used
   */
  default List<String> columns() throws IOException, BadLineException {
    return List.of();
  }

  /**
   * The next row, or empty at the end.
   *
   * @throws BadLineException if the next line is no row; a further call goes on behind it
   * @throws IOException if the input cannot be read
   */
  Optional<InputRecord> next() throws IOException, BadLineException;
}
