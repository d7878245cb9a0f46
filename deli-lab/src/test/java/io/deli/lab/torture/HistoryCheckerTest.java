package io.deli.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.fault.Fault.StaleReadWindow;
import io.deli.lab.fault.Outages;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.History.Read;
import io.deli.lab.torture.History.Sighting;
import io.deli.lab.torture.History.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Histories small enough to be judged by hand. Instants are made up; timestamps, too. */
class HistoryCheckerTest {
  private static final String ROW = "row";
  private final History history = new History();
  private Outages.State outages = new Outages().now();

  private void put(String value, long timestamp, long begun, long ended) {
    history.add(new Write(ROW, Optional.of(value), timestamp, new Span(begun, ended)));
  }

  private void failedPut(String value, long timestamp, long begun) {
    put(value, timestamp, begun, Span.NEVER);
  }

  private void delete(long timestamp, long begun, long ended) {
    history.add(new Write(ROW, Optional.empty(), timestamp, new Span(begun, ended)));
  }

  private void query(String value, int versions, long begun, long ended, Sighting... answer) {
    history.add(
        new Read(
            "query",
            row -> true,
            value::equals,
            versions,
            List.of(answer),
            new Span(begun, ended)));
  }

  private static Sighting seen(String value, long timestamp) {
    return new Sighting(ROW, value, timestamp);
  }

  private List<String> violations() {
    return new HistoryChecker(history, outages, 3).violations();
  }

  private void assertExplained() {
    assertThat(violations()).isEmpty();
  }

  private void assertCaught(String what) {
    assertThat(violations()).singleElement().asString().contains(what);
  }

  @Test
  void whatWasAcknowledgedIsFound() {
    put("a", 10, 1, 2);
    query("a", 1, 3, 4, seen("a", 10));
    assertExplained();
  }

  @Test
  void aMissedWriteIsCaught() {
    put("a", 10, 1, 2);
    query("a", 1, 3, 4);
    assertCaught("missed");
  }

  @Test
  void aWriteUnderWayMayBeSeenOrNot() {
    put("a", 10, 1, 5);
    query("a", 1, 3, 4);
    query("a", 1, 2, 4, seen("a", 10));
    assertExplained();
  }

  @Test
  void aWriteNotYetBegunIsNotSeen() {
    put("a", 10, 5, 6);
    query("a", 1, 3, 4, seen("a", 10));
    assertCaught("not there");
  }

  @Test
  void whatNobodyWroteIsNotSeen() {
    put("a", 10, 1, 2);
    query("b", 1, 3, 4, seen("b", 10));
    assertCaught("not there");
  }

  @Test
  void anOverwrittenValueIsNotSeen() {
    put("a", 10, 1, 2);
    put("b", 20, 3, 4);
    query("a", 1, 5, 6, seen("a", 10));
    assertCaught("not there");
  }

  @Test
  void anOlderVersionIsSeenIfAskedFor() {
    put("a", 10, 1, 2);
    put("b", 20, 3, 4);
    query("a", 2, 5, 6, seen("a", 10));
    assertExplained();
  }

  @Test
  void aWriteWithAnOlderTimestampIsHiddenAtOnce() {
    put("b", 20, 1, 2);
    put("a", 10, 3, 4);
    query("a", 1, 5, 6);
    query("b", 1, 5, 6, seen("b", 20));
    assertExplained();
  }

  @Test
  void anOverwriteUnderWayExcusesEither() {
    put("a", 10, 1, 2);
    put("b", 20, 3, 9);
    query("a", 1, 4, 5);
    query("a", 1, 4, 5, seen("a", 10));
    assertExplained();
  }

  @Test
  void aFailedWriteMayBeSeenOrNot() {
    put("a", 10, 1, 2);
    failedPut("b", 20, 3);
    query("a", 1, 5, 6, seen("a", 10));
    query("b", 1, 7, 8, seen("b", 20));
    assertExplained();
  }

