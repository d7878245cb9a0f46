package io.deli.lab.experiment;

import java.io.IOException;
import java.util.List;

/**
 * One step of a trial, or of what prepares it: something to do, and what of it is recorded.
 *
 * @param only the arms that do it; all if empty
 * @param except arms that do not
 * @param x under which circumstances
 */
record TrialStep(
    Action action, List<String> only, List<String> except, String x, List<Recording> recordings) {

  /** Something to do with the table of an arm. */
  @FunctionalInterface
  interface Action {
    Outcome run(Trial trial) throws IOException;
  }

  static List<TrialStep> list(SpecNode node, String key) {
    return node.nodes(key).stream().map(TrialStep::of).toList();
  }

  private static TrialStep of(SpecNode node) {
    TrialStep step =
        new TrialStep(
            Actions.of(node),
            node.texts("only"),
            node.texts("except"),
            node.text("x", ""),
            Recording.of(node));
    node.end();
    return step;
  }

  boolean concerns(String arm) {
    return (only.isEmpty() || only.contains(arm)) && !except.contains(arm);
  }
}
