package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Prefix;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Lookup;
import io.deli.token.Tokenizers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a strategy says, carried out on tables in memory: no engine, no HBase. Random versions are
 * written, and some retracted; a lookup must then lead to all versions that satisfy its condition,
 * and to no entry that was retracted.
 */
final class StrategyLaws {
  private static final int ROUNDS = 40;
  private static final int VERSIONS = 60;
  private static final Column COLUMN = Column.parse("f:q");
  private static final TableName BASE = TableName.valueOf("base");
  private static final List<String> VALUES =
      List.of(
          "", "v", "v1", "v10", "v1\0", "v2", "\0", "\0\0", "\u00ff", "\u00ff\u00ff", "w w", "x");
  private static final List<String> KEYS = List.of("k", "k1", "\0", "v1", "\u00ff", "a\0b");

  private final IndexStrategy strategy;
  private final Random random;

  StrategyLaws(IndexStrategy strategy, long seed) {
    this.strategy = strategy;
    this.random = new Random(seed);
  }

  private List<IndexDefinition> definitions() {
    IndexDefinition exact = IndexDefinition.on("i", COLUMN);
    IndexDefinition prefixes =
        exact
            .withType(ValueType.STRING)
            .withTokenizer(Tokenizers.PREFIX)
            .withOption(Tokenizers.PREFIX_LENGTH, "2");
    return List.of(
        exact,
        exact.withOrder(EntryOrder.BY_TIME),
        strategy.isSaltable() ? prefixes.withOption(IndexDefinition.BUCKETS, "3") : prefixes,
        prefixes.withOrder(EntryOrder.BY_TIME));
  }

  void check() {
    for (IndexDefinition definition : definitions()) {
      Index index = Index.of(BASE, definition.withStrategy(strategy.name()));
      for (int round = 0; round < ROUNDS; round++) {
        check(index);
      }
      if (strategy.keepsTable()) {
        refusesWhatDoesNotFit(index);
      }
    }
  }

  private void check(Index index) {
    MemoryTables tables = new MemoryTables(index);
    List<BaseVersion> living = new ArrayList<>();
    List<BaseVersion> retracted = new ArrayList<>();
    for (int i = 1; i <= VERSIONS; i++) {
      BaseVersion version = version(i);
      tables.put(version);
      tables.put(version);
      living.add(version);
      if (strategy.keepsTable() && random.nextInt(3) == 0) {
        BaseVersion victim = living.remove(random.nextInt(living.size()));
        tables.retract(victim);
        tables.retract(victim);
        retracted.add(victim);
      }
    }
    living.forEach(version -> checkFind(index, version));
    for (String value : VALUES) {
      for (ValuePredicate predicate : predicates(bytes(value), index)) {
        check(index, tables, predicate, living, retracted);
      }
    }
  }

  /** An entry is looked for in the row that it was written to. */
  private void checkFind(Index index, BaseVersion version) {
    List<ByteBuffer> rows =
        strategy.write(index, version).stream().map(put -> ByteBuffer.wrap(put.getRow())).toList();
    if (strategy.keepsTable()) {
      assertThat(index.entries(version))
          .extracting(entry -> ByteBuffer.wrap(strategy.find(index, entry).orElseThrow().getRow()))
          .containsExactlyInAnyOrderElementsOf(rows);
    }
  }

  private static List<ValuePredicate> predicates(byte[] value, Index index) {
    List<ValuePredicate> predicates = new ArrayList<>();
    predicates.add(new EqualTo(value));
    predicates.add(new Prefix(value));
    if (index.definition().tokenizer().equals(Tokenizers.EXACT)) {
      Optional<Bound> bound = Optional.of(new Bound(value, false));
      predicates.add(new Between(bound, Optional.empty()));
      predicates.add(new Between(Optional.empty(), bound));
    }
    return predicates;
  }

  private void check(
      Index index,
      MemoryTables tables,
      ValuePredicate predicate,
      List<BaseVersion> living,
      List<BaseVersion> retracted) {
    Lookup lookup = strategy.lookup(index, predicate);
    List<Entry> entries = tables.entries(lookup);
    Set<String> found = new TreeSet<>();
    for (Entry entry : entries) {
      assertThat(lookup.tokens().contains(entry.token())).as("%s of %s", entry, predicate).isTrue();
      found.add(Bytes.toStringBinary(entry.key()) + "@" + entry.timestamp());
    }
    for (BaseVersion version : living) {
      if (index.tokenizer().matches(predicate, version.value())) {
        assertThat(found).as("%s %s", predicate, index.definition()).contains(name(version));
      }
    }
    for (BaseVersion version : retracted) {
      assertThat(found).as("%s %s", predicate, index.definition()).doesNotContain(name(version));
    }
    if (lookup.newestFirst()) {
      assertThat(entries)
          .extracting(Entry::timestamp)
          .isSortedAccordingTo((a, b) -> Long.compare(b, a));
    }
  }

  private static String name(BaseVersion version) {
    return Bytes.toStringBinary(version.key()) + "@" + version.timestamp();
  }

  private BaseVersion version(long timestamp) {
    WriteId id = random.nextBoolean() ? WriteId.NONE : WriteId.of(timestamp, random.nextLong());
    return new BaseVersion(
        bytes(KEYS.get(random.nextInt(KEYS.size()))),
        bytes(VALUES.get(random.nextInt(VALUES.size()))),
        timestamp,
        id);
  }

  private static byte[] bytes(String latin) {
    return latin.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void refusesWhatDoesNotFit(Index index) {
    if (!index.definition().tokenizer().equals(Tokenizers.EXACT)) {
      return;
    }
    BaseVersion tooLong =
        new BaseVersion(bytes("k"), new byte[HConstants.MAX_ROW_LENGTH], 1, WriteId.NONE);
    assertThatThrownBy(() -> strategy.write(index, tooLong))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .as("says why; the writer adds which index")
        .isNotBlank()
        .doesNotContain("'i'");
    assertThat(index.retract(tooLong)).isEmpty();
  }
}
