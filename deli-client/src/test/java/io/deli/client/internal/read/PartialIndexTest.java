package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A partial index in memory, which has entries of rows outside as well, compared with indexes of
 * both columns.
 */
class PartialIndexTest extends MemoryQueries {
  private static final int QUERIES = 300;

  private List<String> read(long seed, String index, ValueQuery condition, boolean first) {
    random = new Random(seed);
    ValueQuery value = condition(index);
    ValueQuery both = first ? condition.and(value) : value.and(condition);
    ValueQuery query = random.nextInt(3) == 0 ? both.mostRecent(1 + random.nextInt(4)) : both;
    return texts(ranks(read(1 + random.nextInt(5), query, Integer.MAX_VALUE)));
  }

  @Test
  void hitsAreThoseOfIndexesOfBothColumns() {
    for (int seed = 0; seed < QUERIES; seed++) {
      beginAtRest(seed, 60);
      ValueQuery indexed = ValueQuery.on("other").equalTo(Plans.A);
      ValueQuery column = ValueQuery.on("f:q").equalTo(Plans.A);
      List<String> expected = read(seed, "key", indexed, false);
      assertThat(read(seed, "partial", column, false)).as("seed %d", seed).isEqualTo(expected);
      assertThat(read(seed, "partial", column, true)).isEqualTo(expected);
      assertThat(read(seed, "partial", indexed, false)).isEqualTo(expected);
    }
  }

  @Test
  void anExplanationNamesTheCondition() throws Exception {
    ValueQuery query =
        ValueQuery.on("partial").equalTo(Plans.B).and(ValueQuery.on("f:q").equalTo(Plans.A));
    QueryPlan plan = Plans.plan(table, query);
    assertThat(plan.steps())
        .singleElement()
        .satisfies(
            step -> assertThat(step.tested()).map(Object::toString).containsExactly("f:q = a"));
    assertThat(plan.conditionColumns()).map(Object::toString).containsExactly("f:p", "f:q");
    assertThat(plan.columns()).hasSize(2);
  }
}
