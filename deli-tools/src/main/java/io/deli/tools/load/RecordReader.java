package io.deli.tools.load;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads an input row by row. Not thread-safe. */
public interface RecordReader {
  /**
   * One row of an input file: its first line, from 1, and texts by column; null where it says null.
   */
  record InputRecord(long line, Map<String, String> fields) {
    public InputRecord {
      fields = Collections.unmodifiableMap(fields);
    }
  }

  /** A line of the input that is no row; reading may go on behind it, unless it ends the input. */
  final class BadLineException extends Exception {
    private static final long serialVersionUID = 1L;

    private final long line;
    private final boolean endsInput;

    public BadLineException(long line, String reason) {
      this(line, reason, false);
    }

    BadLineException(long line, String reason, boolean endsInput) {
      super(reason);
      this.line = line;
      this.endsInput = endsInput;
    }

    /** Whether further lines were read as part of this row, so that the next row is not known. */
    public boolean endsInput() {
      return endsInput;
    }

    /** For a person: the line and what is wrong with it. */
    public String report() {
      return "line " + line + ": " + getMessage();
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
