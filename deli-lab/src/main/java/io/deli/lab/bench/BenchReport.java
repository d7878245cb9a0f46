package io.deli.lab.bench;

import io.deli.lab.measure.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures as a Markdown table: medians, their range, and the ratio to the first arm. */
public final class BenchReport {
  private BenchReport() {}

  public static List<String> markdown(List<Figure> figures) {
    Map<String, List<Figure>> experiments = new LinkedHashMap<>();
    for (Figure figure : figures) {
      experiments.computeIfAbsent(figure.experiment(), e -> new ArrayList<>()).add(figure);
    }
    List<String> lines = new ArrayList<>();
    lines.add("| experiment | arm | median | least - greatest | ratio |");
    lines.add("|---|---|---:|---:|---:|");
    for (List<Figure> arms : experiments.values()) {
      double yardstick = arms.get(0).median();
      for (Figure figure : arms) {
        lines.add(
            String.format(
                Locale.ROOT,
                "| %s | %s | %s %s | %s - %s | %.2f |",
                figure.experiment(),
                figure.arm(),
                number(figure.median()),
                figure.unit(),
                number(figure.least()),
                number(figure.greatest()),
                figure.median() / yardstick));
      }
    }
    return lines;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
  }
}
