package io.deli.lab.experiment;

import io.deli.lab.experiment.Expectation.Check;
import io.deli.lab.experiment.Experiment.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The report of an experiment, beside the papers' findings: Markdown and plots. */
public record Report(
    Experiment experiment, Map<String, String> circumstances, String date, Results results) {
  public static final String FILE = "report.md";

  /** A person's remarks on what does not agree; the report takes them in. */
  private static final String NOTES = "notes.md";

  public void write(Path directory) throws IOException {
    for (Plot plot : plots()) {
      plot.draw(results, directory);
    }
    Path notes = directory.resolve(NOTES);
    Optional<String> remarks =
        Files.exists(notes) ? Optional.of(Files.readString(notes)) : Optional.empty();
    Files.write(directory.resolve(FILE), markdown(remarks));
  }

  private List<Plot> plots() {
    return experiment.plots().stream()
        .filter(plot -> results.measures().contains(plot.measure()))
        .toList();
  }

  /** Lists the claims of some reports, with how many of the checks of each hold. */
  public static List<String> claims(List<Report> reports) {
    List<String> lines =
        new ArrayList<>(List.of("| claim | holds here | experiment |", "|---|---|---|"));
    for (Report report : reports) {
      for (Claim claim : report.experiment.claims()) {
        lines.add(
            "| %s | %s | %s |"
                .formatted(
                    claim.source(),
                    verdict(claim.checks(report.results)),
                    report.experiment.name()));
      }
    }
    return lines;
  }

  private static String verdict(List<Check> checks) {
    long held = checks.stream().filter(Check::holds).count();
    long missing = checks.stream().filter(check -> !check.measured()).count();
    String rest = missing == 0 ? "" : ", %d not measured".formatted(missing);
    return "%d of %d%s".formatted(held, checks.size() - missing, rest);
  }

  public List<String> markdown(Optional<String> remarks) {
    List<String> lines = new ArrayList<>();
    lines.add("# " + experiment.name());
    lines.add(experiment.sentence());
    lines.addAll(List.of("", "| | |", "|---|---|", "| date | " + date + " |"));
    new TreeMap<>(circumstances)
        .forEach((key, value) -> lines.add("| " + key + " | " + value + " |"));
    lines.addAll(List.of("", "## What the papers found, and whether it holds here"));
    experiment.claims().forEach(claim -> addClaim(lines, claim));
    lines.addAll(List.of("", "## Why not"));
    lines.add(remarks.orElse("(Remarks in `" + NOTES + "` beside this file appear here.)").strip());
    lines.addAll(List.of("", "## What was measured"));
    lines.add("Medians of the rounds; in brackets the least and the greatest, where they differ.");
    results.measures().forEach(measure -> addMeasure(lines, measure));
    return lines;
  }

  /** For programs: what {@link #markdown} says, and the value of each round. */
  public Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("experiment", experiment.name());
    all.put("date", date);
    all.put("circumstances", circumstances);
    all.put("claims", experiment.claims().stream().map(this::json).toList());
    all.put("figures", results.lines());
    return all;
  }

  private Map<String, Object> json(Claim claim) {
    List<Check> checks = claim.checks(results);
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("source", claim.source());
    line.put("holds", verdict(checks));
    line.put("checks", checks.stream().map(Report::json).toList());
    return line;
  }

  private static Map<String, Object> json(Check check) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("claim", check.claim());
    line.put("wanted", check.wanted());
    if (check.measured()) {
      line.put("found", check.found());
    }
    line.put("verdict", check.verdict());
    return line;
  }

  private void addClaim(List<String> lines, Claim claim) {
    List<Check> checks = claim.checks(results);
    lines.addAll(List.of("", "### %s: %s".formatted(claim.source(), verdict(checks))));
    lines.addAll(List.of(claim.found(), "", "| | wanted | found | holds |", "|---|---:|---:|---|"));
    for (Check check : checks) {
      lines.add(
          "| %s | %s | %s | %s |"
              .formatted(
                  check.claim(),
                  check.wanted(),
                  check.measured() ? String.format(Locale.ROOT, "%.2f", check.found()) : "",
                  check.verdict()));
    }
  }

  private void addMeasure(List<String> lines, String measure) {
    List<String> xs = results.xs(measure);
    lines.addAll(List.of("", "### " + measure + ", " + results.unit(measure)));
    lines.add("| | " + (xs.equals(List.of("")) ? "value" : String.join(" | ", xs)) + " |");
    lines.add("|---|" + "---:|".repeat(xs.size()));
    for (String arm : results.arms(measure)) {
      StringBuilder line = new StringBuilder("| ").append(arm).append(" |");
      for (String x : xs) {
        line.append(' ')
            .append(results.figure(measure, x, arm).map(Report::cell).orElse(""))
            .append(ratio(measure, x, arm))
            .append(" |");
      }
      lines.add(line.toString());
    }
    plots().stream()
        .filter(plot -> plot.measure().equals(measure))
        .forEach(
            plot -> {
              lines.add("");
              lines.add("![" + plot.title() + "](" + plot.file() + ".png)");
            });
  }

  private String ratio(String measure, String x, String arm) {
    double ratio = results.ratio(measure, x, arm, results.arms(measure).get(0));
    return experiment.ratios() && !Double.isNaN(ratio)
        ? String.format(Locale.ROOT, ", ratio %.2f", ratio)
        : "";
  }

  private static String cell(Figure figure) {
    String median = number(figure.median());
    return figure.least() == figure.greatest()
        ? median
        : "%s (%s - %s)".formatted(median, number(figure.least()), number(figure.greatest()));
  }

  private static String number(double value) {
    double size = Math.abs(value);
    return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 1 ? "%.2f" : "%.3f", value);
  }
}
