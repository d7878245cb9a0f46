package io.deli.tools.load;

import io.deli.tools.load.RowFormat.LineSource;
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

  private final LineSource in;
  private final boolean mayBeMarked;
  private final Deque<String> returned = new ArrayDeque<>();
  private long number;

  /** The lines of an input from its start, where a byte order mark may be. */
  Lines(Reader in) {
    this(new BufferedReader(in)::readLine, true);
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
    String line = returned.isEmpty() ? in.next() : returned.pop();
    if (line == null) {
      return null;
    }
    number++;
    return mayBeMarked && number == 1 && !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK
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
