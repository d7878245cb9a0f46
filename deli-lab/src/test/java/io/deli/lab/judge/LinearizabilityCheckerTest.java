package io.deli.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.judge.RowOperation.Test;
import io.deli.lab.judge.Step.Addition;
import io.deli.lab.judge.Step.Extension;
import io.deli.lab.judge.Step.Removal;
import io.deli.lab.judge.Step.Scope;
import io.deli.lab.judge.Step.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;

/** Histories of one row, small enough to be judged by hand. Instants are made up. */
class LinearizabilityCheckerTest {
  private static final String ROW = "row";
  private final List<RowOperation> history = new ArrayList<>();

  private static Span at(long begun, long ended) {
    return new Span(begun, ended);
  }

  private RowOperation add(RowOperation operation) {
    history.add(operation);
    return operation;
  }

  private void put(String value, long begun, long ended) {
    add(put("a", value, begun, ended));
  }

  private static RowOperation put(String column, String value, long begun, long ended) {
    return RowOperation.write(ROW, at(begun, ended), new Write(Map.of(column, value)));
  }

  private void delete(long begun, long ended) {
    add(RowOperation.write(ROW, at(begun, ended), new Removal(Scope.ALL, Set.of(), "")));
  }

  private void deleteLatest(long begun, long ended) {
    add(RowOperation.write(ROW, at(begun, ended), new Removal(Scope.LATEST, Set.of("a"), "")));
  }

  private void deleteMarked(String mark, long begun, long ended) {
    add(RowOperation.write(ROW, at(begun, ended), new Removal(Scope.MARKED, Set.of(), mark)));
  }

  private void conditional(String test, String value, boolean held, long begun, long ended) {
    add(put("a", value, begun, ended).provided(new Test("a", Optional.ofNullable(test)), held));
  }

  private void increment(long told, long begun, long ended) {
    add(
        RowOperation.write(ROW, at(begun, ended), new Addition("n", 1))
            .telling(Map.of("n", Optional.of(Long.toString(told)))));
  }

  private void get(String value, long begun, long ended) {
    get("a", value, begun, ended);
  }

  private void get(String column, String value, long begun, long ended) {
    add(RowOperation.get(ROW, at(begun, ended), Map.of(column, Optional.ofNullable(value))));
  }

  static Ruling ruling(List<RowOperation> history) {
    return HistoryJudge.judge(
        history,
        List.of(),
        new LinearizabilityChecker(3, LinearizabilityChecker.uncovering(history)));
  }

  private void assertExplained() {
    assertThat(ruling(history)).isEqualTo(Ruling.CLEAN);
  }

  private void assertCaught(String stuck) {
    assertThat(ruling(history).violations()).singleElement().asString().contains(stuck);
  }

  @Nested
  class OfPutsAndGets {
    @org.junit.jupiter.api.Test
    void aGetSeesTheLastPut() {
      put("1", 1, 2);
      put("2", 3, 4);
      get("2", 5, 6);
      assertExplained();
    }

    @org.junit.jupiter.api.Test
    void aStaleGetIsCaught() {
      put("1", 1, 2);
      put("2", 3, 4);
      get("1", 5, 6);
      assertCaught("[5, 6] get -> a='1'");
    }

    @org.junit.jupiter.api.Test
    void overlappingPutsMayTakeEffectInEitherOrder() {
      put("1", 1, 4);
      put("2", 2, 3);
      get("1", 5, 6);
      assertExplained();
    }

    @org.junit.jupiter.api.Test
    void twoGetsAgreeOnTheOrder() {
      put("1", 1, 4);
      put("2", 1, 4);
      get("1", 5, 6);
      get("2", 7, 8);
      assertCaught("[7, 8]");
    }

    @org.junit.jupiter.api.Test
    void aGetAmidAPutMaySeeItOrNotButNotGoBack() {
      put("1", 1, 2);
      put("2", 3, 9);
      get("2", 4, 5);
      get("1", 6, 7);
      assertCaught("[6, 7]");
    }

    @org.junit.jupiter.api.Test
    void whatNobodyWroteIsCaught() {
      put("1", 1, 2);
      get("3", 3, 4);
      assertCaught("[3, 4]");
    }

