package io.deli.test.write;

import io.deli.test.fault.Fault;
import io.deli.test.fault.Way;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What became of the writes that faults struck, as tables in Markdown. */
final class FaultTally {
  /** What became of a write. */
  enum Outcome {
    ACKNOWLEDGED,
    /** Not acknowledged, and the row is as before. */
    ABSENT,
    /** Not acknowledged, but the row is as written. */
    APPLIED
  }

  private final Map<Fault, Map<Way, Counts>> byFault = new EnumMap<>(Fault.class);
  private final Map<WriteKind, Counts> byKind = new EnumMap<>(WriteKind.class);

  private static final class Counts extends TreeMap<Outcome, Integer> {
    private static final long serialVersionUID = 1;

    int of(Outcome outcome) {
      return getOrDefault(outcome, 0);
    }

    int sum() {
      return values().stream().mapToInt(Integer::intValue).sum();
    }

    String cells() {
      return "%d / %d / %d"
          .formatted(of(Outcome.ACKNOWLEDGED), of(Outcome.ABSENT), of(Outcome.APPLIED));
    }
  }

  void add(WriteKind kind, Way way, Fault fault, Outcome outcome) {
    byFault
        .computeIfAbsent(fault, f -> new EnumMap<>(Way.class))
        .computeIfAbsent(way, w -> new Counts())
        .merge(outcome, 1, Integer::sum);
    byKind.computeIfAbsent(kind, k -> new Counts()).merge(outcome, 1, Integer::sum);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("Acknowledged / failed and absent / failed but applied:");
    lines.add("| fault | on the index | on the base | on a read of the base |");
    lines.add("|---|---:|---:|---:|");
    byFault.forEach(
        (fault, ways) -> {
          StringBuilder line = new StringBuilder("| ").append(text(fault)).append(" |");
          for (Way way : Way.values()) {
            line.append(' ').append(ways.getOrDefault(way, new Counts()).cells()).append(" |");
          }
          lines.add(line.toString());
        });
    lines.add("| write | faults | outcomes |");
    lines.add("|---|---:|---:|");
    byKind.forEach(
        (kind, counts) ->
            lines.add("| %s | %d | %s |".formatted(text(kind), counts.sum(), counts.cells())));
    return lines;
  }

  private static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
