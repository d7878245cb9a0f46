package io.deli.tools.torture;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What all clients did and saw. Thread-safe. */
final class History {
  private final Queue<Write> writes = new ConcurrentLinkedQueue<>();
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
  private final Map<Span, String> troubles = new ConcurrentHashMap<>();
  private final Queue<Zombie> zombies = new ConcurrentLinkedQueue<>();

  void add(Write write) {
    writes.add(write);
  }

  void add(Read read) {
    reads.add(read);
  }

  void add(Zombie zombie) {
    zombies.add(zombie);
  }

  List<Write> writes() {
    return List.copyOf(writes);
  }

  List<Read> reads() {
    return List.copyOf(reads);
  }

  void befell(String trouble, Span span) {
    troubles.put(span, trouble);
  }

  /** The names of the troubles while something went on. */
  List<String> troubles(Span during) {
    return troubles.entrySet().stream()
        .filter(trouble -> !trouble.getKey().isBefore(during) && !during.isBefore(trouble.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  List<Zombie> zombies() {
    return List.copyOf(zombies);
  }
}
