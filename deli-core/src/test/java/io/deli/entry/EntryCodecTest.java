package io.deli.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.ByteStrings;
import io.deli.index.EntryOrder;
import io.deli.query.TokenRange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

class EntryCodecTest {
  @Provide
  Arbitrary<byte[]> tokens() {
    return ByteStrings.bytes();
  }

  @Provide
  Arbitrary<Entry> entries() {
    Arbitrary<WriteId> writeIds =
        Arbitraries.oneOf(
            Arbitraries.just(WriteId.NONE),
            Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(WriteId::of));
    return Combinators.combine(
            ByteStrings.bytes(),
            ByteStrings.keys(),
            Arbitraries.longs().greaterOrEqual(0),
            writeIds)
        .as(Entry::new);
  }

  @Property
  void decodesWhatItEncoded(@ForAll("entries") Entry entry, @ForAll EntryOrder order) {
    for (int count : new int[] {1, 2, 7, 256}) {
      EntryCodec codec = new EntryCodec(order, new Buckets(count));
      assertThat(codec.decode(onlyCell(codec, entry))).isEqualTo(entry);
    }
  }

  @Property
  void aSalt_isAheadOfTheRowThatIsThereWithout(
      @ForAll("entries") Entry entry, @ForAll EntryOrder order) {
    Buckets buckets = new Buckets(5);
    byte[] salted = new EntryCodec(order, buckets).row(entry);
    assertThat(salted[0]).isBetween((byte) 0, (byte) 4);
    assertThat(buckets.unsalted(salted)).isEqualTo(new EntryCodec(order).row(entry));
  }

  @Property
  void saltedRows_compareAsWithoutTheSalt(
      @ForAll("entries") Entry a, @ForAll("entries") Entry b, @ForAll EntryOrder order) {
    EntryCodec salted = new EntryCodec(order, new Buckets(256));
    EntryCodec plain = new EntryCodec(order);
    assertThat(Integer.signum(Buckets.compareUnsalted(onlyCell(salted, a), onlyCell(salted, b))))
        .isEqualTo(Integer.signum(Bytes.compareTo(plain.row(a), plain.row(b))));
  }

  @Example
  void aBucketEndsWhereTheNextBegins() {
    byte[] end = HConstants.EMPTY_END_ROW;
    assertThat(new Buckets(3).stopRow(1, new byte[] {5})).containsExactly(1, 5);
    assertThat(new Buckets(3).stopRow(1, end)).containsExactly(2);
    assertThat(new Buckets(256).stopRow(254, end)).containsExactly(255);
    assertThat(new Buckets(256).stopRow(255, end)).isEmpty();
    assertThat(Buckets.NONE.stopRow(0, end)).isEmpty();
    assertThat(Buckets.NONE.stopRow(0, new byte[] {5})).containsExactly(5);
  }

  /** Part of the format. */
  @Example
  void saltsAreThoseOfTheSpecification() {
    assertThat(new Buckets(2).of(Bytes.toBytes("row1"))).isEqualTo(1);
    assertThat(new Buckets(16).of(Bytes.toBytes("row1"))).isEqualTo(13);
    assertThat(new Buckets(256).of(Bytes.toBytes("row1"))).isEqualTo(216);
    assertThat(new Buckets(256).of(Bytes.toBytes("a"))).isEqualTo(27);
    assertThat(new Buckets(256).of(new byte[] {(byte) 0xFF, 0})).isEqualTo(197);
  }

  /** Whatever is in common to their keys. */
  @Example
  void rowsAreDividedEvenly() {
    for (String form : List.of("row%d", "%08d", "%d-suffix", "%d00000000")) {
      for (int count : new int[] {2, 16, 31, 100}) {
        int[] rows = new int[count];
        for (int i = 0; i < 100 * count; i++) {
          rows[new Buckets(count).of(Bytes.toBytes(form.formatted(i)))]++;
        }
        assertThat(Arrays.stream(rows))
            .as("%s, %d", form, count)
            .allMatch(each -> each > 50 && each < 200);
      }
    }
  }

