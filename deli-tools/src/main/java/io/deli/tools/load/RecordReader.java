package io.deli.tools.load;

import java.io.IOException;
import java.util.Optional;

/** Reads an input row by row. Not thread-safe. */
public interface RecordReader {
  /**
   * The next row, or empty at the end.
   *
   * @throws BadLineException if the next line is no row; a further call goes on behind it
   * @throws IOException if the input cannot be read
   */
  Optional<InputRecord> next() throws IOException, BadLineException;
}
