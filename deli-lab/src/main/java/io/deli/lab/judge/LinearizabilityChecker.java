package io.deli.lab.judge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

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
public final class LinearizabilityChecker implements HistoryJudge.Checker {
  private final int versions;
  private final Predicate<String> uncovering;
  private final Map<String, RowSearch> rows = new HashMap<>();
  private final Set<String> unsettled = new HashSet<>();
  private final Set<String> columns = new TreeSet<>();
  private final List<Ruling> rulings = new ArrayList<>();

  /**
   * @param versions that the family keeps of a column
   * @param uncovering the rows of which single versions are deleted
   */
  LinearizabilityChecker(int versions, Predicate<String> uncovering) {
    this.versions = versions;
    this.uncovering = uncovering;
  }

  /** The rows on which an operation deletes single versions. */
  static Predicate<String> uncovering(Collection<RowOperation> operations) {
    Set<String> rows = new HashSet<>();
    for (RowOperation operation : operations) {
      if (operation.takesOne()) {
        rows.add(operation.row());
      }
    }
    return rows::contains;
  }

  @Override
  public void called(RowOperation operation) {
    Footprint footprint = Footprint.of(operation);
    columns.addAll(footprint.observed());
    columns.addAll(footprint.written());
    rows.computeIfAbsent(operation.row(), row -> search(row, RowState.EMPTY))
        .called(operation, footprint);
    if (!operation.span().hasEnd()) {
      unsettled.add(operation.row());
    }
  }

  private RowSearch search(String row, RowState begin) {
    return new RowSearch(new RowModel(versions, uncovering.test(row)), begin);
  }

  @Override
  public void returned(RowOperation operation) {
    rows.get(operation.row()).returned(operation);
    tidy(operation.row());
  }

  @Override
  public void settled(Span calm) {
    unsettled.removeIf(
        row -> {
          boolean none = rows.get(row).settled(calm.begun());
          tidy(row);
          return none;
        });
  }

  /** Forgets a row that has nothing, takes up one that was left. */
  private void tidy(String row) {
    RowSearch search = rows.get(row);
    if (search.isResting() && search.isUndecided()) {
      rulings.add(search.ruling());
      rows.put(row, search(row, RowState.unknown(columns)));
    } else if (search.isResting() && search.isEmpty()) {
      rows.remove(row);
    }
  }

  @Override
  public Ruling ruling() {
    return Stream.concat(rulings.stream(), rows.values().stream().map(RowSearch::ruling))
        .reduce(Ruling.CLEAN, Ruling::and);
  }
}
