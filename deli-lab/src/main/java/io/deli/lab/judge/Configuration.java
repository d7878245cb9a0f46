package io.deli.lab.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One way in which things may have gone on a row.
 *
 * @param done the operations in flight that have taken effect, by slot
 * @param used how many of each kind of failed operation have
 * @param loose the kind of failed operation that came last, if nothing has shown yet that it took
 *     effect; otherwise {@link #NONE}
 * @param trail the last operations that have, the newest last
 */
record Configuration(RowState state, BitSet done, int[] used, int loose, RowOperation[] trail) {
  static final int NONE = -1;
  private static final int TRAIL = 6;

  /** Before anything has happened. */
  static Configuration of(RowState begin) {
    return new Configuration(begin, new BitSet(), new int[0], NONE, new RowOperation[0]);
  }

  boolean has(int slot) {
    return done.get(slot);
  }

  Configuration with(int slot, RowState after, RowOperation operation) {
    BitSet more = (BitSet) done.clone();
    more.set(slot);
    return new Configuration(after, more, used, NONE, longer(operation));
  }

  Configuration without(int slot) {
    BitSet others = (BitSet) done.clone();
    others.clear(slot);
    return new Configuration(state, others, used, loose, trail);
  }

  int used(int kind) {
    return kind < used.length ? used[kind] : 0;
  }

  /** One more failed operation of a kind has taken effect. */
  Configuration using(int kind, RowState after, RowOperation operation) {
    int[] more = Arrays.copyOf(used, Math.max(used.length, kind + 1));
    more[kind]++;
    return new Configuration(after, done, more, kind, longer(operation));
  }

  /**
   * Some failed operations of each kind have taken effect or never will: the earliest, which may as
   * well be those that have.
   */
  Configuration settled(int[] due) {
    int[] left = used.clone();
    int last = 0;
    for (int kind = 0; kind < left.length; kind++) {
      left[kind] = Math.max(0, left[kind] - due[kind]);
      last = left[kind] > 0 ? kind + 1 : last;
    }
    return new Configuration(state, done, Arrays.copyOf(left, last), NONE, trail);
  }

  private RowOperation[] longer(RowOperation operation) {
    int kept = Math.min(trail.length, TRAIL - 1);
    RowOperation[] longer = Arrays.copyOfRange(trail, trail.length - kept, trail.length + 1);
    longer[kept] = operation;
    return longer;
  }

  private boolean isAtMost(Configuration other) {
    for (int i = 0; i < used.length; i++) {
      if (used[i] > other.used(i)) {
        return false;
      }
    }
    return true;
  }

  private record Place(RowState state, BitSet done, int loose) {}

  /** Configurations without those that used more failed operations than needed. */
  static final class Frontier {
    private final Map<Place, List<Configuration>> all = new HashMap<>();
    private int size;

    boolean add(Configuration added) {
      List<Configuration> there =
          all.computeIfAbsent(
              new Place(added.state(), added.done(), added.loose()), p -> new ArrayList<>(1));
      for (Configuration other : there) {
        if (other.isAtMost(added)) {
          return false;
        }
      }
      size -= there.size();
      there.removeIf(added::isAtMost);
      there.add(added);
      size += there.size();
      return true;
    }

    int size() {
      return size;
    }

    List<Configuration> list() {
      List<Configuration> list = new ArrayList<>(size);
      all.values().forEach(list::addAll);
      return list;
    }
  }
}
