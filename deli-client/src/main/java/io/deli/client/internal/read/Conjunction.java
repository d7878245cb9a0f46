package io.deli.client.internal.read;

import io.deli.client.Explanation.Access;
import io.deli.client.Explanation.Step;
import io.deli.index.Index;
import io.deli.strategy.Lookup;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/**
 * Conditions that must all hold: the entries of the driver's index are scanned, the others decided
 * on the base row.
 *
 * @param lookup where the driver's entries are
 */
record Conjunction(IndexTest driver, Lookup lookup, List<IndexTest> others) {
  Index index() {
    return driver.index();
  }

  /** Whether it is base rows that are scanned, not entries. */
  boolean scansBase() {
    return lookup.table().equals(index().baseTable());
  }

  /** What it scans from a position on. */
  Step step(Position from, boolean reversed) {
    return new Step(
        driver.condition(),
        index().strategy().name(),
        access(),
        from.rest(lookup, reversed),
        reversed,
        others.stream().map(IndexTest::condition).toList());
  }

  private Access access() {
    if (lookup.tokens().isEmpty()) {
      return Access.NOTHING;
    }
    if (scansBase()) {
      return Access.BASE_TABLE;
    }
    return lookup.isOneRow() ? Access.INDEX_ROW : Access.INDEX_RANGE;
  }

  List<IndexTest> tests() {
    List<IndexTest> all = new ArrayList<>(others.size() + 1);
    all.add(driver);
    all.addAll(others);
    return all;
  }

  boolean holds(Result row) {
    return driver.holds(row) && othersHold(row);
  }

  boolean othersHold(Result row) {
    return others.stream().allMatch(test -> test.holds(row));
  }
}
