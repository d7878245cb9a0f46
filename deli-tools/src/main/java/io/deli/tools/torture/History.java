package io.deli.tools.torture;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What all clients did and saw. Thread-safe. */
final class History {
  private final Queue<Write> writes = new ConcurrentLinkedQueue<>();
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();

  void add(Write write) {
    writes.add(write);
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
}
