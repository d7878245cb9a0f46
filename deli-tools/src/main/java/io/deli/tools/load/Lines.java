package io.deli.tools.load;

import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RowFormat.LineSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** Lines of an input in UTF-8 with their numbers; lines taken too many can be given back. */
final class Lines {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /** What Java puts in the place of bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private final LineSource in;
  private final boolean mayBeMarked;
  private final Deque<String> returned = new ArrayDeque<>();
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

  /** The next line, or null at the end. */
  String next() throws IOException {
    String line = returned.isEmpty() ? decoded(in.next()) : returned.pop();
    if (line == null) {
      return null;
    }
    number++;
    return mayBeMarked && number == 1 && !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK
        ? line.substring(1)
        : line;
  }

  private String decoded(byte[] line) {
    if (line == null) {
      return null;
    }
    String text = new String(line, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), line)) {
      malformed = number + 1;
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

  /** Gives back the lines taken last, in their order. */
  void giveBack(Collection<String> lines) {
    number -= lines.size();
    List<String> all = List.copyOf(lines);
    for (int i = all.size() - 1; i >= 0; i--) {
      returned.push(all.get(i));
    }
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
          passBreak();
          break;
        }
      }
      return line.toByteArray();
    }

    private void passBreak() throws IOException {
      boolean mayBeTwo = buffer[at++] == '\r';
      if (mayBeTwo && fill() && buffer[at] == '\n') {
        at++;
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
