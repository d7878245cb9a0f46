package io.deli.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.judge.RowQuery.Hit;
import io.deli.lab.judge.RowQuery.Page;
import io.deli.lab.judge.RowQuery.Position;
import io.deli.lab.judge.Step.Removal;
import io.deli.lab.judge.Step.Scope;
import io.deli.lab.judge.Step.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Answers to queries, small enough to be judged by hand. Instants are made up. */
class QueryCheckerTest {
  private static final QueryCondition IS_5 = QueryCondition.equal("a", "5");
  private static final QueryCondition IN_RANGE = new QueryCondition.Between("a", "2", "8");
  private static final QueryCondition EITHER =
      new QueryCondition.Either(QueryCondition.equal("a", "1"), QueryCondition.equal("b", "two"));
  private final List<RowOperation> writes = new ArrayList<>();
  private final List<RowQuery> queries = new ArrayList<>();

  private RowOperation put(Map<String, String> values, long begun, long ended) {
    RowOperation put = RowOperation.write("r", new Span(begun, ended), new Write(values));
    writes.add(put);
    return put;
  }

  private RowOperation put(String value, long begun, long ended) {
    return put(Map.of("a", value), begun, ended);
  }

  private void remove(Scope scope, long begun, long ended) {
    writes.add(RowOperation.write("r", new Span(begun, ended), new Removal(scope, Set.of(), "1")));
  }

  private static Hit hit(String value, long taken) {
    return new Hit("r", value, taken);
  }

  private void query(QueryCondition condition, long begun, long ended, Hit... hits) {
    queries.add(
        new RowQuery("", condition, List.of(hits), new Span(begun, ended), Optional.empty()));
  }

  static Ruling ruling(List<RowOperation> writes, List<RowQuery> queries) {
    return HistoryJudge.judge(writes, queries, new QueryChecker(QueryChecker.columns(queries)));
  }

  private void assertRight() {
    assertThat(ruling(writes, queries)).isEqualTo(Ruling.CLEAN);
  }

  private void assertCaught(String what) {
    assertThat(ruling(writes, queries).violations()).singleElement().asString().contains(what);
  }

  @Test
  void aRowThatSatisfiesItThroughoutIsReturnedOnce() {
    put("5", 1, 2);
    query(IS_5, 3, 9, hit("5", 8));
    assertRight();
    query(IS_5, 13, 19);
    assertCaught("missed row r");
  }

  @Test
  void aRowThatIsReturnedTwiceIsCaught() {
    put("5", 1, 2);
    query(IS_5, 3, 9, hit("5", 7), hit("5", 8));
    assertCaught("returned 2 times");
  }

  @Test
  void aRowThatIsPutAgainWithTheSameValueSatisfiesItThroughout() {
    put("5", 1, 2);
    for (int i = 4; i < 50; i += 2) {
      put("5", i, i + 3);
    }
    query(IS_5, 10, 40);
    assertCaught("missed");
  }

  @Test
  void aRowThatIsBeingWrittenMayBeReturnedOrNot() {
    put("4", 1, 2);
    put("5", 3, 9);
    query(IS_5, 4, 5);
    query(IS_5, 6, 7, hit("5", 7));
    assertRight();
  }

  @Test
  void aRowThatLeavesMeanwhileMayBeReturnedOrNotAndTwice() {
    put("5", 1, 2);
    put("6", 4, 5);
    put("5", 6, 7);
    query(IS_5, 3, 9);
    query(IS_5, 3, 9, hit("5", 8));
    query(IS_5, 3, 9, hit("5", 3), hit("5", 8));
    assertRight();
  }

  @Test
  void aHitThatWasOverwrittenBeforeIsCaught() {
    put("5", 1, 2);
    put("6", 3, 4);
    query(IS_5, 5, 9, hit("5", 8));
    assertCaught("at no moment so");
  }

  @Test
  void aHitThatComesBeforeItsWriteIsCaught() {
    put("5", 7, 8);
    query(IS_5, 3, 9, hit("5", 6));
    assertCaught("at no moment so");
  }

  @Test
  void aHitWithAValueThatTheRowDoesNotHaveIsCaught() {
    put("5", 1, 2);
    query(IN_RANGE, 3, 9, hit("6", 8));
    assertCaught("as '6', at no moment so");
  }

  @Test
  void aHitInARowThatNobodyWroteIsCaught() {
    query(IS_5, 3, 9, new Hit("q", "5", 8));
    assertCaught("which nobody wrote");
  }

