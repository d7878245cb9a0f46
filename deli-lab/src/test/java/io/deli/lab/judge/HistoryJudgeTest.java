package io.deli.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.judge.RowQuery.Hit;
import io.deli.lab.judge.Step.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A history that is judged while it goes on, and forgotten. Instants are made up. */
class HistoryJudgeTest {
  private static final Set<String> COLUMNS = Set.of("a", "b");

  /** After so long a failed call of {@link SimulatedRow} takes effect no more. */
  private static final long LATEST_EFFECT = 500;

  private HistoryJudge judge = fresh();

  private static HistoryJudge fresh() {
    return new HistoryJudge(3, row -> false, COLUMNS);
  }

  private static RowOperation put(String value, long begun, long ended) {
    return RowOperation.write("r", new Span(begun, ended), new Write(Map.of("a", value)));
  }

  private void get(String value, long begun, long ended) {
    judge.add(RowOperation.get("r", new Span(begun, ended), Map.of("a", Optional.of(value))));
  }

  private void query(String value, long begun, long ended, Hit... hits) {
    QueryCondition condition = QueryCondition.equal("a", value);
    Span span = new Span(begun, ended);
    judge.add(new RowQuery("", condition, List.of(hits), span, Optional.empty()));
  }

  private List<String> violations() {
    judge.advance(Span.NEVER);
    return judge.ruling().violations();
  }

  private void failedPutOf2After1() {
    judge.add(put("1", 0, 5));
    judge.add(put("2", 10, 12).failed());
  }

  @Test
  void aFailedWriteMayTakeEffectUntilItIsSettled() {
    failedPutOf2After1();
    get("1", 50, 60);
    get("2", 70, 80);
    assertThat(violations()).isEmpty();
  }

  @Test
  void aFailedWriteThatTakesEffectAfterACalmIsCaught() {
    failedPutOf2After1();
    judge.settled(new Span(20, 40));
    get("1", 50, 60);
    get("2", 70, 80);
    assertThat(violations()).singleElement().asString().contains("no order");
  }

  @Test
  void aFailedWriteMayHaveTakenEffectBeforeACalm() {
    failedPutOf2After1();
    judge.settled(new Span(20, 40));
    get("2", 50, 60);
    get("2", 70, 80);
    assertThat(violations()).isEmpty();
  }

  @Test
  void aFailedWriteFromWithinTheCalmIsNotSettled() {
    failedPutOf2After1();
    judge.settled(new Span(10, 40));
    get("1", 50, 60);
    get("2", 70, 80);
    assertThat(violations()).isEmpty();
  }

  @Test
  void aRowThatWasOverwrittenAfterTheCalmMustBeFound() {
    failedPutOf2After1();
    judge.settled(new Span(20, 40));
    judge.add(put("3", 50, 60));
    query("3", 70, 80);
    assertThat(violations()).singleElement().asString().contains("missed");
  }

  @Test
  void aRowThatAFailedWriteMayStillChangeNeedNotBeFound() {
    failedPutOf2After1();
    judge.add(put("3", 50, 60));
    query("3", 70, 80);
    assertThat(violations()).isEmpty();
  }

  @Test
  void aHitIsExplainedByWhatWasOverwrittenWhileTheQueryWentOn() {
    judge.add(put("1", 0, 5));
    query("1", 10, 90, new Hit("r", "1", 85));
    for (int i = 0; i < 10; i++) {
      judge.add(put("other" + i, 20 + i, 20 + i));
    }
    assertThat(violations()).isEmpty();
  }

  @Test
  void memoryIsBoundedByWhatIsInFlight() {
    int most = 0;
    for (int i = 0; i < 100_000; i++) {
      judge.add(put("v" + i, 10L * i, 10L * i + 5));
      judge.advance(10L * i);
      most = Math.max(most, judge.held());
    }
    assertThat(most).isLessThan(5);
    assertThat(violations()).isEmpty();
  }

  /** Answers come in the order of their ends; the oldest call in flight holds judgement back. */
  @Property(tries = 30)
  void judgementAmidTheHistoryIsThatOfTheWhole(@ForAll long seed, @ForAll boolean wrong) {
    judge = fresh();
    Random random = new Random(seed);
    List<RowOperation> history = new ArrayList<>(new SimulatedRow(random, 4, true).run(200));
    if (wrong) {
      spoil(history, random);
    }
    Ruling whole =
        HistoryJudge.judge(
            history,
            List.of(),
            new LinearizabilityChecker(3, LinearizabilityChecker.uncovering(history)));
    history.sort(Comparator.comparingLong(HistoryJudgeTest::known));
    for (int i = 0; i < history.size(); i++) {
      long horizon =
          history.subList(i, history.size()).stream()
              .mapToLong(o -> o.span().begun())
              .min()
              .orElse(0);
      judge.advance(horizon);
      judge.add(history.get(i));
    }
    assertThat(violations()).hasSameSizeAs(whole.violations());
  }

  /** When the client is told; of a failure some time after the begin. */
  private static long known(RowOperation operation) {
    Span span = operation.span();
    return span.hasEnd() ? span.ended() : span.begun() + 40;
  }

  private static void spoil(List<RowOperation> history, Random random) {
    int chosen = random.nextInt(history.size());
    RowOperation operation = history.get(chosen);
    if (operation.steps().isEmpty()) {
      history.set(chosen, operation.telling(Map.of("a", Optional.of("v" + random.nextInt(100)))));
    }
  }

  @Property(tries = 60)
  void anAtomicRowIsAcceptedThoughFailedCallsAreSettled(@ForAll long seed) {
    judge = fresh();
    List<RowOperation> history = new SimulatedRow(new Random(seed), 4, true).run(300);
    history.forEach(judge::add);
    for (long calm = 0; calm < 10_000; calm += 200) {
      judge.settled(new Span(calm, calm + LATEST_EFFECT));
    }
    assertThat(violations()).isEmpty();
  }
}
