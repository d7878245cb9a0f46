package io.deli.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.query.Condition.And;
import io.deli.query.Condition.OnIndex;
import io.deli.query.Condition.Or;
import io.deli.query.ValuePredicate.EqualTo;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ConditionTest {
  private static final Condition A = on("a");
  private static final Condition B = on("b");
  private static final Condition C = on("c");
  private static final Condition D = on("d");

  private static Condition on(String index) {
    return new OnIndex(index, new EqualTo(new byte[] {1}));
  }

  @Example
  void aSingleConditionIsItsOwnForm() {
    assertThat(names(A)).isEqualTo("[[a]]");
  }

  @Example
  void orListsAndAndMultiplies() {
    assertThat(names(new Or(A, B))).isEqualTo("[[a], [b]]");
    assertThat(names(new And(A, B))).isEqualTo("[[a, b]]");
    assertThat(names(new And(new Or(A, B), new Or(C, D))))
        .isEqualTo("[[a, c], [a, d], [b, c], [b, d]]");
    assertThat(names(new Or(new And(A, B), C))).isEqualTo("[[a, b], [c]]");
    Condition and = new And(new Or(A, B), new Or(new And(A, B), new Or(C, D)));
    assertThat(and.size().disjuncts()).isEqualTo(and.disjuncts().size());
    assertThat(and.size().conditions())
        .isEqualTo(and.disjuncts().stream().mapToInt(List::size).sum());
  }

  @Example
  void and_alternativesMultiplyTooOften_isRefused() {
    Condition either = new Or(A, B);
    Condition all = either;
    for (int i = 1; i < 8; i++) {
      all = new And(all, either);
    }
    assertThat(all.disjuncts()).hasSize(256);
    Condition eight = all;
    assertThatThrownBy(
            () -> new And(new And(new And(new And(eight, either), either), either), either))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("multiplied out");
    Condition many = A;
    for (int i = 1; i < 4_096; i++) {
      many = new Or(many, B);
    }
    assertThat(many.disjuncts()).hasSize(4_096);
  }

  @Provide
  Arbitrary<Condition> conditions() {
    Arbitrary<Condition> leaves = Arbitraries.of(A, B, C, D);
    return Arbitraries.recursive(() -> leaves, ConditionTest::combined, 0, 3);
  }

  private static Arbitrary<Condition> combined(Arbitrary<Condition> parts) {
    return Combinators.combine(parts, parts, Arbitraries.of(true, false))
        .as((left, right, and) -> and ? new And(left, right) : new Or(left, right));
  }

  @Property
  void holdsWhereTheConditionHolds(@ForAll("conditions") Condition condition, @ForAll int truths) {
    Set<String> holding =
        Set.of("a", "b", "c", "d").stream()
            .filter(name -> (truths >> (name.charAt(0) - 'a') & 1) == 1)
            .collect(Collectors.toSet());
    boolean byForm =
        condition.disjuncts().stream()
            .anyMatch(all -> all.stream().allMatch(on -> holding.contains(on.index())));
    assertThat(byForm).isEqualTo(evaluate(condition, holding));
  }

  private static boolean evaluate(Condition condition, Set<String> holding) {
    if (condition instanceof And and) {
      return evaluate(and.left(), holding) && evaluate(and.right(), holding);
    }
    if (condition instanceof Or or) {
      return evaluate(or.left(), holding) || evaluate(or.right(), holding);
    }
    return holding.contains(((OnIndex) condition).index());
  }

  private static String names(Condition condition) {
    return condition.disjuncts().stream()
        .map(all -> all.stream().map(OnIndex::index).toList())
        .toList()
        .toString();
  }
}
