package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Prefix;
import io.deli.token.Tokenizers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The entries of each strategy that keeps a table, in a table that is a sorted map. */
class StoredEntriesTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final IndexDefinition DEFINITION = IndexDefinition.on("i", Column.parse("f:q"));
  private static final List<String> STRATEGIES = Strategies.names(IndexStrategy::keepsTable);
  private static final byte[] TOO_LONG = new byte[HConstants.MAX_ROW_LENGTH];
  private static final Put ORIGIN = new Put(Bytes.toBytes("k"));

  private final TreeMap<byte[], List<Cell>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  @Provide
  Arbitrary<Index> indexes() {
    return Combinators.combine(
            Arbitraries.of(STRATEGIES),
            Arbitraries.of(EntryOrder.class),
            Arbitraries.of(Tokenizers.EXACT, Tokenizers.PREFIX),
            Arbitraries.of(true, false))
        .as(
            (strategy, order, tokenizer, salted) -> {
              IndexDefinition definition =
                  DEFINITION
                      .withStrategy(strategy)
                      .withOrder(order)
                      .withTokenizer(tokenizer)
                      .withOption(Tokenizers.PREFIX_LENGTH, "2");
              return Index.of(
                  TABLE,
                  salted && Strategies.named(strategy).isSaltable()
                      ? definition.withOption(IndexDefinition.BUCKETS, "3")
                      : definition);
            });
  }

  /** Also none, and such as begin with each other or have bytes that entries use as ends. */
  private static Arbitrary<byte[]> texts() {
    return Arbitraries.of("", "\0", "\0\0", "\u00ff", "\u00ff\u00ff", "a", "ab", "a\0b", "b", "b1")
        .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Provide
  Arbitrary<List<BaseVersion>> versions() {
    Arbitrary<byte[]> keys = texts().filter(key -> key.length > 0);
    Arbitrary<WriteId> ids = Arbitraries.of(WriteId.NONE, WriteId.of(7, 1), WriteId.of(7, 2));
    return Combinators.combine(keys, texts(), Arbitraries.longs().between(1, 5), ids)
        .as(BaseVersion::new)
        .list()
        .ofMaxSize(20)
        .uniqueElements(
            each -> Bytes.toStringBinary(each.key()) + each.timestamp() + each.writeId());
  }

  @Provide
  Arbitrary<ValuePredicate> predicates() {
    Arbitrary<Optional<Bound>> bounds =
        Combinators.combine(texts(), Arbitraries.of(true, false)).as(Bound::new).optional();
    return Arbitraries.oneOf(
        texts().map(EqualTo::new),
        texts().map(Prefix::new),
        Combinators.combine(bounds, bounds).as(Between::new));
  }

  @Property
  void lookup_readsEachEntryInItsRange_theNewestOfARowFirst(
      @ForAll("indexes") Index index,
      @ForAll("versions") List<BaseVersion> versions,
      @ForAll("predicates") ValuePredicate predicate) {
    Assume.that(
        !(predicate instanceof Between) || index.definition().tokenizer().equals(Tokenizers.EXACT));
    List<Entry> all = written(index, versions);
    Lookup lookup = index.strategy().lookup(index, predicate);
    List<Entry> found = new ArrayList<>();
    for (int bucket = 0; bucket < lookup.buckets().count(); bucket++) {
      List<Entry> read = read(lookup.in(bucket));
      if (lookup.newestFirst()) {
        assertThat(read).isSortedAccordingTo((a, b) -> Long.compare(b.timestamp(), a.timestamp()));
      }
      found.addAll(read);
    }
    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            all.stream()
                .filter(entry -> lookup.tokens().contains(entry.token()))
                .distinct()
                .toList());
    assertThat(lookup.table()).isEqualTo(index.table());
    versions.stream()
        .filter(version -> index.tokenizer().matches(predicate, version.value()))
        .forEach(
            version ->
                assertThat(found)
                    .anyMatch(
                        entry ->
                            Arrays.equals(entry.key(), version.key())
                                && entry.timestamp() == version.timestamp()));
    rows.values()
        .forEach(
            row ->
                assertThat(index.entries(Result.create(row)))
                    .isSortedAccordingTo((a, b) -> Long.compare(b.timestamp(), a.timestamp())));
  }

  @Property
  void retraction_takesOutTheEntriesOfOneVersion(
      @ForAll("indexes") Index index, @ForAll("versions") List<BaseVersion> versions) {
    written(index, versions);
    for (int i = 0; i < versions.size(); i++) {
      index.retract(versions.get(i)).forEach(this::apply);
      index.retract(versions.get(i)).forEach(this::apply);
      List<Entry> left =
          versions.subList(i + 1, versions.size()).stream()
              .flatMap(version -> index.entries(version).stream())
              .toList();
      List<Entry> gone = new ArrayList<>(index.entries(versions.get(i)));
      gone.removeAll(left);
      List<Entry> all =
          rows.values().stream()
              .flatMap(row -> index.entries(Result.create(row)).stream())
              .toList();
      assertThat(all).doesNotContainAnyElementsOf(gone).containsAll(left);
    }
    assertThat(rows).isEmpty();
  }

  /** Writes each version twice, as a client does that was not told of the first time. */
  private List<Entry> written(Index index, List<BaseVersion> versions) {
    rows.clear();
    for (BaseVersion version : versions) {
      index.write(version, ORIGIN).forEach(this::apply);
      index.write(version, ORIGIN).forEach(this::apply);
    }
    return versions.stream().flatMap(each -> index.entries(each).stream()).toList();
  }

  @Property
  void find_readsAllOfATokenKeyAndTimestamp(
      @ForAll("indexes") Index index, @ForAll("versions") List<BaseVersion> versions) {
    List<Entry> all = written(index, versions);
    for (Entry entry : all) {
      Get get = index.strategy().find(index, entry).orElseThrow();
      assertThat(get.getMaxVersions()).isEqualTo(Integer.MAX_VALUE);
      assertThat(index.entries(Result.create(cells(get))))
          .containsAll(
              all.stream()
                  .filter(each -> Arrays.equals(each.token(), entry.token()))
                  .filter(each -> Arrays.equals(each.key(), entry.key()))
                  .filter(each -> each.timestamp() == entry.timestamp())
                  .toList());
      assertThat(cells(get)).allMatch(cell -> cell.getTimestamp() <= entry.timestamp());
    }
  }

  /** Lists keep the place that names them; whatever else is stale is gone from the cells. */
  @Property
  void aCellWithoutStaleEntries_hasTheOthers(
      @ForAll("indexes") Index index, @ForAll("versions") List<BaseVersion> versions) {
    List<Entry> all = written(index, versions);
    Set<Entry> stale = new HashSet<>(all.subList(0, all.size() / 2));
    List<Entry> left = new ArrayList<>();
    for (List<Cell> row : rows.values()) {
      for (Cell cell : row) {
        index.strategy().without(index, cell, stale).stream()
            .flatMap(kept -> index.entries(Result.create(List.of(kept))).stream())
            .forEach(left::add);
      }
    }
    assertThat(left)
        .containsExactlyInAnyOrderElementsOf(
            all.stream().filter(entry -> !stale.contains(entry)).distinct().toList());
  }

  @Example
  void whatHasNoEntries_leavesEachCellAsItIs() {
    Cell cell = new KeyValue(new byte[] {'k'}, EntryCodec.family(), new byte[0], 1, new byte[0]);
    for (String strategy : Strategies.names(each -> !each.keepsTable())) {
      Index index = Index.of(TABLE, DEFINITION.withStrategy(strategy));
      assertThat(index.strategy().without(index, cell, Set.of())).hasValue(cell);
    }
  }

  @Example
  void whatExceedsTheLimitOfARow_isRefused_andHasNothingToRetractOrFind() {
    for (String strategy : STRATEGIES) {
      Index index = Index.of(TABLE, DEFINITION.withStrategy(strategy));
      BaseVersion version = new BaseVersion(new byte[] {'k'}, TOO_LONG, 1, WriteId.NONE);
      assertThatThrownBy(() -> index.write(version, ORIGIN))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll("'k'", "'i'", "exceeds HBase's row limit", "tokenizer");
      assertThat(index.retract(version)).isEmpty();
      assertThat(index.strategy().find(index, index.entries(version).get(0))).isEmpty();
    }
  }

  @Example
  void theLongestEntryOfARow_isWritten_andLongerOnesOfEarlierReleasesAreStillRetracted() {
    Index index = Index.of(TABLE, DEFINITION);
    BaseVersion version = versionOf(EntryCodec.LONGEST_ROW - 3);
    assertThat(index.write(version, ORIGIN))
        .singleElement()
        .satisfies(put -> assertThat(put.getRow()).hasSize(EntryCodec.LONGEST_ROW));
    assertThat(index.retract(version)).hasSize(1);
    BaseVersion tooLong = versionOf(EntryCodec.LONGEST_ROW - 2);
    assertThatThrownBy(() -> index.write(tooLong, ORIGIN)).hasMessageContaining("32200");
    assertThat(index.retract(tooLong)).hasSize(1);
    for (String strategy : List.of("deferred", "lazy")) {
      Index each = Index.of(TABLE, DEFINITION.withStrategy(strategy));
      int beside = strategy.equals("lazy") ? 2 : 3;
      // The table's name, two commas and a time of 14 digits.
      int longest = HConstants.MAX_ROW_LENGTH - each.table().getName().length - 16 - beside;
      assertThat(each.retract(versionOf(longest))).hasSize(1);
      assertThat(each.retract(versionOf(longest + 1))).as(strategy).isEmpty();
    }
  }

  private static BaseVersion versionOf(int bytes) {
    byte[] value = new byte[bytes];
    Arrays.fill(value, (byte) 'v');
    return new BaseVersion(new byte[] {'k'}, value, 1, WriteId.NONE);
  }

  @Example
  void aWrite_isAsUrgentAsItsOrigin_andNoLessDurableThanTheIndexTable() {
    Index index = Index.of(TABLE, DEFINITION);
    BaseVersion version = new BaseVersion(new byte[] {'k'}, new byte[] {'v'}, 1, WriteId.NONE);
    Put origin = new Put(new byte[] {'k'}).setPriority(3).setTTL(5);
    for (Durability durability : Durability.values()) {
      Put put = index.write(version, origin.setDurability(durability)).get(0);
      assertThat(put.getPriority()).isEqualTo(3);
      assertThat(put.getTTL()).isEqualTo(Long.MAX_VALUE);
      assertThat(put.getDurability())
          .isEqualTo(
              durability == Durability.FSYNC_WAL ? Durability.FSYNC_WAL : Durability.USE_DEFAULT);
    }
  }

  @Example
  void onlyABoundedTokenOrderedByTime_isReadNewestFirst() {
    ValuePredicate all = new Between(Optional.empty(), Optional.empty());
    ValuePredicate one = new EqualTo(new byte[] {'v'});
    Index byKey = Index.of(TABLE, DEFINITION);
    Index byTime = Index.of(TABLE, DEFINITION.withOrder(EntryOrder.BY_TIME));
    Index lists = Index.of(TABLE, DEFINITION.withStrategy("lazy"));
    assertThat(newestFirst(byKey, one)).isFalse();
    assertThat(newestFirst(byTime, one)).isTrue();
    assertThat(newestFirst(byTime, all)).isFalse();
    assertThat(newestFirst(lists, one)).isTrue();
    assertThat(newestFirst(lists, all)).isFalse();
    assertThat(lists.strategy().lookup(lists, one).isOneRow()).isTrue();
    assertThat(lists.strategy().lookup(lists, all).isOneRow()).isFalse();
    assertThat(byTime.strategy().lookup(byTime, one).isOneRow()).isFalse();
  }

  /** A posting that is alone stays one where such cells are not deleted as they are folded. */
  @Example
  void lists_areFoldedByTheirStrategy() {
    BaseVersion version = new BaseVersion(new byte[] {'k'}, new byte[] {'v'}, 1, WriteId.NONE);
    for (String strategy : List.of("eager", "lazy")) {
      Index index = Index.of(TABLE, DEFINITION.withStrategy(strategy));
      Put put = index.write(version, ORIGIN).get(0);
      Cell cell = put.getFamilyCellMap().get(EntryCodec.family()).get(0);
      List<Cell> folded = new ArrayList<>();
      CellMerger merger = index.strategy().merger(100, true, new Random(1));
      merger.add(cell, folded::add);
      merger.end(folded::add);
      assertThat(folded).hasSize(1);
      assertThat(folded.get(0).getValueLength() == 0).isEqualTo(strategy.equals("lazy"));
      assertThat(index.entries(Result.create(folded))).isEqualTo(index.entries(version));
    }
  }

  private static boolean newestFirst(Index index, ValuePredicate predicate) {
    return index.strategy().lookup(index, predicate).newestFirst();
  }

  private void apply(Mutation mutation) {
    List<Cell> row = rows.computeIfAbsent(mutation.getRow(), key -> new ArrayList<>());
    for (Cell cell : mutation.getFamilyCellMap().get(EntryCodec.family())) {
      row.removeIf(
          old -> CellUtil.matchingQualifier(old, cell) && CellUtil.matchingTimestamp(old, cell));
      if (mutation instanceof Delete) {
        assertThat(cell.getType()).isEqualTo(Cell.Type.Delete);
      } else {
        row.add(cell);
      }
    }
    row.sort(CellComparator.getInstance());
    if (row.isEmpty()) {
      rows.remove(mutation.getRow());
    }
  }

  private List<Entry> read(Lookup lookup) {
    List<Entry> entries = new ArrayList<>();
    rows.forEach(
        (key, cells) -> {
          if (lookup.parts().stream().anyMatch(part -> part.contains(key))) {
            entries.addAll(lookup.entries().apply(Result.create(cells)));
          }
        });
    return entries;
  }

  /** As HBase answers such a Get. */
  private List<Cell> cells(Get get) {
    return rows.get(get.getRow()).stream()
        .filter(cell -> get.getTimeRange().withinTimeRange(cell.getTimestamp()))
        .filter(
            cell ->
                !(get.getFilter() instanceof ColumnRangeFilter range)
                    || Bytes.compareTo(CellUtil.cloneQualifier(cell), range.getMaxColumn()) < 0)
        .toList();
  }
}
