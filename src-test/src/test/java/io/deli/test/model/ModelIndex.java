package io.deli.test.model;

import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.MergeTime;
import io.deli.strategy.QueryKind;
import io.deli.strategy.Retraction;
import io.deli.strategy.Strategies;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/** An index, and what the test itself knows of the tokens of its values. */
record ModelIndex(IndexDefinition definition, Kind kind) {
  /** How values are found. */
  enum Kind {
    WHOLE_VALUE,
    NUMBER,
    PREFIXES,
    WORDS
  }

  private static final int PREFIX = 3;

  String name() {
    return definition.name();
  }

  Column column() {
    return definition.column();
  }

  boolean newestFirst() {
    return definition.order() == EntryOrder.BY_TIME || strategy().mergeTime() != MergeTime.NEVER;
  }

  /** The same kept in another way. */
  ModelIndex by(String strategy) {
    return new ModelIndex(definition.withStrategy(strategy), kind);
  }

  /** The same with salted rows, if its strategy can have such. */
  ModelIndex salted() {
    return strategy().isSaltable()
        ? new ModelIndex(definition.withOption(IndexDefinition.BUCKETS, "3"), kind)
        : this;
  }

  /** The same maintained by others. */
  ModelIndex maintainedBy(Maintenance maintenance) {
    return new ModelIndex(definition.withMaintenance(maintenance), kind);
  }

  boolean isServed() {
    return definition.maintenance() == Maintenance.SERVER;
  }

  /** Whether queries for older versions are refused. */
  boolean knowsOnlyNewest() {
    return strategy().unanswerable().contains(QueryKind.OLD_VERSIONS);
  }

  /** Whether hits come in the order of rows, for there are no entries. */
  boolean isScanned() {
    return !strategy().keepsTable();
  }

  /** Whether readers take out all that compactions leave, by the clock of the test. */
  boolean isRepaired() {
    return !isScanned() && strategy().retraction() != Retraction.AT_WRITE;
  }

  /** Whether a delete takes out the entries of what it hides, and nothing brings them back. */
  boolean followsDeletes() {
    return strategy().retraction().followsDeletes();
  }

  /** Whether what is deleted stays in lists until the index table is compacted. */
  boolean foldsAtCompaction() {
    return strategy().mergeTime() == MergeTime.AT_COMPACTION;
  }

  private IndexStrategy strategy() {
    return Strategies.named(definition.strategy());
  }

  /** The order of tokens, numbers by their value. */
  Comparator<byte[]> order() {
    return kind == Kind.NUMBER ? Comparator.comparingLong(Bytes::toLong) : Bytes.BYTES_COMPARATOR;
  }

  /** The tokens as the index table holds them. */
  List<byte[]> tokens(byte[] value) {
    return switch (kind) {
      case WHOLE_VALUE -> List.of(value);
      case NUMBER -> List.of(ordered(Bytes.toLong(value)));
      case PREFIXES -> prefixes(value);
      case WORDS -> words(value);
    };
  }

  private static byte[] ordered(long number) {
    SimplePositionedMutableByteRange out = new SimplePositionedMutableByteRange(16);
    int length = OrderedBytes.encodeInt64(out, number, Order.ASCENDING);
    return Arrays.copyOf(out.getBytes(), length);
  }

  private static List<byte[]> prefixes(byte[] value) {
    List<byte[]> prefixes = new ArrayList<>();
    for (int length = 0; length <= Math.min(PREFIX, value.length); length++) {
      prefixes.add(Arrays.copyOf(value, length));
    }
    return prefixes;
  }

  static List<byte[]> words(byte[] value) {
    TreeSet<byte[]> words = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (String word : new String(value, StandardCharsets.ISO_8859_1).split(" ", -1)) {
      if (!word.isEmpty()) {
        words.add(word.getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    return List.copyOf(words);
  }

  @Override
  public String toString() {
    return name() + " (" + definition.strategy() + ")";
  }
}
