package io.deli.tools.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** Lines of an input with their numbers; lines taken too many can be given back. */
final class Lines {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final BufferedReader in;
  private final Deque<String> returned = new ArrayDeque<>();
  private long number;

  Lines(Reader in) {
    this.in = new BufferedReader(in);
  }

  /** The next line, or null at the end. */
  String next() throws IOException {
    String line = returned.isEmpty() ? in.readLine() : returned.pop();
    if (line == null) {
      return null;
    }
    number++;
    return number == 1 && !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK
        ? line.substring(1)
        : line;
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
}
