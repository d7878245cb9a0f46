package io.deli.lab.campaign;

import io.deli.lab.fault.Fault;
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
import java.util.TreeMap;

/**
 * Draws faults from a deck, each before one befalls again, and counts them. One thread at a time
 * has a fault happen; the counts may be read by others.
 */
final class Tormentor {
  private final List<Fault> faults;
  private final Random random;
  private final Optional<Standstills> standstills;
  private final Deque<Fault> deck = new ArrayDeque<>();
  private final Map<String, Integer> befallen = new TreeMap<>();
  private final Map<String, Integer> refused = new TreeMap<>();

  /**
   * @param standstills that hears of them, if they may bring servers to a stand
   */
  Tormentor(List<Fault> faults, Random random, Optional<Standstills> standstills) {
    this.faults = List.copyOf(faults);
    this.random = random;
    this.standstills = standstills;
  }

  /** Has the next one happen; returns whether there are any. */
  synchronized boolean next() throws InterruptedException {
    if (faults.isEmpty()) {
      return false;
    }
    if (deck.isEmpty()) {
      List<Fault> shuffled = new ArrayList<>(faults);
      Collections.shuffle(shuffled, random);
      deck.addAll(shuffled);
    }
    befall(deck.pop());
    return true;
  }

  private void befall(Fault fault) throws InterruptedException {
    Optional<Long> begun = standstills.map(Standstills::begin);
    Optional<StaleReadWindow> window = Optional.empty();
    try {
      window = fault.course().run(random);
      count(befallen, fault);
    } catch (InterruptedException e) {
      throw e;
    } catch (IOException e) {
      // Such as a split of a region that is being moved.
      count(refused, fault);
    } catch (Exception e) {
      throw new IllegalStateException(fault.name() + ": " + e.getMessage(), e);
    } finally {
      if (begun.isPresent()) {
        standstills.get().end(begun.get(), window);
      }
    }
  }

  private static void count(Map<String, Integer> counts, Fault fault) {
    synchronized (counts) {
      counts.merge(fault.name(), 1, Integer::sum);
    }
  }

  private static Map<String, Integer> copy(Map<String, Integer> counts) {
    synchronized (counts) {
      return new TreeMap<>(counts);
    }
  }

  int count() {
    return befallen().values().stream().mapToInt(Integer::intValue).sum();
  }

  Map<String, Integer> befallen() {
    return copy(befallen);
  }

  Map<String, Integer> refused() {
    return copy(refused);
  }
}
