package io.deli.lab.fault;

import java.util.Optional;
import java.util.Random;

/**
 * Something that is done to a cluster while clients work.
 *
 * @param name for the report
 */
public record Fault(String name, Course course) {
  /** The action of the fault. */
  @FunctionalInterface
  public interface Course {
    /**
     * Makes it happen, and puts right what does not mend by itself.
     *
     * @return the server that it stopped for a while, if that may have been given up meanwhile
     * @throws Exception if it could not happen now, which is no failure of anything
     */
    Optional<StaleReadWindow> run(Random random) throws Exception;
  }

  /** An action that stops no server. */
  @FunctionalInterface
  public interface Action {
    void run(Random random) throws Exception;
  }

  /** A fault after which no server can have stale reads. */
  public static Fault of(String name, Action action) {
    return new Fault(
        name,
        random -> {
          action.run(random);
          return Optional.empty();
        });
  }
}
