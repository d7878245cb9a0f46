package io.deli.lab.torture;

import io.deli.lab.judge.Span;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** The history of all clients' writes and reads of versions. Thread-safe. */
final class History {
  private final Queue<Write> writes = new ConcurrentLinkedQueue<>();
  private final Map<Long, Write> numbered = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Queue<Write> lost = new ConcurrentLinkedQueue<>();
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
  private final Map<Span, String> faults = new ConcurrentHashMap<>();

  /** A version that a read returned. */
  record Sighting(String row, String value, long timestamp) {
    @Override
    public String toString() {
      return "%s = '%s' @%d".formatted(row, value, timestamp);
    }
  }

  /**
   * A write that a client asked for: a Put of one version, or a delete of all versions up to a
   * timestamp.
   *
   * @param value none for a delete
   * @param span without end if the client was told of a failure: then it may take effect at any
   *     time, or never
   */
  record Write(String row, Optional<String> value, long timestamp, Span span) {
    boolean isPut() {
      return value.isPresent();
    }

    /** The version that a Put makes. */
    Sighting version() {
      return new Sighting(row, value.orElseThrow(), timestamp);
    }

    boolean made(Sighting sighting) {
      return isPut() && version().equals(sighting);
    }

    @Override
    public String toString() {
      return "%s@%d [%d, %s]"
          .formatted(
              value.map(v -> "put '" + v + "' ").orElse("delete "),
              timestamp,
              span.begun(),
              span.hasEnd() ? span.ended() : "failed");
    }
  }

  /** A question of a client for the newest versions of some rows, and its answer. */
  record Read(
      String question,
      Predicate<String> rows,
      Predicate<String> values,
      int versions,
      List<Sighting> answer,
      Span span) {
    Read during(Span other) {
      return new Read(question, rows, values, versions, answer, other);
    }
  }

  void add(Write write) {
    writes.add(write);
  }

  /**
   * Adds a write that was given its timestamp on its way, and is known by its number; its own is
   * the one that the client drew first, 0 for none.
   */
  void add(long number, Write write) {
    numbered.put(number, write);
  }

  long number() {
    return numbers.incrementAndGet();
  }

  /**
   * Gives numbered writes the timestamps with which they were applied; others keep their own, and
   * are lost if they were acknowledged.
   */
  void resolve(Map<Long, Set<Long>> timestamps) {
    numbered.forEach(
        (number, write) -> {
          if (write.span().hasEnd() && !timestamps.containsKey(number)) {
            lost.add(write);
          }
          timestamps
              .getOrDefault(number, Set.of(write.timestamp()))
              .forEach(at -> add(new Write(write.row(), write.value(), at, write.span())));
        });
    numbered.clear();
  }

  void add(Read read) {
    reads.add(read);
  }

  List<Write> writes() {
    return List.copyOf(writes);
  }

  /** The writes that were acknowledged and never applied. */
  List<Write> lost() {
    return List.copyOf(lost);
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
