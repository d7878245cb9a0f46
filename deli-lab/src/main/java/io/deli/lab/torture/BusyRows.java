package io.deli.lab.torture;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The rows that threads of one client are writing. Thread-safe. */
final class BusyRows {
  private final List<String> rows;
  private final Set<String> taken = new HashSet<>();

  /** More rows than all threads take at a time, so that each finds some. */
  BusyRows(List<String> rows) {
    this.rows = List.copyOf(rows);
  }

  /** Takes some rows that are free. */
  synchronized List<String> take(int count, Random random) throws InterruptedException {
    while (rows.size() - taken.size() < count) {
      wait();
    }
    List<String> free = new ArrayList<>(rows);
    free.removeAll(taken);
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(free.remove(random.nextInt(free.size())));
    }
    taken.addAll(chosen);
    return chosen;
  }

  synchronized void release(List<String> chosen) {
    taken.removeAll(chosen);
    notifyAll();
  }
}
