package io.deli.test.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tables of docs/reference.md. */
final class MetricsPage {
  private MetricsPage() {}

  /**
   * One row.
   *
   * @param watched whether it says when to worry
   */
  record Metric(String name, String kind, boolean watched) {}

  /** The rows below a heading. */
  static List<Metric> below(String heading) throws IOException {
    Path page = Path.of(System.getProperty("deli.root"), "docs", "reference.md");
    List<Metric> metrics = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("##")) {
        inside = line.equals("### " + heading);
      } else if (inside && line.startsWith("| `")) {
        String[] cells = line.split("\\|", -1);
        metrics.add(
            new Metric(cells[1].strip().replace("`", ""), cells[2].strip(), !cells[4].isBlank()));
      }
    }
    return metrics;
  }
}