  @Example
  void aRowOfAnotherBucketIsNoEntry() {
    EntryCodec codec = new EntryCodec(EntryOrder.BY_KEY, new Buckets(4));
    byte[] row = codec.row(entry("v", "k"));
    row[0]++;
    assertThatThrownBy(() -> codec.decode(cell(row)))
        .hasMessageContaining("its salt is not that of its base row key");
    assertThatThrownBy(() -> codec.decode(cell(new byte[] {1})))
        .hasMessageContaining("no token ends in it");
  }

  @Example
  void tablesAreSplitBetweenBuckets_andEachBucketAlike() {
    List<byte[]> rows = List.of(new byte[] {5}, new byte[] {6});
    assertThat(Buckets.NONE.splits(rows)).isEqualTo(rows);
    assertThat(new Buckets(3).splits(List.of())).containsExactly(new byte[] {1}, new byte[] {2});
    assertThat(new Buckets(2).splits(rows))
        .containsExactly(
            new byte[] {0, 5},
            new byte[] {0, 6},
            new byte[] {1},
            new byte[] {1, 5},
            new byte[] {1, 6});
    for (int none : new int[] {0, 257}) {
      assertThatThrownBy(() -> new Buckets(none)).hasMessageContaining("1 to 256");
    }
  }

  @Property(tries = 5000)
  void ordersByTokenThenKey(@ForAll("entries") Entry a, @ForAll("entries") Entry b) {
    EntryCodec codec = new EntryCodec(EntryOrder.BY_KEY);
    int expected = firstOf(compare(a.token(), b.token()), compare(a.key(), b.key()));
    assertThat(compare(codec.row(a), codec.row(b))).isEqualTo(expected);
  }

  @Property(tries = 5000)
  void ordersByTokenThenNewestThenKey(@ForAll("entries") Entry a, @ForAll("entries") Entry b) {
    EntryCodec codec = new EntryCodec(EntryOrder.BY_TIME);
    int expected =
        firstOf(
            compare(a.token(), b.token()),
            Long.compare(b.timestamp(), a.timestamp()),
            compare(a.key(), b.key()));
    assertThat(compare(codec.row(a), codec.row(b))).isEqualTo(expected);
  }

  @Property(tries = 5000)
  void rowsOfARangeAreThoseBetweenItsBounds(
      @ForAll("entries") Entry entry,
      @ForAll("tokens") byte[] first,
      @ForAll("tokens") byte[] end,
      @ForAll boolean unbounded,
      @ForAll EntryOrder order) {
    TokenRange range = TokenRange.of(first, unbounded ? Optional.empty() : Optional.of(end));
    EntryCodec codec = new EntryCodec(order);
    byte[] row = codec.row(entry);
    byte[] stop = codec.stopRow(range);
    boolean between =
        compare(codec.startRow(range), row) <= 0 && (stop.length == 0 || compare(row, stop) < 0);
    assertThat(between).isEqualTo(range.contains(entry.token()));
  }

  @Property
  void aSingleTokenHasItsOwnRows(
      @ForAll("entries") Entry entry, @ForAll("tokens") byte[] token, @ForAll EntryOrder order) {
    TokenRange range = TokenRange.only(token);
    EntryCodec codec = new EntryCodec(order);
    byte[] row = codec.row(entry);
    boolean between =
        compare(codec.startRow(range), row) <= 0 && compare(row, codec.stopRow(range)) < 0;
    assertThat(between).isEqualTo(Bytes.equals(token, entry.token()));
  }

  @Example
  void v1AndV10DoNotMix() {
    EntryCodec codec = new EntryCodec(EntryOrder.BY_KEY);
    byte[] stop = codec.stopRow(TokenRange.only(Bytes.toBytes("v1")));
    assertThat(compare(codec.row(entry("v1", "0zzz")), stop)).isNegative();
    assertThat(compare(codec.row(entry("v10", "a")), stop)).isPositive();
  }

