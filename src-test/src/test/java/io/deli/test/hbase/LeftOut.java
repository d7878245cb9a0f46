package io.deli.test.hbase;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A test of HBase's that is not run, as {@code left-out.txt} tells.
 *
 * @param way {@code observer}, {@code client}, {@code async} or {@code region}; {@code both} for
 *     the first two
 * @param test simple name of the class, or {@code Class#method}
 * @param reason why the failure would be harmless
 */
record LeftOut(String way, String test, String reason) {
  private static final String FILE = "/hbase/left-out.txt";
  private static final Pattern SEPARATOR = Pattern.compile("\\s*[|]\\s*");

  static List<LeftOut> read() {
    return IndexedColumns.lines(FILE).map(LeftOut::parse).toList();
  }

  private static LeftOut parse(String line) {
    String[] parts = SEPARATOR.split(line.trim(), 3);
    if (parts.length < 3 || parts[2].isBlank()) {
      throw new IllegalArgumentException(FILE + ": way | test | reason expected: " + line);
    }
    return new LeftOut(parts[0], parts[1], parts[2]);
  }

  boolean concerns(String runWay, String simpleClassName, String method) {
    boolean both = way.equals("both") && (runWay.equals("observer") || runWay.equals("client"));
    return (both || way.equals(runWay))
        && (test.equals(simpleClassName) || test.equals(simpleClassName + "#" + method));
  }
}
