package io.deli.lab.torture;

import io.deli.lab.judge.Span;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The history of all clients' writes and reads. Thread-safe. */
final class History {
  private final Queue<Write> writes = new ConcurrentLinkedQueue<>();
  private final Map<Long, Write> numbered = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
  private final Map<Span, String> faults = new ConcurrentHashMap<>();

  void add(Write write) {
    writes.add(write);
  }

  /** Adds a write that was given its timestamp on its way; it is known by its number. */
  void add(long number, Write write) {
    numbered.put(number, write);
  }

  /** A number that no other write has. */
  long number() {
    return numbers.incrementAndGet();
  }

  /**
   * Gives numbered writes the timestamps with which they were applied; others keep the one that the
   * client drew first.
   */
  void resolve(Map<Long, Set<Long>> timestamps) {
    numbered.forEach(
        (number, write) ->
            timestamps
                .getOrDefault(number, Set.of(write.timestamp()))
                .forEach(timestamp -> writes.add(write.at(timestamp))));
    numbered.clear();
  }

  void add(Read read) {
    reads.add(read);
  }

  List<Write> writes() {
    return List.copyOf(writes);
  }

  List<Read> reads() {
    return List.copyOf(reads);
  }

  void befell(String fault, Span span) {
    faults.put(span, fault);
  }

  /** The names of the faults while something went on. */
  List<String> faults(Span during) {
    return faults.entrySet().stream()
        .filter(fault -> fault.getKey().overlaps(during))
        .map(Map.Entry::getValue)
        .toList();
  }
}
