package io.deli.lab.torture;

import io.deli.lab.judge.Ruling;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * The operations of a torture and their results.
 *
 * @param violations answers that no order of the writes explains; none if all is well
 * @param ruling on the rows that clients contended for
 * @param audit base and indexes in the end
 */
public record TortureReport(
    long seed,
    long writes,
    long failedWrites,
    long reads,
    long failedReads,
    SortedMap<String, Integer> faults,
    List<String> violations,
    Ruling ruling,
    Audit audit) {
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("seed " + seed);
    lines.add("writes " + writes + ", failed " + failedWrites);
    lines.add("reads " + reads + ", failed " + failedReads);
    faults.forEach((name, times) -> lines.add(name + ": " + times));
    lines.add(audit.line());
    lines.addAll(audit.findings());
    lines.add("answers that nothing explains: " + violations.size());
    lines.addAll(violations);
    lines.add("rows and queries that no order explains: " + ruling.violations().size());
    lines.addAll(ruling.violations());
    lines.add("rows undecided: " + ruling.undecided().size());
    lines.addAll(ruling.undecided());
    return lines;
  }

  public boolean isClean() {
    return violations.isEmpty() && ruling.violations().isEmpty() && audit.isExact();
  }
}
