package io.deli.tools.load;

import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RowFormat.LineSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Lines of an input in UTF-8 with their numbers. */
final class Lines {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private static final String LINE_BREAKS = "\r\n";

  /** What Java puts in the place of bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private final LineSource in;
  private final boolean mayBeMarked;
  private String lineBreak;
  private long number;
  private long malformed;

  /** The lines of an input from its start, where a byte order mark may be. */
  Lines(InputStream in) {
    this(new SplitInput(in)::next, true);
  }

  /** Lines from anywhere in an input. */
  Lines(LineSource in) {
    this(in, false);
  }

  private Lines(LineSource in, boolean mayBeMarked) {
    this.in = in;
    this.mayBeMarked = mayBeMarked;
  }

  /** The next line without its line break, or null at the end. */
  String next() throws IOException {
    byte[] line = in.next();
    if (line == null) {
      return null;
    }
    number++;
    String text = decoded(line);
    lineBreak = text.endsWith("\r\n") ? "\r\n" : "\n";
    int start = mayBeMarked && number == 1 && text.indexOf(BYTE_ORDER_MARK) == 0 ? 1 : 0;
    int end = text.length();
    while (end > start && LINE_BREAKS.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(start, end);
  }

  /** The line break behind that line: CR LF, or else LF. */
  String lineBreak() {
    return lineBreak;
  }

  private String decoded(byte[] line) {
    String text = new String(line, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), line)) {
      malformed = number;
    }
    return text;
  }

  /**
   * Checks the lines of a row when all of them are taken, so that reading goes on behind it.
   *
   * @param first number of its first line
   * @throws BadLineException if one is not UTF-8: keys that differ could become one
   */
  void requireUtf8(long first) throws BadLineException {
    if (malformed >= first) {
      throw new BadLineException(malformed, "not UTF-8: convert the input, as with iconv");
    }
  }

  /** Number of the line that {@link #next} gave last, from 1. */
  long number() {
    return number;
  }

  /** Splits an input at LF, CR LF and CR, as Hadoop does. */
  private static final class SplitInput {
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int end;

    SplitInput(InputStream in) {
      this.in = in;
    }

    byte[] next() throws IOException {
      if (!fill()) {
        return null;
      }
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      while (fill()) {
        int from = at;
        while (at < end && buffer[at] != '\n' && buffer[at] != '\r') {
          at++;
        }
        line.write(buffer, from, at - from);
        if (at < end) {
          addBreak(line);
          break;
        }
      }
      return line.toByteArray();
    }

    private void addBreak(ByteArrayOutputStream line) throws IOException {
      byte first = buffer[at++];
      line.write(first);
      if (first == '\r' && fill() && buffer[at] == '\n') {
        line.write(buffer[at++]);
      }
    }

    private boolean fill() throws IOException {
      if (at == end) {
        at = 0;
        end = Math.max(0, in.read(buffer));
      }
      return at < end;
    }
  }
}
