package io.deli.test.model;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Whether indexes hold exactly what their base table calls for, entry by entry. */
final class IndexCheck {
  /** How long clients and servers may take, in the background, to get on with what is left. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final List<ModelIndex> indexes;
  private final TableName name;
  private final Table plain;
  private final DeliTable table;

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
      all.add(IndexContents.compare(index, name, base));
    }
    return all;
  }

  /** After a collection: each version has its entries, once, and nothing else has any. */
  void assertExact() throws Exception {
    awaitExact(IndexContents::isOneToOne, (left, goes) -> {});
  }

  /**
   * After a collection without a sweep: nothing is missing, and what garbage there is, read repair
   * takes.
   *
   * <p>Readers report more than the queue of repair takes, so they read until nothing is left. As
   * long as something goes, this goes on.
   *
   * @param time is moved beyond the grace period, again whenever nothing goes: repair looks into an
   *     entry once in such a period, even if it failed
   */
  void repairAll(TestTime time) throws Exception {
    for (IndexContents each : contents()) {
      if (!each.missing().isEmpty()) {
        throw new Divergence(each.toString(), each.rows());
      }
      System.out.printf(
          "index '%s' of %s: %d entries of garbage await repair, %d duplicates%n",
          each.index(), name, each.garbage().size(), each.duplicates().size());
    }
    time.advance(3 * TestConnection.GRACE_MILLIS);
    awaitExact(
        IndexContents::isExact,
        (left, goes) -> {
          if (!goes) {
            time.advance(3 * TestConnection.GRACE_MILLIS);
          }
          for (IndexContents each : left) {
            readGarbage(each);
            takeOut(each.index());
          }
        });
  }

  /** Where it takes a compaction of the index table to take what is deleted out of lists. */
  private void takeOut(ModelIndex index) throws IOException {
    if (index.foldsAtCompaction()) {
      TableName lists = IndexDefinitions.indexTable(name, index.name());
      for (HRegion region : MiniCluster.regions(lists)) {
        region.flush(true);
        region.compact(true);
      }
    }
  }

  private interface Cure {
    void apply(List<IndexContents> left, boolean goes) throws Exception;
  }

  /** Waits as long as differences get fewer. */
  private void awaitExact(Predicate<IndexContents> fits, Cure cure) throws Exception {
    int fewest = Integer.MAX_VALUE;
    long since = System.nanoTime();
    List<IndexContents> left = unfit(fits);
    while (!left.isEmpty()) {
      int size = size(left);
      boolean goes = size < fewest;
      if (goes) {
        fewest = size;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > PATIENCE_NANOS) {
        List<byte[]> rows = left.stream().flatMap(each -> each.rows().stream()).toList();
        throw new Divergence("index and base differ after a collection: " + left, rows);
      }
      cure.apply(left, goes);
      left = unfit(fits);
    }
  }

  private List<IndexContents> unfit(Predicate<IndexContents> fits) throws IOException {
    return contents().stream().filter(fits.negate()).toList();
  }

  private static int size(List<IndexContents> all) {
    return all.stream()
        .mapToInt(each -> each.missing().size() + each.garbage().size() + each.duplicates().size())
        .sum();
  }

  private void readGarbage(IndexContents contents) throws IOException {
    // One range has all numbers.
    int most = contents.index().kind() == ModelIndex.Kind.NUMBER ? 1 : Integer.MAX_VALUE;
    for (byte[] token : contents.garbageTokens().stream().limit(most).toList()) {
      read(contents.index(), token);
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
