package io.deli.client.internal.read;

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