    @org.junit.jupiter.api.Test
    void aDeleteLeavesNothing() {
      put("1", 1, 2);
      delete(3, 4);
      get(null, 5, 6);
      assertExplained();
    }

    @org.junit.jupiter.api.Test
    void aPutThatADeleteOfTheFutureHidesIsCaught() {
      delete(1, 2);
      put("1", 3, 4);
      get(null, 5, 6);
      assertCaught("[5, 6]");
    }

    @org.junit.jupiter.api.Test
    void aMutateRowTakesEffectAtOnce() {
      add(
          RowOperation.write(
              ROW, at(1, 8), new Write(Map.of("a", "1")), new Removal(Scope.ALL, Set.of("b"), "")));
      put("b", "0", 0, 0);
      history.add(put("b", "0", 0, 0));
      add(RowOperation.get(ROW, at(2, 3), Map.of("a", Optional.of("1"), "b", Optional.of("0"))));
      assertCaught("[2, 3]");
    }

    @org.junit.jupiter.api.Test
    void rowsAreJudgedByThemselves() {
      put("1", 1, 2);
      add(RowOperation.get("other", at(3, 4), Map.of("a", Optional.empty())));
      assertExplained();
    }
  }

  @Nested
  class OfFailedWrites {
    @org.junit.jupiter.api.Test
    void mayTakeEffectMuchLaterOrNever() {
      add(put("a", "1", 1, 2).failed());
      put("2", 3, 4);
      get("2", 5, 6);
      get("1", 7, 8);
      get("1", 9, 10);
      assertExplained();
    }

    @org.junit.jupiter.api.Test
    void butOnce() {
      add(put("a", "1", 1, 2).failed());
      get("1", 3, 4);
      put("2", 5, 6);
      get("1", 7, 8);
      assertCaught("[7, 8]");
    }

    @org.junit.jupiter.api.Test
    void butNotBeforeTheyBegin() {
      get("1", 1, 2);
      add(put("a", "1", 3, 4).failed());
      assertCaught("[1, 2]");
    }

    @org.junit.jupiter.api.Test
    void manyOfThemDoNotMatter() {
      for (int i = 0; i < 40; i++) {
        add(put("a", "f" + i, i, i).failed());
        add(RowOperation.write(ROW, at(i, i), new Addition("n", 1)).failed());
      }
      for (int i = 50; i < 500; i += 5) {
        put(Integer.toString(i), i, i + 1);
        get(Integer.toString(i), i + 2, i + 3);
      }
      get("f7", 600, 601);
      assertExplained();
      get("499", 602, 603);
      assertCaught("[602, 603]");
    }

    @org.junit.jupiter.api.Test
    void aRequestSentTwiceMayTakeEffectTwiceUntilItIsAnswered() {
      history.addAll(put("a", "1", 1, 6).sentTwice());
      put("2", 2, 3);
      get("1", 1, 1);
      get("2", 4, 4);
      get("1", 5, 5);
      get("1", 7, 8);
      assertExplained();
      put("3", 9, 10);
      get("1", 11, 12);
      assertCaught("[11, 12]");
    }
  }

  @Nested
  class OfConditions {
    @org.junit.jupiter.api.Test
    void areDecidedByTheNewestValue() {
      put("free", 1, 2);
      conditional("free", "B", true, 3, 4);
      conditional("free", "C", false, 5, 6);
      get("B", 7, 8);
      assertExplained();
    }

    @org.junit.jupiter.api.Test
    void twoThatWonTheSameAreCaught() {
      put("free", 1, 2);
      conditional("free", "B", true, 3, 6);
      conditional("free", "C", true, 4, 5);
      assertCaught("-> HELD");
    }

    @org.junit.jupiter.api.Test
    void oneThatWonAndIsNotSeenIsCaught() {
      put("free", 1, 2);
      conditional("free", "B", true, 3, 4);
      get("free", 5, 6);
      assertCaught("[5, 6]");
    }

    @org.junit.jupiter.api.Test
    void mayAskForAnAbsentColumn() {
      conditional(null, "A", true, 1, 2);
      conditional(null, "B", false, 3, 4);
      get("A", 5, 6);
      assertExplained();
      conditional(null, "C", true, 7, 8);
      assertCaught("[7, 8]");
    }
  }

