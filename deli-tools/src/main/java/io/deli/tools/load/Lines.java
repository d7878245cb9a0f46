package io.deli.tools.load;

import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RowFormat.LineSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;

/** Lines of an input in UTF-8 with their numbers. */
final class Lines {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private static final byte[] CR_LF = {'\r', '\n'};

  /** The character that Java decodes bytes to which are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private final LineSource in;
  private final boolean mayBeMarked;
  private String lineBreak;
  private long number;
  private long malformed;

  /** The lines of an input from its start, where a byte order mark may be. */
  Lines(InputStream in) {
    this(split(in), true);
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
    boolean isCrLf = text.endsWith("\r\n");
    lineBreak = isCrLf ? "\r\n" : "\n";
    int start = mayBeMarked && number == 1 && text.indexOf(BYTE_ORDER_MARK) == 0 ? 1 : 0;
    return text.substring(start, text.length() - (isCrLf ? 2 : 0));
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

  /** Lines of an input, with a line break behind them if it is CR LF. */
  private static LineSource split(InputStream in) {
    LineReader reader = new LineReader(in);
    Text line = new Text();
    return () -> {
      int read = reader.readLine(line);
      if (read == 0) {
        return null;
      }
      byte[] bytes = line.copyBytes();
      return read - bytes.length == CR_LF.length ? Bytes.add(bytes, CR_LF) : bytes;
    };
  }
}
