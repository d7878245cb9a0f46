package io.deli.lab.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results of the cells of a campaign, the oldest first; a cell that was run again has several.
 *
 * @param unfinished cells that did not run to their end, or have less than their share of
 *     operations or faults, or none of their own faults
 */
public record CampaignReport(List<CellReport> runs, List<String> unfinished) {
  private static final String ROW = "%-44s %10s %6s %6s %7s %6s %6s %8s %9s";
  private static final String HEADINGS =
      "cell,operations,per s,faults,failed,wrong,undec.,gap ms,seconds";

  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(ROW.formatted((Object[]) HEADINGS.split(",", -1)));
    long operations = 0;
    int faults = 0;
    int violations = 0;
    Map<String, Integer> kinds = new TreeMap<>();
    for (CellReport run : runs) {
      lines.add(row(run));
      operations += run.outcomes().checked();
      faults += run.faultCount();
      violations += run.violations().size();
      run.faults().forEach((kind, times) -> kinds.merge(kind, times, Integer::sum));
    }
    lines.add(
        "%d operations checked, %d faults, %d violations"
            .formatted(operations, faults, violations));
    kinds.forEach((kind, times) -> lines.add("  %5d x %s".formatted(times, kind)));
    runs.stream().flatMap(run -> run.skipped().stream()).distinct().forEach(lines::add);
    unfinished.forEach(cell -> lines.add(cell + " lacks operations or faults: run it again"));
    for (CellReport run : runs) {
      if (!run.isClean()) {
        lines.add("%s, seed %d: see %s".formatted(run.cell(), run.seed(), run.evidence()));
        lines.addAll(run.violations());
      }
    }
    return lines;
  }

  private static String row(CellReport run) {
    return ROW.formatted(
        run.cell(),
        run.outcomes().checked(),
        run.rate(),
        run.faultCount(),
        run.outcomes().failed(),
        run.violations().size(),
        run.undecided().size(),
        run.outcomes().longestGapMillis(),
        run.seconds());
  }

  static List<String> lines(CellReport run) {
    List<String> lines = new ArrayList<>(List.of(row(run)));
    lines.add("  faults " + run.faults() + ", refused " + run.refused());
    run.skipped().forEach(each -> lines.add("  " + each));
    lines.add("  outcomes " + run.outcomes());
    lines.addAll(run.violations());
    run.undecided().forEach(each -> lines.add("  undecided: " + each));
    return lines;
  }

  /**
   * Whether all cells were judged and no run found anything wrong; one that was repeated and came
   * out right hides none.
   */
  public boolean isClean() {
    return unfinished.isEmpty() && runs.stream().allMatch(CellReport::isClean);
  }
}
