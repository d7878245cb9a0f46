package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.entry.Buckets;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.strategy.Lookup.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

class LookupTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final IndexDefinition DEFINITION = IndexDefinition.on("i", Column.parse("f:q"));
  private static final TokenRange ALL = TokenRange.startingWith(new byte[0]);

  private static Lookup over(Rows rows, RowRange... parts) {
    return new Lookup(TABLE, List.of(parts), ALL, row -> List.of(), rows);
  }

  private static RowRange part(int start, int stop) {
    return new RowRange(row(start), true, row(stop), false);
  }

  /** No bytes for a place outside of the table. */
  private static byte[] row(int place) {
    return place < 0 || place > 9 ? new byte[0] : new byte[] {(byte) place};
  }

  @Example
  void inABucket_rowsHaveItsSalt_andTheLastPartEndsWithIt() {
    Lookup salted =
        new Lookup(
            TABLE,
            List.of(part(2, 4), part(6, 10)),
            ALL,
            row -> List.of(),
            Rows.UNORDERED,
            new Buckets(3));
    Lookup in = salted.in(1);
    assertThat(in.buckets()).isEqualTo(Buckets.NONE);
    assertThat(in.parts())
        .extracting(
            each -> List.of(Bytes.toHex(each.getStartRow()), Bytes.toHex(each.getStopRow())))
        .containsExactly(List.of("0102", "0104"), List.of("0106", "02"));
  }

  @Property
  void between_isWhatBothHold(
      @ForAll @IntRange(min = -1, max = 8) int start,
      @ForAll @IntRange(min = 1, max = 10) int stop) {
    for (Lookup lookup :
        List.of(
            over(Rows.UNORDERED, part(2, 4), part(5, 7)),
            over(Rows.UNORDERED, part(-1, 2), part(6, 10)))) {
      Lookup between = lookup.between(row(start), row(stop));
      assertThat(between.table()).isEqualTo(TABLE);
      assertThatCode(() -> between.skipGaps(new Scan())).doesNotThrowAnyException();
      for (int i = 0; i < 10; i++) {
        assertThat(holds(between, i)).isEqualTo(start <= i && i < stop && holds(lookup, i));
      }
    }
  }

  private static boolean holds(Lookup lookup, int place) {
    return lookup.parts().stream().anyMatch(part -> part.contains(row(place)));
  }

  @Example
  void aScan_leavesOutTheGaps() {
    Lookup whole = over(Rows.UNORDERED, part(2, 4));
    assertThat(whole.skipGaps(new Scan()).getFilter()).isNull();
    Lookup parts = over(Rows.UNORDERED, part(2, 4), part(5, 7));
    assertThat(parts.startRow()).isEqualTo(row(2));
    assertThat(parts.stopRow()).isEqualTo(row(7));
    assertThat(parts.skipGaps(new Scan()).getFilter())
        .isInstanceOfSatisfying(
            MultiRowRangeFilter.class,
            filter -> assertThat(filter.getRowRanges()).containsExactlyElementsOf(parts.parts()));
    assertThatThrownBy(() -> over(Rows.UNORDERED)).hasMessageContaining("reads some rows");
  }

  /** A cell of a list may be older than entries in it: its qualifier tells of its newest. */
  @Example
  void since_passesOverOlderCells() {
    Scan single = over(Rows.UNORDERED, part(2, 4)).since(5, 9, new Scan());
    assertThat(single.getTimeRange()).hasToString(TimeRange.between(5, 9).toString());
    assertThat(single.getFilter()).isNull();

    Lookup lists = over(Rows.LISTS, part(2, 4), part(5, 7));
    assertThat(lists.since(0, 9, new Scan()).getFilter()).isNull();
    Scan scan = lists.since(5, 9, new Scan());
    assertThat(scan.getTimeRange()).hasToString(TimeRange.between(0, 9).toString());
    assertThat(scan.getFilter())
        .isInstanceOfSatisfying(
            ColumnRangeFilter.class,
            newer -> {
              assertThat(newer.getMinColumn()).isNull();
              assertThat(newer.getMaxColumn()).isEqualTo(Bytes.toBytes(Long.MAX_VALUE - 4));
              assertThat(newer.getMaxColumnInclusive()).isFalse();
            });
    assertThat(lists.since(5, 9, lists.skipGaps(new Scan())).getFilter())
        .isInstanceOfSatisfying(FilterList.class, both -> assertThat(both.getFilters()).hasSize(2));
  }

  @Example
  void baseRows_areEntriesOfTheirVersions() {
    Index index = Index.of(TABLE, DEFINITION.withStrategy("none").withType(ValueType.INT));
    Lookup lookup = index.strategy().lookup(index, new EqualTo(Bytes.toBytes(5)));
    assertThat(lookup.table()).isEqualTo(TABLE);
    assertThat(lookup.startRow()).isEmpty();
    assertThat(lookup.stopRow()).isEmpty();
    assertThat(lookup.newestFirst()).isFalse();
    List<Cell> cells = new ArrayList<>();
    cells.add(version("a", 9, Bytes.toBytes(5)));
    cells.add(version("q", 4, Bytes.toBytes(5)));
    cells.add(version("q", 3, Bytes.toBytes(6)));
    cells.add(version("q", 2, new byte[] {5}));
    cells.add(version("q", 1, Bytes.toBytes(5)));
    byte[] token = index.storedTokens(Bytes.toBytes(5)).get(0);
    assertThat(lookup.entries().apply(Result.create(cells)))
        .containsExactly(
            new Entry(token, row(1), 4, WriteId.NONE), new Entry(token, row(1), 1, WriteId.NONE));
  }

  private static Cell version(String qualifier, long timestamp, byte[] value) {
    return new KeyValue(row(1), Bytes.toBytes("f"), Bytes.toBytes(qualifier), timestamp, value);
  }

  @Example
  void strategiesThatKeepNoTable_haveNoEntries() {
    BaseVersion version = new BaseVersion(row(1), row(2), 3, WriteId.NONE);
    for (String name : List.of("embedded", "next", "none")) {
      Index index = Index.of(TABLE, DEFINITION.withStrategy(name));
      IndexStrategy strategy = index.strategy();
      Entry entry = index.entries(version).get(0);
      assertThat(strategy.keepsTable()).isFalse();
      assertThat(strategy.retraction()).isEqualTo(Retraction.NEVER);
      assertThat(strategy.write(index, version)).isEmpty();
      assertThat(strategy.retract(index, entry)).isEmpty();
      assertThat(strategy.find(index, entry)).isEqualTo(Optional.empty());
      assertThat(strategy.read(index, Result.EMPTY_RESULT)).isEmpty();
    }
  }

  @Example
  void strategies_tellWhatSetsThemApart() {
    assertThat(Strategies.answering(QueryKind.AS_OF))
        .containsExactly("composite", "deferred", "eager", "embedded", "lazy", "next", "none");
    assertThat(QueryKind.AS_OF.method()).isEqualTo("asOf(t)");
    assertThat(QueryKind.OLD_VERSIONS.meaning()).isEqualTo("versions that were superseded");
    assertThat(Strategies.named("deferred").retraction()).isEqualTo(Retraction.AT_REWRITE);
    assertThat(Strategies.named("composite").retraction()).isEqualTo(Retraction.AT_DELETE);
    assertThat(Strategies.named("lazy").retraction()).isEqualTo(Retraction.AT_DELETE);
    assertThat(Strategies.named("in-place").retraction()).isEqualTo(Retraction.AT_WRITE);
    assertThat(Strategies.named("deferred").fileIndexing()).isEqualTo(FileIndexing.NONE);
    assertThat(Strategies.named("embedded").fileIndexing()).isEqualTo(FileIndexing.FILTERS);
    assertThat(Strategies.named("next").fileIndexing()).isEqualTo(FileIndexing.POSTINGS);
    assertThat(Strategies.named("eager").mergeTime()).isEqualTo(MergeTime.AT_WRITE);
    assertThat(Strategies.named("lazy").mergeTime()).isEqualTo(MergeTime.AT_COMPACTION);
    assertThatThrownBy(() -> Strategies.named("swift"))
        .hasMessageContainingAll("unknown strategy 'swift'", "composite, deferred, eager")
        .hasMessageNotContaining("could not be loaded");
    assertThat(Retraction.values())
        .filteredOn(Retraction::followsDeletes)
        .containsExactly(Retraction.AT_DELETE, Retraction.AT_WRITE);
    assertThat(Retraction.values())
        .filteredOn(Retraction::forgetsSuperseded)
        .containsExactly(Retraction.AT_WRITE, Retraction.AT_REWRITE);
  }
}
