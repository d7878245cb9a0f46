package io.deli.lab.judge;

import static io.deli.lab.judge.LinearizabilityCheckerTest.ruling;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What a row that is atomic tells its clients is accepted; with one answer changed, it is not. */
class LinearizabilityProperties {
  private static List<RowOperation> history(long seed, int clients, boolean failures) {
    return new SimulatedRow(new Random(seed), clients, failures).run(120);
  }

  @Property(tries = 200)
  void anAtomicRowIsAccepted(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int clients) {
    assertThat(ruling(history(seed, clients, false))).isEqualTo(Ruling.CLEAN);
  }

  @Property(tries = 200)
  void anAtomicRowIsAcceptedThoughCallsFail(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int clients) {
    assertThat(ruling(history(seed, clients, true))).isEqualTo(Ruling.CLEAN);
  }

  /** Two Gets that saw different values, of which no write is known that would bring one back. */
  @Property(tries = 200)
  void aGetThatSeesWhatWasOverwrittenBeforeIsRejected(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int clients) {
    List<RowOperation> history = new ArrayList<>(history(seed, clients, false));
    Map<String, Long> written = new HashMap<>();
    for (RowOperation each : history) {
      valueOfA(each).ifPresent(value -> written.put(value, each.span().ended()));
    }
    for (RowOperation later : history) {
      Optional<String> newer = seenOfA(later);
      for (RowOperation earlier : history) {
        Optional<String> older = seenOfA(earlier);
        if (newer.isPresent()
            && older.isPresent()
            && written.get(older.get()) < begunWriting(history, newer.get())
            && written.get(newer.get()) < later.span().begun()) {
          Map<String, Optional<String>> seen = new HashMap<>(later.seen());
          seen.put("a", older);
          history.set(history.indexOf(later), later.telling(seen));
          assertThat(ruling(history).violations()).hasSize(1);
          return;
        }
      }
    }
  }

  private static Optional<String> valueOfA(RowOperation operation) {
    return operation.isRead()
        ? Optional.empty()
        : operation.steps().stream()
            .filter(Step.Write.class::isInstance)
            .map(step -> ((Step.Write) step).values().get("a"))
            .filter(value -> value != null)
            .findFirst();
  }

  private static Optional<String> seenOfA(RowOperation operation) {
    return operation.steps().isEmpty() ? operation.seen().get("a") : Optional.empty();
  }

  private static long begunWriting(List<RowOperation> history, String value) {
    return history.stream()
        .filter(each -> valueOfA(each).equals(Optional.of(value)))
        .findFirst()
        .orElseThrow()
        .span()
        .begun();
  }

  @Property(tries = 200)
  void anIncrementThatCountsTwiceIsRejected(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int clients) {
    List<RowOperation> history = new ArrayList<>(history(seed, clients, false));
    for (int i = 0; i < history.size(); i++) {
      RowOperation each = history.get(i);
      if (each.steps().stream().anyMatch(Step.Addition.class::isInstance)) {
        long told = Long.parseLong(each.seen().get("n").orElseThrow());
        history.set(i, each.telling(Map.of("n", Optional.of(Long.toString(told + 1_000)))));
        assertThat(ruling(history).violations()).hasSize(1);
        return;
      }
    }
  }
}