  @Test
  void aFailedWriteOnceSeenIsSeenFromThenOn() {
    failedPut("b", 20, 3);
    query("b", 1, 5, 6, seen("b", 20));
    query("b", 1, 7, 8);
    assertCaught("missed");
  }

  @Test
  void whatAFailedWriteHidOnceSeenStaysHidden() {
    put("a", 10, 1, 2);
    failedPut("b", 20, 3);
    query("b", 1, 5, 6, seen("b", 20));
    query("a", 1, 7, 8, seen("a", 10));
    assertThat(violations()).hasSize(1);
  }

  @Test
  void whatADeleteCoversIsNotSeen() {
    put("a", 10, 1, 2);
    delete(10, 3, 4);
    query("a", 1, 5, 6, seen("a", 10));
    assertCaught("not there");
  }

  @Test
  void aPutUnderADeleteIsNotSeenEither() {
    delete(15, 1, 2);
    put("a", 10, 3, 4);
    put("b", 20, 3, 4);
    query("a", 3, 5, 6);
    query("b", 3, 5, 6, seen("b", 20));
    assertExplained();
  }

  @Test
  void ofEqualTimestampsTheLaterWriteWins() {
    put("a", 10, 1, 2);
    put("b", 10, 3, 4);
    query("b", 1, 5, 6, seen("b", 10));
    query("a", 1, 5, 6);
    assertExplained();
    query("a", 1, 7, 8, seen("a", 10));
    assertCaught("not there");
  }

  @Test
  void ofEqualTimestampsWrittenTogetherEitherWins() {
    put("a", 10, 1, 4);
    put("b", 10, 2, 3);
    query("b", 1, 5, 6);
    query("a", 1, 5, 6, seen("a", 10));
    assertExplained();
  }

  @Test
  void aHitThatComesTwiceIsCaught() {
    put("a", 10, 1, 2);
    query("a", 1, 3, 4, seen("a", 10), seen("a", 10));
    assertCaught("twice");
  }

  @Test
  void versionsBeyondThoseKeptAreNotSeen() {
    put("a", 10, 1, 2);
    put("b", 20, 3, 4);
    put("b", 30, 5, 6);
    put("b", 40, 7, 8);
    query("a", 3, 9, 10, seen("a", 10));
    assertCaught("not there");
  }

  /** Stood still from 10 to 20, and learned by 30 that others have its regions. */
  private void standStill() {
    outages = new Outages.State(List.of(), List.of(new StaleReadWindow(10, 20, 30)), List.of());
  }

  @Test
  void aZombieMayAnswerByWhatItKnew() {
    put("a", 10, 1, 2);
    put("b", 20, 12, 13);
    standStill();
    query("a", 1, 15, 21, seen("a", 10));
    query("b", 1, 22, 23);
    assertExplained();
  }

  @Test
  void aZombieKnowsWhatWasAcknowledgedBeforeItStoodStill() {
    put("a", 10, 1, 2);
    put("b", 20, 4, 5);
    standStill();
    query("a", 1, 15, 21, seen("a", 10));
    assertCaught("returned, though it was not there");
  }

  @Test
  void noZombieAnswersWhileItStandsStillNorWhenItHasLearned() {
    put("b", 20, 12, 13);
    standStill();
    query("b", 1, 14, 19);
    assertCaught("missed");
    query("b", 1, 31, 32, seen("b", 20));
    assertCaught("missed");
  }

  /** Whatever reads saw: newer versions hide it, and its timestamp is not known. */
  @Test
  void anAcknowledgedWriteThatWasNeverAppliedIsCaught() {
    history.add(1, new Write(ROW, Optional.of("a"), 0, new Span(1, 2)));
    put("b", 10, 3, 4);
    put("c", 20, 3, 4);
    put("d", 30, 3, 4);
    history.resolve(Map.of());
    assertCaught("acknowledged, never applied");
  }

  @Test
  void aFailedWriteNeedNotBeApplied() {
    history.add(1, new Write(ROW, Optional.of("a"), 0, new Span(1, Span.NEVER)));
    history.resolve(Map.of());
    assertExplained();
  }
}
