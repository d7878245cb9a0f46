package io.deli.lab.judge;

import io.deli.lab.judge.Step.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Decides for each row whether its operations can have taken effect one after the other, each at
 * some moment between its call and its return, so that every client was told what it was told.
 *
 * <p>This is the search of Wing and Gong, with the memory of Lowe: two ways to have come to one
 * state by one set of operations are one. It goes by the operations' returns ("just in time"): when
 * an operation returns it must have taken effect, so each {@linkplain RowSearch configuration} that
 * lacks it is continued by the operations in flight, in every order, until it has. What is
 * remembered is what is in flight, so that a history may be as long as one likes, and a row's
 * history is cut at every moment. A configuration dies if no order leads on; the history is at
 * fault when the last has died.
 *
 * <p>A write that failed stays in flight until it is settled, otherwise for ever; it counts only
 * how many of a kind were used, and a configuration that used more than another that is else the
 * same is dropped.
 *
 * <p>A row of which there are too many configurations is left undecided, and taken up again with
 * unknown contents once nothing is in flight on it.
 *
 * <p>Timestamps do not occur, nor what DELI does with them.
 *
 * <p>One answer of HBase's is no order's: it looks up the latest version of a column before it
 * deletes that, and lets other deletes of the row go on meanwhile, so that two may take the same
 * version. So one of them may have taken none.
 */
public final class LinearizabilityChecker implements HistoryOrder.Listener {
  private final int versions;
  private final Predicate<String> uncovering;
  private final Map<String, RowSearch> rows = new HashMap<>();
  private final Set<String> unsettled = new HashSet<>();
  private final Set<String> columns = new TreeSet<>();
  private final List<Ruling> rulings = new ArrayList<>();

  /**
   * @param versions that the family keeps of a column
   */
  public LinearizabilityChecker(int versions) {
    this(versions, row -> true);
  }

  /**
   * @param uncovering the rows of which single versions are deleted
   */
  LinearizabilityChecker(int versions, Predicate<String> uncovering) {
    this.versions = versions;
    this.uncovering = uncovering;
  }

  /** Judges the rows of a whole history, each by itself. */
  public Ruling judge(Collection<RowOperation> operations) {
    LinearizabilityChecker checker =
        new LinearizabilityChecker(versions, uncovering(operations).and(uncovering));
    HistoryOrder.replay(operations, List.of(), checker);
    return checker.ruling();
  }

  /** The rows on which an operation deletes single versions. */
  static Predicate<String> uncovering(Collection<RowOperation> operations) {
    Set<String> rows = new HashSet<>();
    for (RowOperation each : operations) {
      if (each.removes(Scope.LATEST) || each.removes(Scope.MARKED)) {
        rows.add(each.row());
      }
    }
    return rows::contains;
  }

  @Override
  public void called(RowOperation operation) {
    columns.addAll(Footprint.of(operation).columns());
    rows.computeIfAbsent(operation.row(), this::fresh).called(operation);
    if (!operation.span().hasEnd()) {
      unsettled.add(operation.row());
    }
  }

  private RowSearch fresh(String row) {
    return new RowSearch(new RowModel(versions, uncovering.test(row)), RowState.EMPTY);
  }

  @Override
  public void returned(RowOperation operation) {
    RowSearch search = rows.get(operation.row());
    search.returned(operation);
    tidy(operation.row(), search);
  }

  @Override
  public void settled(Span calm) {
    unsettled.removeIf(
        row -> {
          RowSearch search = rows.get(row);
          boolean none = search.settled(calm.begun());
          tidy(row, search);
          return none;
        });
  }

  /** Forgets a row that has nothing, takes up one that was left. */
  private void tidy(String row, RowSearch search) {
    if (search.isResting() && search.isUndecided()) {
      rulings.add(search.ruling());
      RowModel model = new RowModel(versions, uncovering.test(row));
      rows.put(row, new RowSearch(model, RowState.unknown(columns)));
    } else if (search.isResting() && search.isEmpty()) {
      rows.remove(row);
    }
  }

  @Override
  public void called(RowQuery query) {}

  @Override
  public void returned(RowQuery query) {}

  /** The ruling so far. */
  Ruling ruling() {
    Ruling all = Ruling.CLEAN;
    for (Ruling each : rulings) {
      all = all.and(each);
    }
    for (RowSearch each : rows.values()) {
      all = all.and(each.ruling());
    }
    return all;
  }
}
