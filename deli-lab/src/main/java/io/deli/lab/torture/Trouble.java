package io.deli.lab.torture;

import java.util.Optional;
import java.util.Random;

/**
 * Something that befalls a cluster while clients work.
 *
 * @param name for the report
 */
public record Trouble(String name, Course course) {
  /** What happens. */
  @FunctionalInterface
  public interface Course {
    /**
     * Makes it happen, and puts right what does not mend by itself.
     *
     * @return the server that it stopped for a while, if that may have been given up meanwhile
     * @throws Exception if it could not happen now, which is no failure of anything
     */
    Optional<Zombie> run(Random random) throws Exception;
  }

  /** What happens and stops no server. */
  @FunctionalInterface
  public interface Action {
    void run(Random random) throws Exception;
  }

  static Trouble of(String name, Action action) {
    return new Trouble(
        name,
        random -> {
          action.run(random);
          return Optional.empty();
        });
  }
}