  @Nested
  class OfComputedValues {
    @org.junit.jupiter.api.Test
    void incrementsCountOnTheLast() {
      increment(1, 1, 4);
      increment(2, 1, 4);
      delete(5, 6);
      increment(1, 7, 8);
      get("n", "1", 9, 10);
      assertExplained();
    }

    @org.junit.jupiter.api.Test
    void oneThatIsLostIsCaught() {
      delete(1, 2);
      increment(1, 3, 4);
      get("n", null, 5, 6);
      assertCaught("[5, 6]");
    }

    @org.junit.jupiter.api.Test
    void oneThatIsCountedTwiceIsCaught() {
      increment(1, 1, 4);
      increment(1, 2, 3);
      assertCaught("increment n by 1 -> n='1'");
    }

    @org.junit.jupiter.api.Test
    void appendsFollowEachOther() {
      add(
          RowOperation.write(ROW, at(1, 9), new Extension("s", "x"))
              .telling(Map.of("s", Optional.of("yx"))));
      add(
          RowOperation.write(ROW, at(2, 3), new Extension("s", "y"))
              .telling(Map.of("s", Optional.of("y"))));
      get("s", "yx", 10, 11);
      assertExplained();
    }
  }

  @Nested
  class OfDeletesOfSingleVersions {
    @org.junit.jupiter.api.Test
    void theOneBeforeComesBack() {
      put("1", 1, 2);
      put("2", 3, 4);
      deleteLatest(5, 6);
      get("1", 7, 8);
      deleteLatest(9, 10);
      get(null, 11, 12);
      assertExplained();
    }

    @org.junit.jupiter.api.Test
    void twoSideBySideMayTakeOneVersion() {
      put("1", 1, 2);
      put("2", 3, 4);
      put("3", 5, 6);
      deleteLatest(7, 9);
      deleteLatest(8, 10);
      get("2", 11, 12);
      assertExplained();
      deleteLatest(13, 14);
      get("2", 15, 16);
      assertCaught("[15, 16]");
    }

    @org.junit.jupiter.api.Test
    void twoSideBySideMayTakeTwoVersions() {
      put("1", 1, 2);
      put("2", 3, 4);
      put("3", 5, 6);
      deleteLatest(7, 9);
      deleteLatest(8, 10);
      get("1", 11, 12);
      assertExplained();
    }

    @org.junit.jupiter.api.Test
    void oneThatDoesNotComeBackIsCaught() {
      put("1", 1, 2);
      put("2", 3, 4);
      deleteLatest(5, 6);
      get(null, 7, 8);
      assertCaught("[7, 8]");
    }

    @org.junit.jupiter.api.Test
    void versionsBeyondThoseKeptMayComeBackOrNot() {
      for (int i = 1; i < 10; i++) {
        put(Integer.toString(i), i, i);
      }
      deleteLatest(11, 12);
      deleteLatest(13, 14);
      get("7", 15, 16);
      deleteLatest(17, 18);
      get("3", 19, 20);
      get("3", 21, 22);
      deleteLatest(23, 24);
      get(null, 25, 26);
      assertExplained();
      get("2", 27, 28);
      assertCaught("[27, 28]");
    }

    @org.junit.jupiter.api.Test
    void ofAnOlderVersionChangeNothingYet() {
      add(RowOperation.write(ROW, at(1, 2), new Write(Map.of("a", "x#1", "b", "y#1"))));
      put("z#2", 3, 4);
      deleteMarked("1", 5, 6);
      get("z#2", 7, 8);
      get("b", null, 7, 8);
      deleteLatest(9, 10);
      get(null, 11, 12);
      assertExplained();
      get("x#1", 13, 14);
      assertCaught("[13, 14]");
    }
  }

  /** As on a contended row: five clients, each call overlapping with four others. */
  @org.junit.jupiter.api.Test
  void tenThousandOperationsAreJudgedInSeconds() {
    Random random = new Random(1);
    SimulatedRow row = new SimulatedRow(random, 5, false);
    history.addAll(row.run(10_000));
    long begun = System.nanoTime();
    assertExplained();
    assertThat(System.nanoTime() - begun).isLessThan(20_000_000_000L);
  }
}
