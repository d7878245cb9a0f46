package io.deli.lab.campaign;

import io.deli.lab.judge.RowOperation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps the histories of a cell in which something was wrong, for people to look at. */
final class Evidence {
  private static final Pattern ROW = Pattern.compile("c\\d{5}-[A-Z_]+-\\d+");

  private Evidence() {}

  /** Moves the histories, and tells in a text what they have of the rows that violations name. */
  static void keep(Path directory, Path to, List<String> violations) throws IOException {
    Files.createDirectories(to);
    Files.write(to.resolve("violations.txt"), violations);
    Set<String> rows = new HashSet<>();
    Matcher matcher = ROW.matcher(String.join("\n", violations));
    while (matcher.find()) {
      rows.add(matcher.group());
    }
    List<Line> lines = new ArrayList<>();
    try (var files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".history")) {
          read(file, rows, lines);
        }
        Files.move(file, to.resolve(file.getFileName()));
      }
    }
    lines.sort(Comparator.comparingLong(Line::time));
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(to.resolve("rows.txt")))) {
      lines.forEach(each -> out.println(each.text()));
    }
  }

  private record Line(long time, String text) {}

  private static void read(Path file, Set<String> rows, List<Line> lines) throws IOException {
    String client = file.getFileName().toString();
    Map<Long, Long> begins = new HashMap<>();
    HistoryTail.read(
        file,
        // Of a call that began in a file that is gone.
        call -> begins.getOrDefault(call, 0L),
        record -> {
          if (record instanceof HistoryRecord.Begin begin) {
            begins.put(begin.call(), begin.time());
          }
          if (concerns(record, rows)) {
            lines.add(new Line(record.time(), "%d %s %s".formatted(record.time(), client, record)));
          }
        });
  }

  private static boolean concerns(HistoryRecord record, Set<String> rows) {
    if (record instanceof HistoryRecord.Begin begin) {
      return concern(begin.writes(), rows);
    } else if (record instanceof HistoryRecord.Told told) {
      return concern(told.operations(), rows);
    }
    return record instanceof HistoryRecord.Failed
        || (record instanceof HistoryRecord.Answered answered
            && answered.query().hits().stream().anyMatch(hit -> rows.contains(hit.row())));
  }

  private static boolean concern(List<RowOperation> operations, Set<String> rows) {
    return operations.stream().anyMatch(each -> rows.contains(each.row()));
  }
}
