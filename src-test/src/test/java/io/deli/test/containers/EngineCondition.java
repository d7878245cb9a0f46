package io.deli.test.containers;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Tests run where a container engine answers; where none does, they are skipped, and say so. */
public final class EngineCondition implements ExecutionCondition {
  /** Set by {@code docker/with-engine} where there can be no engine: why. */
  private static final String REFUSAL = "DELI_NO_CONTAINERS";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return obstacle()
        .map(reason -> skip(context, reason))
        .orElse(ConditionEvaluationResult.enabled("a container engine answers"));
  }

  private static Optional<String> obstacle() {
    String refusal = System.getenv(REFUSAL);
    if (refusal != null && !refusal.isBlank()) {
      return Optional.of(refusal);
    }
    return DockerClientFactory.instance().isDockerAvailable()
        ? Optional.empty()
        : Optional.of("no Docker engine answers; docker/with-engine may start one");
  }

  private static ConditionEvaluationResult skip(ExtensionContext context, String reason) {
    // Once for the class; nobody reads reports of what was skipped.
    if (context.getTestMethod().isEmpty()) {
      System.err.printf("%n*** SKIPPED %s: %s%n%n", context.getDisplayName(), reason);
    }
    return ConditionEvaluationResult.disabled(reason);
  }
}
