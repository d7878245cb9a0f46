package io.deli.lab.judge;

import java.util.ArrayList;
import java.util.List;

/** The findings of a checker: what cannot be, and what would take too long to decide. */
public record Ruling(List<String> violations, List<String> undecided) {
  static final Ruling CLEAN = new Ruling(List.of(), List.of());

  public Ruling {
    violations = List.copyOf(violations);
    undecided = List.copyOf(undecided);
  }

  public Ruling and(Ruling other) {
    return new Ruling(joined(violations, other.violations), joined(undecided, other.undecided));
  }

  private static List<String> joined(List<String> some, List<String> others) {
    List<String> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }
}
