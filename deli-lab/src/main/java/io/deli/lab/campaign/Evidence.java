package io.deli.lab.campaign;

import io.deli.lab.judge.HistoryRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Keeps the histories of a cell in which something was wrong, for people to look at. */
final class Evidence {
  private static final Pattern ROW = Pattern.compile("c\\d{5}-[A-Z_]+-\\d+");

  private record Line(long time, String text) {}

  private Evidence() {}

  /** Moves the histories, and tells in a text what they have of the rows that violations name. */
  static void keep(Path directory, Path to, List<String> violations) throws IOException {
    Files.createDirectories(to);
    Files.write(to.resolve("violations.txt"), violations);
    Set<String> rows = rows(String.join("\n", violations)).collect(Collectors.toSet());
    List<Line> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".history")) {
          read(file, rows, lines);
        }
        Files.move(file, to.resolve(file.getFileName()));
      }
    }
    lines.sort(Comparator.comparingLong(Line::time));
    Files.write(to.resolve("rows.txt"), lines.stream().map(Line::text).toList());
  }

  private static Stream<String> rows(String text) {
    return ROW.matcher(text).results().map(MatchResult::group);
  }

  private static void read(Path file, Set<String> rows, List<Line> lines) throws IOException {
    String client = file.getFileName().toString();
    HistoryTail.read(
        file,
        record -> {
          String text = record.toJson();
          if (record instanceof HistoryRecord.Failed || rows(text).anyMatch(rows::contains)) {
            lines.add(new Line(record.time(), "%d %s %s".formatted(record.time(), client, text)));
          }
        });
  }
}
