package io.deli.test.model;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.entry.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;

/** Whether indexes hold exactly what their base table calls for, entry by entry. */
final class IndexCheck {
  /** For what clients and servers still do in the background. */
  private static final int PATIENCE_MILLIS = 60_000;

  private final List<ModelIndex> indexes;
  private final TableName name;
  private final Table plain;
  private final DeliTable table;
  private final Map<ModelIndex, Set<Entry>> spared = new HashMap<>();

  IndexCheck(List<ModelIndex> indexes, TableName name, Table plain, DeliTable table) {
    this.indexes = List.copyOf(indexes);
    this.name = name;
    this.plain = plain;
    this.table = table;
  }

  private List<IndexContents> contents() throws IOException {
    View base = BaseScan.of(plain, Long.MAX_VALUE, Integer.MAX_VALUE);
    List<IndexContents> all = new ArrayList<>();
    for (ModelIndex index : indexes) {
      IndexContents contents = IndexContents.compare(index, name, base);
      all.add(contents.sparing(spared.getOrDefault(index, Set.of())));
    }
    return all;
  }

  /** Right after a collection: nothing is missing and there is no garbage. */
  void assertExact() throws Exception {
    awaitExact(List::size);
  }

  /**
   * After a collection: nothing is missing, and what garbage there is, read repair takes. That is
   * what was written again, under another write id, ahead of an exact delete: no base version
   * carries that id, so that no compaction can know it.
   *
   * @param time is moved beyond the grace period
   */
  void repairAll(TestTime time) throws Exception {
    for (IndexContents each : contents()) {
      if (!each.missing().isEmpty()) {
        throw new Divergence(each.toString(), each.rows());
      }
      System.out.printf(
          "index '%s': %d entries of garbage await repair, %d duplicates%n",
          each.index(), each.garbage().size(), each.duplicates().size());
    }
    time.advance(3 * TestConnection.GRACE_MILLIS);
    awaitExact(
        left -> {
          for (IndexContents each : left) {
            for (byte[] token : each.garbageTokens()) {
              read(each.index(), token);
            }
          }
          return left.size();
        });
    // They stay while their version lives, and become garbage of that kind when it dies.
    for (IndexContents each : contents()) {
      spared.put(each.index(), each.duplicates());
    }
  }

  private interface Cure {
    int apply(List<IndexContents> left) throws IOException;
  }

  private void awaitExact(Cure cure) throws Exception {
    List<IndexContents> left = new ArrayList<>();
    long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    do {
      left.clear();
      for (IndexContents each : contents()) {
        if (!each.isExact()) {
          left.add(each);
        }
      }
    } while (cure.apply(left) > 0 && System.nanoTime() < until);
    if (!left.isEmpty()) {
      List<byte[]> rows = left.stream().flatMap(each -> each.rows().stream()).toList();
      throw new Divergence("index and base differ after a collection: " + left, rows);
    }
  }

  private void read(ModelIndex index, byte[] token) throws IOException {
    ValueQuery.Target on = ValueQuery.on(index.name());
    ValueQuery query =
        switch (index.kind()) {
          case NUMBER -> on.atLeast(Schema.LEAST_NUMBER);
          case PREFIXES -> on.prefix(token);
          default -> on.equalTo(token);
        };
    try (ValueScanner scanner = table.readValue(query)) {
      // Only what it meets on its way matters.
      scanner.forEach(hit -> {});
    }
  }
}
