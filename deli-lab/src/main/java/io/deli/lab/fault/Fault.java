package io.deli.lab.fault;

import io.deli.lab.judge.Span;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Something that is done to a cluster while clients work.
 *
 * @param endsServers whether region servers, or their logs, may end by it
 */
public record Fault(String name, boolean endsServers, Course course) {
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

  @FunctionalInterface
  public interface Action {
    void run(Random random) throws Exception;
  }

  /**
   * A server that stood still, may have been given up meanwhile, and went on: until it learns that
   * it was, it answers Gets and scans by what it knew, though others have its regions and took
   * writes. HBase keeps such a server from writing, but not from answering.
   *
   * @param since when it came to a stand; what was acknowledged before, it knows
   * @param from when it went on
   * @param until when it was certain to have learned, and to have ended itself
   */
  public record StaleReadWindow(long since, long from, long until) {
    /** The moments whose state may explain an answer: also earlier ones if it may be of this. */
    public Span explaining(Span read) {
      boolean possible = from <= read.ended() && read.begun() <= until;
      return possible && since < read.begun() ? new Span(since, read.ended()) : read;
    }
  }

  /** Fails unless a fault did what it is to do: one that does nothing proves nothing. */
  static void require(boolean holds, String complaint) {
    if (!holds) {
      throw new IllegalStateException(complaint);
    }
  }

  static <T> T any(List<T> some, Random random) {
    return some.get(random.nextInt(some.size()));
  }

  /** A fault that leaves region servers and their logs alone. */
  public static Fault of(String name, Action action) {
    return of(name, false, action);
  }

  /** A fault after which no server can have stale reads. */
  static Fault of(String name, boolean endsServers, Action action) {
    return new Fault(
        name,
        endsServers,
        random -> {
          action.run(random);
          return Optional.empty();
        });
  }
}
