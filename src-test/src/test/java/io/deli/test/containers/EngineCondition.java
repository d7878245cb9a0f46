package io.deli.test.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import io.deli.lab.cluster.Await;
import io.deli.test.cluster.Skipping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/**
 * Tests run where a container engine answers that has the base image or can pull it; where none
 * does, they are skipped, and say why.
 */
public final class EngineCondition implements ExecutionCondition {
  /** Set by {@code docker/with-engine} where there can be no engine: why. */
  private static final String REFUSAL = "DELI_NO_CONTAINERS";

  /**
   * Set by {@code docker/with-engine} where it makes an engine: a file that comes when that is
   * done. Its line is why there is none, or is empty.
   */
  private static final String STATE = "DELI_ENGINE_STATE";

  private static final Duration PREPARATION = Duration.ofMinutes(15);
  private static final Duration PULL = Duration.ofMinutes(5);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return obstacle()
        .map(reason -> skip(context, reason))
        .orElse(
            ConditionEvaluationResult.enabled("a container engine answers, and has a base image"));
  }

  private static Optional<String> obstacle() {
    String refusal = System.getenv(REFUSAL);
    if (refusal != null && !refusal.isBlank()) {
      return Optional.of(refusal);
    }
    String state = System.getenv(STATE);
    if (state != null) {
      String reason = awaited(Path.of(state));
      if (!reason.isBlank()) {
        return Optional.of(reason);
      }
    }
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      return Optional.of("no Docker engine answers; docker/with-engine may start one");
    }
    return missingBase();
  }

  private static String awaited(Path state) {
    if (!Await.until(PREPARATION, () -> Files.exists(state))) {
      return "docker/with-engine has no engine after " + PREPARATION.toMinutes() + " minutes";
    }
    try {
      return Files.readString(state).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<String> missingBase() {
    DockerClient engine = DockerClientFactory.instance().client();
    try {
      DockerImageName base = DockerImageName.parse(ContainerCluster.baseImage());
      try {
        engine.inspectImageCmd(base.asCanonicalNameString()).exec();
        return Optional.empty();
      } catch (NotFoundException absent) {
        return pull(engine, base);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why there is none then either, if so. */
  private static Optional<String> pull(DockerClient engine, DockerImageName base) {
    String reason;
    try {
      if (engine
          .pullImageCmd(base.getUnversionedPart())
          .withTag(base.getVersionPart())
          .start()
          .awaitCompletion(PULL.toSeconds(), TimeUnit.SECONDS)) {
        return Optional.empty();
      }
      reason = "not within " + PULL.toMinutes() + " minutes";
    } catch (DockerClientException | DockerException e) {
      reason = e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reason = "interrupted";
    }
    return Optional.of(
        "the Docker engine has no image %s and cannot pull it (%s); DELI_BASE_IMAGE may name another"
            .formatted(base, reason.strip()));
  }

  private static ConditionEvaluationResult skip(ExtensionContext context, String reason) {
    // Said once for the class.
    return context.getTestMethod().isEmpty()
        ? Skipping.because(reason, context)
        : ConditionEvaluationResult.disabled(reason);
  }
}
