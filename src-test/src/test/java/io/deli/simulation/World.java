package io.deli.simulation;

import io.deli.coprocessor.internal.servermaintained.WriteAges;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Supplier;

/**
 * Virtual time, and what happens next in it. One thread runs everything; the same {@link Chance}
 * leads to the same course of events.
 */
class World {
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;
  private static final long NANOS = 1_000_000;

  static final WriteAges ANY_AGE = WriteAges.of(Long.MAX_VALUE, Long.MAX_VALUE);

  private final Chance chance;
  private final boolean traced;
  private final Optional<Defect> planted;
  private final PriorityQueue<Event> messages = new PriorityQueue<>();

  /** Apart, for there are hundreds of them when there are a few messages. */
  private final PriorityQueue<Event> timers = new PriorityQueue<>();

  private final List<String> trace = new ArrayList<>();
  private long nanos;
  private long sequence;

  /** A process: a client or a server. */
  static final class Node {
    private final String name;
    private int life;
    private long pausedUntil;
    private long pausedNanos;
    private long pauseAtAnswer;
    private long skewMillis;

    Node(String name, long skewMillis) {
      this.name = name;
      this.skewMillis = skewMillis;
    }

    /** Ends it; nothing happens in it any more, until others begin something anew. */
    void crash() {
      life++;
    }

    /** How often it has ended. */
    int life() {
      return life;
    }

    void pause(long from, long nanos) {
      pausedUntil = Math.max(pausedUntil, from + nanos);
      pausedNanos += nanos;
    }

    /** Has it stand still when next it is answered, before it takes note of that. */
    void pauseAtAnswer(long nanos) {
      pauseAtAnswer = nanos;
    }

    /** For how long it has stood still. */
    long pausedNanos() {
      return pausedNanos;
    }

    /** Sets its clock. */
    void skew(long millis) {
      skewMillis = millis;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  record Event(long nanos, long sequence, Node process, int life, Runnable what)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return nanos == other.nanos
          ? Long.compare(sequence, other.sequence)
          : Long.compare(nanos, other.nanos);
    }
  }

  World(Chance chance, Optional<Defect> planted, boolean traced) {
    this.chance = chance;
    this.planted = planted;
    this.traced = traced;
  }

  boolean has(Defect defect) {
    return planted.isPresent() && planted.get() == defect;
  }

  /**
   * By which regions refuse late writes: none where something is planted, for that hides what
   * clients are to see to themselves.
   */
  WriteAges admissionAges() {
    return planted.isEmpty()
        ? WriteAges.of(Deployment.GRACE_MILLIS, Deployment.MARGIN_MILLIS)
        : ANY_AGE;
  }

  Chance chance() {
    return chance;
  }

  long nanos() {
    return nanos;
  }

  /** The clock of a process. */
  long millis(Node process) {
    return EPOCH_MILLIS + process.skewMillis + nanos / NANOS;
  }

  /** The same for what asks for more than milliseconds. */
  InstantSource clock(Node process) {
    return new InstantSource() {
      @Override
      public Instant instant() {
        return Instant.ofEpochMilli(millis());
      }

      @Override
      public long millis() {
        return World.this.millis(process);
      }
    };
  }

  /** A number for what only needs one that is its own. */
  long unique() {
    return chance.below(Long.MAX_VALUE);
  }

  /** Has a message come to a process after a time, unless that has ended by then. */
  void after(long micros, Node process, Runnable what) {
    messages.add(event(micros, process, process.life, what));
  }

  /** Has an answer come to one life of a process. */
  void answer(long micros, Node process, int life, Runnable what) {
    messages.add(
        event(
            micros,
            process,
            life,
            () -> {
              if (process.pauseAtAnswer == 0) {
                what.run();
                return;
              }
              process.pause(nanos, process.pauseAtAnswer);
              process.pauseAtAnswer = 0;
              happens(event(0, process, life, what));
            }));
  }

  /** Has a timer go off in a process. */
  void afterMillis(long millis, Node process, Runnable what) {
    timers.add(event(millis * 1_000, process, process.life, what));
  }

  final Event event(long micros, Node process, int life, Runnable what) {
    return new Event(nanos + micros * 1_000, sequence++, process, life, what);
  }

  /** Lets the next thing happen; returns whether there was one. */
  boolean step() {
    Event next = earliest().poll();
    if (next == null) {
      return false;
    }
    happens(next);
    return true;
  }

  final void happens(Event next) {
    nanos = Math.max(nanos, next.nanos);
    if (next.process.life == next.life) {
      if (next.process.pausedUntil > nanos) {
        timers.add(
            new Event(next.process.pausedUntil, sequence++, next.process, next.life, next.what));
      } else {
        next.what.run();
      }
    }
  }

  /** Lets happen what does so within a time. */
  void run(long millis) {
    long end = nanos + millis * NANOS;
    for (Event next = earliest().peek();
        next != null && next.nanos <= end;
        next = earliest().peek()) {
      step();
    }
    nanos = Math.max(nanos, end);
  }

  /** Returns the queue with the next event, if there is one. */
  private PriorityQueue<Event> earliest() {
    Event message = messages.peek();
    Event timer = timers.peek();
    return message == null || (timer != null && timer.compareTo(message) < 0) ? timers : messages;
  }

  /** Has time go by in which nothing happens. */
  void pass(long millis) {
    nanos += millis * NANOS;
  }

  /** Notes what happened, if anybody will read it. */
  void tell(Object who, Supplier<String> what) {
    if (traced) {
      trace.add("%10.3f ms  %-9s %s".formatted(nanos / 1e6, who, what.get()));
    }
  }

  List<String> trace() {
    return List.copyOf(trace);
  }
}
