package io.deli.test.model;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/** The last operations that touched each row, and the last upheavals. */
final class History {
  private static final int KEPT = 20;

  private final NavigableMap<byte[], Deque<String>> byRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final Deque<String> upheavals = new ArrayDeque<>();

  /** Notes an operation; a later note of the same one takes its place. */
  void put(int number, byte[] row, String text) {
    Deque<String> lines = byRow.computeIfAbsent(row, key -> new ArrayDeque<>());
    if (!lines.isEmpty() && lines.getLast().startsWith("#" + number + " ")) {
      lines.removeLast();
    }
    add(lines, number, text);
  }

  void addUpheaval(int number, String text) {
    add(upheavals, number, text);
  }

  private static void add(Deque<String> lines, int number, String text) {
    lines.add("#" + number + " " + text);
    if (lines.size() > KEPT) {
      lines.remove();
    }
  }

  String of(Collection<byte[]> rows) {
    StringBuilder text = new StringBuilder("last upheavals:").append(lines(upheavals));
    for (byte[] row : rows) {
      text.append("\nlast operations on row '").append(Bytes.toStringBinary(row)).append("':");
      text.append(lines(byRow.getOrDefault(row, new ArrayDeque<>())));
    }
    return text.toString();
  }

  private static String lines(Deque<String> lines) {
    return lines.isEmpty() ? " none" : "\n  " + String.join("\n  ", List.copyOf(lines));
  }
}