  @Example
  void boundsOfLongTokensLeaveRoomForTheTableInTheLimit_andHoldTheRows() {
    EntryCodec codec = new EntryCodec(EntryOrder.BY_KEY);
    TokenRange range = TokenRange.only(new byte[HConstants.MAX_ROW_LENGTH]);
    byte[] row = TokenEncoding.encode(range.first());
    assertThat(codec.startRow(range)).hasSizeLessThanOrEqualTo(EntryCodec.LONGEST_ROW);
    assertThat(codec.stopRow(range)).hasSizeLessThanOrEqualTo(EntryCodec.LONGEST_ROW);
    assertThat(Bytes.compareTo(codec.startRow(range), row)).isLessThanOrEqualTo(0);
    assertThat(Bytes.compareTo(codec.stopRow(range), row)).isPositive();
    assertThat(EntryCodec.storable(range).isEmpty()).isTrue();
    byte[] greatest = new byte[HConstants.MAX_ROW_LENGTH];
    Arrays.fill(greatest, (byte) 0xFF);
    assertThat(codec.stopRow(TokenRange.of(new byte[0], Optional.of(greatest)))).isEmpty();
  }

  @Example
  void rowsThatNoClientCanLocate_areOutOfReach() {
    TableName table = TableName.valueOf("ns:t.i");
    for (int length = HConstants.MAX_ROW_LENGTH - 100; length <= 33_000; length++) {
      byte[] row = new byte[length];
      byte[] asked = RegionInfo.createRegionName(table, row, HConstants.NINES, false);
      assertThat(EntryCodec.isOutOfReach(table, row))
          .as("%d bytes", length)
          .isEqualTo(asked.length > HConstants.MAX_ROW_LENGTH);
    }
  }

  @Example
  void rowsOfAPart_areItsBounds() {
    EntryCodec codec = new EntryCodec(EntryOrder.BY_KEY);
    byte[] longest = new byte[EntryCodec.LONGEST_ROW - 2];
    Arrays.fill(longest, (byte) 'v');
    TokenRange range = TokenRange.of(new byte[] {1}, Optional.of(longest));
    assertThat(codec.rows(range))
        .containsExactly(
            new RowRange(new byte[] {1, 0, 0}, true, TokenEncoding.encode(longest), false));
  }

  @Property
  void refusesWhatIsNoEntry(@ForAll("tokens") byte[] garbage, @ForAll EntryOrder order) {
    EntryCodec codec = new EntryCodec(order);
    byte[] endless = Bytes.add(Bytes.toBytes("no end"), new byte[] {0, 7}, garbage);
    assertThatThrownBy(() -> codec.decode(cell(endless)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no entry");
  }

  @Example
  void refusesATokenThatDoesNotEnd() {
    assertThatThrownBy(() -> TokenEncoding.length(new byte[] {'v', 0}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no token ends in it");
  }

  @Example
  void refusesAnEntryWithoutKey() {
    byte[] tokenOnly = {'v', 0, 0};
    assertThatThrownBy(() -> new EntryCodec(EntryOrder.BY_KEY).decode(cell(tokenOnly)))
        .hasMessageContaining("no base row key");
    byte[] tokenAndTime = Bytes.add(tokenOnly, Bytes.toBytes(1L));
    assertThatThrownBy(() -> new EntryCodec(EntryOrder.BY_TIME).decode(cell(tokenAndTime)))
        .hasMessageContaining("no base row key");
  }

  @Property
  void deletesExactlyTheCellItPut(@ForAll("entries") Entry entry, @ForAll EntryOrder order) {
    EntryCodec codec = new EntryCodec(order);
    Cell put = onlyCell(codec, entry);
    Cell delete = EntryCodec.marker(codec.row(entry), entry.writeId().toBytes(), entry);
    assertThat(delete.getType()).isEqualTo(Cell.Type.Delete);
    assertThat(codec.decode(delete)).isEqualTo(codec.decode(put));
  }

  private static Entry entry(String token, String key) {
    return new Entry(Bytes.toBytes(token), Bytes.toBytes(key), 1, WriteId.NONE);
  }

  private static Cell onlyCell(EntryCodec codec, Entry entry) {
    return codec.put(entry).getFamilyCellMap().values().iterator().next().iterator().next();
  }

  private static Cell cell(byte[] row) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row)
        .setFamily(EntryCodec.family())
        .setTimestamp(1)
        .setType(Cell.Type.Put)
        .build();
  }

  private static int compare(byte[] a, byte[] b) {
    return Integer.signum(Bytes.compareTo(a, b));
  }

  private static int firstOf(int... orders) {
    for (int order : orders) {
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
