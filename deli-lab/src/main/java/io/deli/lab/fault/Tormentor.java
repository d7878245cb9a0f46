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
 * Draws faults from a deck, each before one befalls again, and counts them. One thread at a time
 * has a fault happen; the counts may be read by others.
 */
public final class Tormentor {
  private final List<Fault> faults;
  private final Random random;
  private final Outages outages;
  private final Deque<Fault> deck = new ArrayDeque<>();
  private final Map<String, Integer> befallen = new ConcurrentSkipListMap<>();
  private final Map<String, Integer> refused = new ConcurrentSkipListMap<>();
  private boolean through;

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
      deck.addAll(shuffled);
    }
    Optional<String> outcome = Optional.of(befall(deck.pop()));
    through |= deck.isEmpty();
    return outcome;
  }

  /** Whether each has befallen, or was refused. */
  public synchronized boolean isThrough() {
    return through;
  }

  private String befall(Fault fault) throws InterruptedException {
    long begun = outages.begin();
    Optional<StaleReadWindow> window = Optional.empty();
    try {
      window = fault.course().run(random);
      befallen.merge(fault.name(), 1, Integer::sum);
      return fault.name();
    } catch (InterruptedException e) {
      throw e;
    } catch (IOException e) {
      // Such as a split of a region that is being moved.
      refused.merge(fault.name(), 1, Integer::sum);
      return fault.name() + ", refused";
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
