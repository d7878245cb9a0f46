package io.deli.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TormentorTest {
  private final AtomicInteger tries = new AtomicInteger();

  private final Fault other = Fault.of("other", random -> {});

  private Fault refused(int times) {
    return Fault.of(
        "refused",
        random -> {
          if (tries.incrementAndGet() <= times) {
            throw new IOException("not now");
          }
        });
  }

  private Tormentor tormentor(Fault fault) {
    return new Tormentor(List.of(fault, other), new Random(1), new Outages());
  }

  private static List<Optional<String>> untilThrough(Tormentor tormentor)
      throws InterruptedException {
    List<Optional<String>> outcomes = new ArrayList<>();
    while (!tormentor.isThrough()) {
      outcomes.add(tormentor.next());
    }
    return outcomes;
  }

  @Test
  void aRefusedFault_isTriedAgain_untilItBefalls() throws InterruptedException {
    Tormentor tormentor = tormentor(refused(2));
    assertThat(untilThrough(tormentor)).last().isEqualTo(Optional.of("refused"));
    assertThat(tormentor.befallen()).isEqualTo(Map.of("refused", 1, "other", 1));
    assertThat(tormentor.refused()).isEqualTo(Map.of("refused", 2));
  }

  @Test
  void aFaultThatIsAlwaysRefused_waitsForTheNextDeck() throws InterruptedException {
    Tormentor tormentor = tormentor(refused(Integer.MAX_VALUE));
    assertThat(untilThrough(tormentor)).last().isEqualTo(Optional.of("refused, refused"));
    assertThat(tormentor.befallen()).isEqualTo(Map.of("other", 1));
    assertThat(tormentor.refused()).isEqualTo(Map.of("refused", tries.get()));
  }
}
