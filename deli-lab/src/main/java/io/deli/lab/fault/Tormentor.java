package io.deli.lab.fault;

import io.deli.lab.fault.Fault.StaleReadWindow;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Draws faults from a deck, each before one befalls again, and counts them. One that is refused
 * goes below the others, for it may befall later. One thread at a time has a fault happen; the
 * counts may be read by others.
 */
public final class Tormentor {
  /** After which a fault waits for the next deck: some are refused whenever they are to happen. */
  private static final int TRIES = 5;

  private final List<Fault> faults;
  private final Random random;
  private final Outages outages;
  private final Deque<Try> deck = new ArrayDeque<>();
  private final Map<String, Integer> befallen = new ConcurrentSkipListMap<>();
  private final Map<String, Integer> refused = new ConcurrentSkipListMap<>();
  private boolean through;

  private record Try(Fault fault, int number) {}

  public Tormentor(List<Fault> faults, Random random, Outages outages) {
    this.faults = List.copyOf(faults);
    this.random = random;
    this.outages = outages;
    this.through = faults.isEmpty();
  }

  /** Has the next one happen; returns what came of it, or nothing if there are none. */
  public synchronized Optional<String> next() throws InterruptedException {
    if (faults.isEmpty()) {
      return Optional.empty();
    }
    if (deck.isEmpty()) {
      List<Fault> shuffled = new ArrayList<>(faults);
      Collections.shuffle(shuffled, random);
      shuffled.forEach(fault -> deck.add(new Try(fault, 1)));
    }
    Try drawn = deck.pop();
    boolean befell = befall(drawn.fault());
    if (!befell && drawn.number() < TRIES) {
      deck.add(new Try(drawn.fault(), drawn.number() + 1));
    }
    through |= deck.isEmpty();
    String name = drawn.fault().name();
    return Optional.of(befell ? name : name + ", refused");
  }

  /** Whether each has befallen, or was refused again and again. */
  public synchronized boolean isThrough() {
    return through;
  }

  private boolean befall(Fault fault) throws InterruptedException {
    long begun = outages.begin();
    Optional<StaleReadWindow> window = Optional.empty();
    try {
      window = fault.course().run(random);
      befallen.merge(fault.name(), 1, Integer::sum);
      return true;
    } catch (InterruptedException e) {
      throw e;
    } catch (IOException e) {
      // Such as a split of a region that is being moved.
      refused.merge(fault.name(), 1, Integer::sum);
      return false;
    } catch (Exception e) {
      throw new IllegalStateException(fault.name() + ": " + e.getMessage(), e);
    } finally {
      outages.end(begun, fault, window);
    }
  }

  public int count() {
    return befallen.values().stream().mapToInt(Integer::intValue).sum();
  }

  public Map<String, Integer> befallen() {
    return befallen;
  }

  /** How often each could not happen when it was to. */
  public Map<String, Integer> refused() {
    return refused;
  }
}
