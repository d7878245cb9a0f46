package io.deli.test.cluster;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Says aloud that a test is skipped: nobody reads reports of that. */
public final class Skipping {
  private Skipping() {}

  /** Skips the test, for a reason that is printed. */
  public static ConditionEvaluationResult because(String reason, ExtensionContext context) {
    System.err.printf("%n*** SKIPPED %s: %s%n%n", context.getDisplayName(), reason);
    return ConditionEvaluationResult.disabled(reason);
  }
}
