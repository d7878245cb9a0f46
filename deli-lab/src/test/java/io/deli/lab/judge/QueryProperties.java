package io.deli.lab.judge;

import static io.deli.lab.judge.QueryCheckerTest.ruling;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.judge.RowQuery.Hit;
import io.deli.lab.judge.Step.Removal;
import io.deli.lab.judge.Step.Scope;
import io.deli.lab.judge.Step.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A table that is atomic row by row, and readers that look at each row at some moment of the query:
 * accepted. What they leave out or say twice of a row that nobody writes: rejected.
 */
class QueryProperties {
  private static final int ROWS = 5;
  private static final int LENGTH = 2_000;
  private static final QueryCondition CONDITION =
      new QueryCondition.Either(
          new QueryCondition.Between("a", "1", "2"), QueryCondition.equal("b", "3"));

  private final List<RowOperation> writes = new ArrayList<>();

  /** What each row has from a moment on. */
  private final Map<String, TreeMap<Long, Map<String, Optional<String>>>> truth = new TreeMap<>();

  private void write(Random random) {
    writes.clear();
    truth.clear();
    for (int i = 0; i < ROWS; i++) {
      String row = "r" + i;
      TreeMap<Long, Map<String, Optional<String>>> contents = new TreeMap<>();
      contents.put(Long.MIN_VALUE, Map.of("a", Optional.empty(), "b", Optional.empty()));
      truth.put(row, contents);
      // The last row is written once.
      long end = i == ROWS - 1 ? 1 : LENGTH;
      for (long effect = 0; effect < end; effect += 1 + random.nextInt(40)) {
        long begun = effect - random.nextInt(50);
        boolean fails = random.nextInt(20) == 0;
        Map<String, Optional<String>> now = new HashMap<>(contents.lastEntry().getValue());
        Step step = step(i == ROWS - 1, random, now);
        RowOperation write =
            RowOperation.write(row, new Span(begun, effect + random.nextInt(50)), step);
        boolean fixed = i == ROWS - 1;
        writes.add(fails && !fixed ? write.failed() : write);
        if (fixed || !fails || random.nextBoolean()) {
          contents.put(effect, now);
        }
      }
    }
  }

  private static Step step(boolean fixed, Random random, Map<String, Optional<String>> now) {
    if (!fixed && random.nextInt(8) == 0) {
      now.replaceAll((column, value) -> Optional.empty());
      return new Removal(Scope.ALL, Set.of(), "");
    }
    Map<String, String> values = new HashMap<>();
    if (fixed || random.nextBoolean()) {
      values.put("a", fixed ? "1" : Integer.toString(random.nextInt(4)));
    }
    if (values.isEmpty() || random.nextBoolean()) {
      values.put("b", Integer.toString(2 + random.nextInt(2)));
    }
    values.forEach((column, value) -> now.put(column, Optional.of(value)));
    return new Write(values);
  }

  private RowQuery query(Random random) {
    long begun = 60L + random.nextInt(LENGTH);
    long ended = begun + random.nextInt(200);
    List<Hit> hits = new ArrayList<>();
    truth.forEach(
        (row, contents) -> {
          long looked = begun + random.nextInt((int) (ended - begun) + 1);
          Map<String, Optional<String>> seen = contents.floorEntry(looked).getValue();
          if (CONDITION.accepts(seen, false) || certainlyThroughout(contents, begun, ended)) {
            long taken = looked + random.nextInt((int) (ended - looked) + 1);
            hits.add(new Hit(row, seen.get("a").orElse(""), taken));
          }
        });
    return new RowQuery("", CONDITION, hits, new Span(begun, ended), Optional.empty());
  }

  private static boolean certainlyThroughout(
      NavigableMap<Long, Map<String, Optional<String>>> contents, long begun, long ended) {
    return contents.subMap(contents.floorKey(begun), true, ended, true).values().stream()
        .allMatch(each -> CONDITION.accepts(each, false));
  }

  @Property(tries = 100)
  void aTableThatIsAtomicByRowsIsAccepted(@ForAll long seed) {
    Random random = new Random(seed);
    write(random);
    List<RowQuery> queries = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      queries.add(query(random));
    }
    assertThat(ruling(writes, queries)).isEqualTo(Ruling.CLEAN);
  }

  @Property(tries = 100)
  void aQueryThatLeavesOutWhatNobodyWritesIsRejected(@ForAll long seed) {
    Random random = new Random(seed);
    write(random);
    RowQuery right = query(random);
    List<Hit> fewer =
        right.hits().stream().filter(hit -> !hit.row().equals("r" + (ROWS - 1))).toList();
    assertThat(fewer).hasSize(right.hits().size() - 1);
    List<Hit> more = new ArrayList<>(right.hits());
    more.add(right.hits().get(right.hits().size() - 1));
    for (List<Hit> hits : List.of(fewer, more)) {
      RowQuery wrong = new RowQuery("", CONDITION, hits, right.span(), Optional.empty());
      assertThat(ruling(writes, List.of(wrong)).violations()).hasSize(1);
    }
  }
}
