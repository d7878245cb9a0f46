package io.deli.lab.torture;

import io.deli.lab.judge.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * The states of a row as its writes take effect one by one. The versions that are seen depend on
 * the set of writes alone, not on their order: the newest by timestamp that no delete covers.
 */
final class Timeline {
  /**
   * The sum of some writes.
   *
   * @param deletedTo the greatest timestamp of a delete
   * @param newest the greatest timestamps of Puts, descending, no more than versions are kept
   */
  record State(long deletedTo, List<Long> newest) {
    private static final State EMPTY = new State(Long.MIN_VALUE, List.of());

    private State with(Write write, int versions) {
      if (!write.isPut()) {
        return new State(Math.max(deletedTo, write.timestamp()), newest);
      }
      List<Long> all =
          LongStream.concat(
                  newest.stream().mapToLong(Long::longValue), LongStream.of(write.timestamp()))
              .distinct()
              .boxed()
              .sorted(Comparator.reverseOrder())
              .limit(versions)
              .toList();
      return all.equals(newest) ? this : new State(deletedTo, all);
    }

    /** Whether a version is deleted, or beyond the newest that are kept. */
    boolean hides(long timestamp, int versions) {
      return timestamp <= deletedTo || newer(timestamp) >= versions;
    }

    private long newer(long timestamp) {
      return newest.stream().filter(other -> other > timestamp).count();
    }
  }

  private final long[] instants;
  private final State[] states;

  private Timeline(long[] instants, State[] states) {
    this.instants = instants;
    this.states = states;
  }

  /**
   * @param instant when a write takes effect; {@link Span#NEVER} for never
   * @param versions kept of a row
   */
  static Timeline of(Collection<Write> writes, ToLongFunction<Write> instant, int versions) {
    List<Write> inOrder = new ArrayList<>(writes);
    inOrder.removeIf(write -> instant.applyAsLong(write) == Span.NEVER);
    inOrder.sort(Comparator.comparingLong(instant));
    long[] instants = inOrder.stream().mapToLong(instant).toArray();
    State[] states = new State[inOrder.size() + 1];
    states[0] = State.EMPTY;
    for (int i = 0; i < inOrder.size(); i++) {
      states[i + 1] = states[i].with(inOrder.get(i), versions);
    }
    return new Timeline(instants, states);
  }

  /** The state before an instant. */
  State before(long instant) {
    int found = Arrays.binarySearch(instants, instant);
    int count = found < 0 ? -found - 1 : found;
    while (count > 0 && instants[count - 1] == instant) {
      count--;
    }
    return states[count];
  }
}