  @Test
  void aRowThatMovesWithinTheRangeIsReturnedOnce() {
    put("7", 1, 2);
    put("3", 4, 5);
    put("7", 6, 7);
    query(IN_RANGE, 3, 9, hit("3", 8));
    assertRight();
    query(IN_RANGE, 3, 9, hit("3", 4), hit("7", 8));
    assertCaught("returned 2 times");
  }

  @Test
  void aRowThatMovesWithinTheRangeAndIsMissedIsCaught() {
    put("7", 1, 2);
    put("3", 4, 5);
    query(IN_RANGE, 3, 9);
    assertCaught("missed");
  }

  @Test
  void aRowThatOneHalfHasThroughoutIsReturnedWhateverTheOtherDoes() {
    put(Map.of("a", "0", "b", "two"), 1, 2);
    put("1", 4, 5);
    put("0", 6, 7);
    query(EITHER, 3, 9, hit("0", 9));
    assertRight();
    query(EITHER, 3, 9);
    assertCaught("missed");
  }

  @Test
  void aRowThatChangesSidesAtOnceSatisfiesItThroughout() {
    put(Map.of("a", "1", "b", "three"), 1, 2);
    put(Map.of("a", "0", "b", "two"), 4, 5);
    query(EITHER, 3, 9);
    assertCaught("missed");
  }

  @Test
  void aRowThatChangesSidesInTwoStepsDoesNot() {
    put(Map.of("a", "1", "b", "three"), 1, 2);
    put(Map.of("b", "two"), 4, 6);
    put(Map.of("a", "0"), 5, 7);
    query(EITHER, 3, 9);
    assertRight();
  }

  @Test
  void aRowThatChangesSidesOneAfterTheOtherDoes() {
    put(Map.of("a", "1", "b", "three"), 1, 2);
    put(Map.of("b", "two"), 4, 5);
    put(Map.of("a", "0"), 6, 7);
    query(EITHER, 3, 9);
    assertCaught("missed");
  }

  @Test
  void bothHaveToHoldAtOneMoment() {
    QueryCondition both =
        new QueryCondition.Both(QueryCondition.equal("a", "1"), QueryCondition.equal("b", "2"));
    put(Map.of("a", "1", "b", "0"), 1, 2);
    put("0", 4, 5);
    put(Map.of("b", "2"), 6, 7);
    query(both, 3, 9, hit("1", 9));
    assertCaught("at no moment so");
  }

  @Test
  void aFailedWriteLeavesItOpenForEver() {
    put("5", 1, 2);
    writes.add(put("6", 3, 4).failed());
    writes.remove(1);
    query(IS_5, 10, 11);
    query(IS_5, 10, 11, hit("5", 11));
    query(QueryCondition.equal("a", "6"), 20, 21, hit("6", 21));
    assertRight();
  }

  @Test
  void afterADeleteOfOneVersionTheRowMayHaveAny() {
    put("5", 1, 2);
    put("6", 3, 4);
    remove(Scope.LATEST, 5, 6);
    query(IS_5, 7, 8);
    query(IS_5, 7, 8, hit("5", 8));
    assertRight();
    put("7", 9, 10);
    query(IS_5, 11, 12, hit("5", 12));
    assertCaught("at no moment so");
  }

  @Test
  void afterADeleteOfTheRowThereIsNothing() {
    put("5", 1, 2);
    remove(Scope.ALL, 5, 6);
    query(IS_5, 7, 8, hit("5", 8));
    assertCaught("at no moment so");
  }

  @Test
  void aPageIsAboutItsPartOfTheIndex() {
    put("5", 1, 2);
    Page before = new Page(Optional.empty(), Optional.of(new Position("5", "q")));
    Page behind = new Page(Optional.of(new Position("5", "q")), Optional.empty());
    queries.add(new RowQuery("", IN_RANGE, List.of(), new Span(3, 4), Optional.of(before)));
    assertRight();
    queries.add(new RowQuery("", IN_RANGE, List.of(), new Span(5, 6), Optional.of(behind)));
    assertCaught("missed");
  }

  @Test
  void aRowThatMovesToTheFrontBetweenPagesIsNotWanted() {
    put("5", 1, 2);
    put("3", 5, 6);
    Page before = new Page(Optional.empty(), Optional.of(new Position("4", "q")));
    Page behind = new Page(Optional.of(new Position("4", "q")), Optional.empty());
    queries.add(new RowQuery("", IN_RANGE, List.of(), new Span(3, 4), Optional.of(before)));
    queries.add(new RowQuery("", IN_RANGE, List.of(), new Span(7, 8), Optional.of(behind)));
    assertRight();
  }
}
