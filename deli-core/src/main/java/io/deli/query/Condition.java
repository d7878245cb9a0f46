package io.deli.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A condition over the indexes of one table. Immutable. */
public sealed interface Condition {
  /**
   * Disjunctive normal form: the condition holds where all conditions of at least one of the lists
   * hold. Never empty, nor is any list in it. Order is kept.
   */
  List<List<OnIndex>> disjuncts();

  /** Returns the size of the disjunctive normal form. */
  Size size();

  /**
   * A size of disjunctive normal forms, which grows exponentially with conditions that combine
   * alternatives.
   *
   * @param disjuncts how many lists there are
   * @param conditions how many conditions there are in all lists together
   */
  record Size(long disjuncts, long conditions) {
    private static final long MOST = 4_096;

    /**
     * @throws IllegalArgumentException if it is too large to be answered
     */
    public Size {
      if (conditions > MOST) {
        throw new IllegalArgumentException(
            "the condition has more than %d conditions once each 'or' within an 'and' is multiplied out: ask several queries, or combine fewer alternatives by 'and'"
                .formatted(MOST));
      }
    }

    private Size both(Size other) {
      return new Size(
          disjuncts * other.disjuncts, conditions * other.disjuncts + other.conditions * disjuncts);
    }

    private Size either(Size other) {
      return new Size(disjuncts + other.disjuncts, conditions + other.conditions);
    }
  }

  /**
   * A condition on the value of one index.
   *
   * @param index its name; or the column, {@code family:qualifier}, of a partial index's condition,
   *     to say that it holds
   */
  record OnIndex(String index, ValuePredicate predicate) implements Condition {
    public OnIndex {
      Objects.requireNonNull(index, "index");
      Objects.requireNonNull(predicate, "predicate");
    }

    /** Whether it names a column, which no name of an index can be. */
    public boolean isOfColumn() {
      return index.indexOf(':') >= 0;
    }

    @Override
    public List<List<OnIndex>> disjuncts() {
      return List.of(List.of(this));
    }

    @Override
    public Size size() {
      return new Size(1, 1);
    }

    @Override
    public String toString() {
      return index + " " + predicate;
    }
  }

  /** Both hold. */
  record And(Condition left, Condition right) implements Condition {
    /**
     * @throws IllegalArgumentException if its normal form is too large
     */
    public And {
      left.size().both(right.size());
    }

    @Override
    public Size size() {
      return left.size().both(right.size());
    }

    @Override
    public List<List<OnIndex>> disjuncts() {
      List<List<OnIndex>> all = new ArrayList<>();
      for (List<OnIndex> l : left.disjuncts()) {
        for (List<OnIndex> r : right.disjuncts()) {
          List<OnIndex> both = new ArrayList<>(l);
          both.addAll(r);
          all.add(List.copyOf(both));
        }
      }
      return List.copyOf(all);
    }

    @Override
    public String toString() {
      return "(" + left + " and " + right + ")";
    }
  }

  /** At least one holds. */
  record Or(Condition left, Condition right) implements Condition {
    /**
     * @throws IllegalArgumentException if its normal form is too large
     */
    public Or {
      left.size().either(right.size());
    }

    @Override
    public Size size() {
      return left.size().either(right.size());
    }

    @Override
    public List<List<OnIndex>> disjuncts() {
      List<List<OnIndex>> all = new ArrayList<>(left.disjuncts());
      all.addAll(right.disjuncts());
      return List.copyOf(all);
    }

    @Override
    public String toString() {
      return "(" + left + " or " + right + ")";
    }
  }
}
