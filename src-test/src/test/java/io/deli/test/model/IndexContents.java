package io.deli.test.model;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The entries that an index has, against those that its base table calls for.
 *
 * @param missing versions that are seen in the base, and known to the index, but have no entry
 * @param garbage entries of no version seen in the base
 * @param duplicates what is there under several write ids, named without them
 */
record IndexContents(
    ModelIndex index, Set<Entry> missing, Set<Entry> garbage, Set<Entry> duplicates) {
  static IndexContents compare(ModelIndex index, TableName table, View base) throws IOException {
    Set<Entry> wanted = wanted(index, base, index.knowsOnlyNewest() ? 1 : Integer.MAX_VALUE);
    Set<Entry> justified = wanted(index, base, Integer.MAX_VALUE);
    List<Entry> present = entries(index, table);
    Set<Entry> found = present.stream().map(Entry::withoutId).collect(Collectors.toSet());
    Set<Entry> missing = new HashSet<>(wanted);
    missing.removeAll(found);
    Set<Entry> garbage = new HashSet<>(present);
    garbage.removeIf(entry -> justified.contains(entry.withoutId()));
    Set<Entry> once = new HashSet<>();
    Set<Entry> duplicates = new HashSet<>();
    for (Entry entry : present) {
      if (!once.add(entry.withoutId())) {
        duplicates.add(entry.withoutId());
      }
    }
    return new IndexContents(index, missing, garbage, duplicates);
  }

  private static Set<Entry> wanted(ModelIndex index, View base, int newest) {
    Set<Entry> wanted = new HashSet<>();
    for (byte[] row : base.rows()) {
      base.versions(row, index.column()).stream()
          .limit(newest)
          .forEach(
              version ->
                  index
                      .tokens(version.value())
                      .forEach(
                          token ->
                              wanted.add(
                                  new Entry(token, row, version.timestamp(), WriteId.NONE))));
    }
    return wanted;
  }

  private static List<Entry> entries(ModelIndex index, TableName table) throws IOException {
    Index resolved = Index.of(table, index.definition());
    return new TestTable(MiniCluster.connection(), table, List.of(resolved)).read(resolved);
  }

  Set<byte[]> garbageTokens() {
    Set<byte[]> tokens = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    garbage.forEach(entry -> tokens.add(entry.token()));
    return tokens;
  }

  boolean isExact() {
    return missing.isEmpty() && garbage.isEmpty();
  }

  /** Whether each version has its entries once, besides. */
  boolean isOneToOne() {
    return isExact() && duplicates.isEmpty();
  }

  List<byte[]> rows() {
    Set<Entry> odd = new HashSet<>(missing);
    odd.addAll(garbage);
    odd.addAll(duplicates);
    return odd.stream().map(Entry::key).limit(3).toList();
  }

  @Override
  public String toString() {
    return "index '%s': %d missing, %d garbage, %d duplicate entries\n  missing: %s\n  garbage: %s\n  duplicates: %s"
        .formatted(
            index, missing.size(), garbage.size(), duplicates.size(), missing, garbage, duplicates);
  }
}
