package io.deli.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * All ways to decide, one after the other: a depth-first search that begins each course anew and
 * repeats its decisions up to the last that can be made differently.
 */
final class Choices implements Chance {
  private final List<Integer> taken = new ArrayList<>();
  private final List<Integer> widths = new ArrayList<>();
  private int place;
  private boolean decided;

  @Override
  public long below(long bound) {
    if (decided || bound == 1) {
      return 0;
    }
    if (place == taken.size()) {
      taken.add(0);
      widths.add((int) bound);
    }
    return taken.get(place++);
  }

  /** Whether things go as they always do, and are no choices. */
  void settle(boolean settled) {
    decided = settled;
  }

  /** Turns to the next course; returns whether there is one. */
  boolean next() {
    for (int last = taken.size() - 1; last >= 0; last--) {
      if (taken.get(last) + 1 < widths.get(last)) {
        taken.set(last, taken.get(last) + 1);
        again();
        return true;
      }
      taken.remove(last);
      widths.remove(last);
    }
    return false;
  }

  /** Goes back to the beginning of this course. */
  void again() {
    place = 0;
  }

  /** The decisions of this course. */
  @Override
  public String toString() {
    return taken.toString();
  }
}
