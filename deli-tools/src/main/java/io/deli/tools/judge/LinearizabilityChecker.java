package io.deli.tools.judge;

import io.deli.tools.judge.Step.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
 * <p>A write that failed stays in flight for ever; it counts only how many of a kind were used, and
 * a configuration that used more than another that is else the same is dropped.
 *
 * <p>Timestamps do not occur, nor what DELI does with them.
 *
 * <p>One answer of HBase's is no order's: it looks up the latest version of a column before it
 * deletes that, and lets other deletes of the row go on meanwhile, so that two may take the same
 * version. So one of them may have taken none.
 */
public final class LinearizabilityChecker {
  private final int versions;

  /**
   * @param versions that the family keeps of a column
   */
  public LinearizabilityChecker(int versions) {
    this.versions = versions;
  }

  /** Judges the rows, each by itself. */
  public Ruling judge(Collection<RowOperation> operations) {
    Map<String, List<RowOperation>> rows =
        operations.stream()
            .collect(Collectors.groupingBy(RowOperation::row, TreeMap::new, Collectors.toList()));
    Ruling ruling = Ruling.CLEAN;
    for (List<RowOperation> row : rows.values()) {
      ruling = ruling.and(judgeRow(row));
    }
    return ruling;
  }

  private Ruling judgeRow(List<RowOperation> operations) {
    List<RowOperation> calls = new ArrayList<>(operations);
    calls.sort(Comparator.comparingLong(operation -> operation.span().begun()));
    excuse(calls);
    RowSearch search = new RowSearch(RowModel.of(calls, versions));
    PriorityQueue<RowOperation> returns =
        new PriorityQueue<>(Comparator.comparingLong(operation -> operation.span().ended()));
    for (RowOperation call : calls) {
      // What returns at the moment of a call may have overlapped with it.
      while (!returns.isEmpty() && returns.peek().span().ended() < call.span().begun()) {
        search.returned(returns.remove());
      }
      search.called(call);
      if (call.span().hasEnd()) {
        returns.add(call);
      }
    }
    while (!returns.isEmpty()) {
      search.returned(returns.remove());
    }
    return search.ruling();
  }

  /** Lets deletes of the latest version take none if others went on meanwhile that take one. */
  private static void excuse(List<RowOperation> calls) {
    List<Integer> underWay = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      RowOperation call = calls.get(i);
      if (call.removes(Scope.LATEST) || call.removes(Scope.MARKED)) {
        underWay.removeIf(other -> calls.get(other).span().isBefore(call.span()));
        if (!underWay.isEmpty()) {
          excuse(calls, i);
          underWay.stream()
              .filter(other -> !call.removes(Scope.LATEST))
              .forEach(other -> excuse(calls, other));
        }
        underWay.add(i);
      }
    }
  }

  private static void excuse(List<RowOperation> calls, int place) {
    if (calls.get(place).removes(Scope.LATEST)) {
      calls.set(place, calls.get(place).perhaps(calls.get(place).span()));
    }
  }
}
