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

  /** A condition on the value of one index. */
  record OnIndex(String index, ValuePredicate predicate) implements Condition {
    public OnIndex {
      Objects.requireNonNull(index, "index");
      Objects.requireNonNull(predicate, "predicate");
    }

    @Override
    public List<List<OnIndex>> disjuncts() {
      return List.of(List.of(this));
    }

    @Override
    public String toString() {
      return index + " " + predicate;
    }
  }

  /** Both hold. */
  record And(Condition left, Condition right) implements Condition {
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
