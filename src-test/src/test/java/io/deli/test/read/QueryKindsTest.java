package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Continuation;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.internal.read.QueryEngine;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.token.Tokenizers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of query, every option and page size, against a scan of the base table. */
class QueryKindsTest {
  private static final Column TEXT = QueriedTable.column("text");
  private static final Column NUMBER = QueriedTable.column("number");
  private static final Comparator<ValueHit> BY_ROW =
      Comparator.comparing(ValueHit::row, Bytes.BYTES_COMPARATOR);
  private static final Comparator<ValueHit> NEWEST =
      Comparator.comparingLong(ValueHit::timestamp).reversed();
  private static final Comparator<ValueHit> BY_TEXT =
      Comparator.comparing(ValueHit::value, Bytes.BYTES_COMPARATOR);
  private static final Comparator<ValueHit> BY_NUMBER =
      Comparator.comparingLong(hit -> Bytes.toLong(hit.value()));
  private static final String SALTED = "_salted";
  private static final int VERSIONS = 3;
  private static final int WRITES = 500;

  private static QueriedTable table;

  /** A condition twice: as a query, and as what a scan must find, in which order. */
  private record Case(
      ValueQuery query, Column column, Predicate<byte[]> matches, Comparator<ValueHit> order) {}

  @BeforeAll
  static void fill() throws IOException {
    table =
        QueriedTable.create(
            "kinds",
            family -> family.setMaxVersions(VERSIONS),
            IndexDefinition.on("text", TEXT).withType(ValueType.STRING),
            IndexDefinition.on("text" + SALTED, TEXT).withOption(IndexDefinition.BUCKETS, "3"),
            IndexDefinition.on("text_new", TEXT).withOrder(EntryOrder.BY_TIME),
            IndexDefinition.on("text_new" + SALTED, TEXT)
                .withOrder(EntryOrder.BY_TIME)
                .withOption(IndexDefinition.BUCKETS, "5"),
            IndexDefinition.on("start", TEXT)
                .withTokenizer(Tokenizers.PREFIX)
                .withOption(Tokenizers.PREFIX_LENGTH, "2"),
            IndexDefinition.on("start_new", TEXT)
                .withTokenizer(Tokenizers.PREFIX)
                .withOrder(EntryOrder.BY_TIME),
            IndexDefinition.on("number", NUMBER)
                .withType(ValueType.LONG)
                .withOption(IndexDefinition.BUCKETS, "4"));
    Random random = new Random(7);
    for (int i = 0; i < WRITES; i++) {
      String row = "r" + random.nextInt(40);
      // Few timestamps, so that values of one row meet at one timestamp.
      long timestamp = random.nextInt(200);
      Column column = random.nextBoolean() ? TEXT : NUMBER;
      byte[] value = column.equals(TEXT) ? text(random) : number(random);
      table.writeEntries(row, column, value, timestamp, WriteId.of(1, i));
      table.writeBase(row, column, value, timestamp);
      if (i % 25 == 0) {
        delete(row, timestamp, random);
      }
      if (i == WRITES / 2) {
        table.flush();
      }
    }
  }

  private static byte[] text(Random random) {
    String[] values = {"", "v", "v1", "v10", "v2", "va", "w", "w\0", "\u00FF"};
    return Bytes.toBytes(values[random.nextInt(values.length)]);
  }

  private static byte[] number(Random random) {
    return Bytes.toBytes((long) random.nextInt(20) - 10);
  }

  private static void delete(String row, long timestamp, Random random) throws IOException {
    Delete delete = new Delete(Bytes.toBytes(row));
    byte[] family = TEXT.family();
    switch (random.nextInt(4)) {
      case 0 -> delete.addFamily(family, timestamp);
      case 1 -> delete.addFamilyVersion(family, timestamp);
      case 2 -> delete.addColumns(family, TEXT.qualifier(), timestamp);
      default -> delete.addColumn(family, TEXT.qualifier(), timestamp);
    }
    try (Table base = table.table()) {
      base.delete(delete);
    }
  }

  private static Case draw(Random random) {
    return random.nextInt(4) == 0 ? onNumber(random) : onText(random);
  }

  private static Case onText(Random random) {
    byte[] a = text(random);
    byte[] b = text(random);
    boolean low = random.nextBoolean();
    boolean high = random.nextBoolean();
    Predicate<byte[]> equal = v -> Bytes.equals(v, a);
    Predicate<byte[]> starts = v -> Bytes.startsWith(v, a);
    Predicate<byte[]> inside =
        v -> above(Bytes.compareTo(v, a), low) && above(Bytes.compareTo(b, v), high);
    Comparator<ValueHit> time = NEWEST.thenComparing(BY_ROW);
    Comparator<ValueHit> key = BY_ROW.thenComparing(NEWEST);
    String text = "text" + (random.nextBoolean() ? "" : SALTED);
    String recent = "text_new" + (random.nextBoolean() ? "" : SALTED);
    return switch (random.nextInt(9)) {
      case 0 -> text(text, on -> on.equalTo(a), equal, key);
      case 1 -> text(recent, on -> on.equalTo(a), equal, time);
      case 2 -> text("start", on -> on.equalTo(a), equal, key);
      case 3 -> text("start_new", on -> on.equalTo(a), equal, time);
      case 4 -> text(text, on -> on.prefix(a), starts, BY_TEXT.thenComparing(key));
      case 5 -> text(recent, on -> on.prefix(a), starts, BY_TEXT.thenComparing(time));
      case 6 -> text("start", on -> on.prefix(a), starts, key);
      case 7 -> text("start_new", on -> on.prefix(a), starts, time);
      default -> text(text, on -> on.between(a, low, b, high), inside, BY_TEXT.thenComparing(key));
    };
  }

  private static Case text(
      String index,
      Function<ValueQuery.Target, ValueQuery> condition,
      Predicate<byte[]> matches,
      Comparator<ValueHit> order) {
    return new Case(condition.apply(ValueQuery.on(index)), TEXT, matches, order);
  }

  private static Case onNumber(Random random) {
    byte[] a = number(random);
    byte[] b = number(random);
    boolean low = random.nextBoolean();
    boolean high = random.nextBoolean();
    ValueQuery.Target on = ValueQuery.on("number");
    return switch (random.nextInt(5)) {
      case 0 ->
          number(
              on.between(a, low, b, high),
              v -> above(compare(v, a), low) && above(compare(b, v), high));
      case 1 -> number(on.atLeast(a), v -> compare(v, a) >= 0);
      case 2 -> number(on.greaterThan(a), v -> compare(v, a) > 0);
      case 3 -> number(on.atMost(a), v -> compare(v, a) <= 0);
      default -> number(on.lessThan(a), v -> compare(v, a) < 0);
    };
  }

  private static Case number(ValueQuery query, Predicate<byte[]> matches) {
    return new Case(query, NUMBER, matches, BY_NUMBER.thenComparing(BY_ROW).thenComparing(NEWEST));
  }

  private static int compare(byte[] a, byte[] b) {
    return Long.compare(Bytes.toLong(a), Bytes.toLong(b));
  }

  private static boolean above(int order, boolean inclusive) {
    return order > 0 || (order == 0 && inclusive);
  }

  /** Fewer where each hit takes a page, and so requests. */
  private static int cases(int page, int most) {
    return page == 1 ? most / 3 : most;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 17, 256})
  void findsWhatAScanFinds(int page) throws Exception {
    Random random = new Random(page);
    try (QueryEngine lookups = QueriedTable.lookups(page);
        Table base = table.table()) {
      for (int i = 0; i < cases(page, 60); i++) {
        Case c = draw(random);
        long asOf = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(220);
        int versions = 1 + random.nextInt(VERSIONS);
        boolean reversed = random.nextBoolean();
        ValueQuery query = c.query().versions(versions);
        query = asOf == Long.MAX_VALUE ? query : query.asOf(asOf);
        query = reversed ? query.reversed() : query;
        List<ValueHit> expected = BruteForce.of(base, asOf, versions).hits(c.column(), c.matches());
        expected.sort(reversed ? c.order().reversed() : c.order());
        String what = query.toString();

        assertSame(table.read(lookups, query), expected, what);
        assertSame(table.readOn(lookups, query, 1 + random.nextInt(9)), expected, what);
        assertSame(readPages(lookups, query, 1 + random.nextInt(9)), expected, what);
        assertSame(
            table.read(lookups, query.limit(3)),
            expected.subList(0, Math.min(3, expected.size())),
            what);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 256})
  void keepsTheMostRecent(int page) throws Exception {
    Random random = new Random(100 + page);
    // With little memory, entries are read several times.
    try (QueryEngine lookups = QueriedTable.lookups(page, page == 2 ? 2_000 : 1 << 20);
        Table base = table.table()) {
      for (int i = 0; i < 30; i++) {
        Case c = draw(random);
        int k = 1 + random.nextInt(12);
        int versions = 1 + random.nextInt(VERSIONS);
        ValueQuery query = c.query().versions(versions).mostRecent(k);
        List<ValueHit> expected =
            BruteForce.of(base, Long.MAX_VALUE, versions).hits(c.column(), c.matches());
        expected.sort(NEWEST.thenComparing(BY_ROW));
        expected = expected.subList(0, Math.min(k, expected.size()));
        assertSame(table.read(lookups, query), expected, query.toString());
        ValuePage all = lookups.page(table.definitions(), query).get();
        assertSame(all.hits(), expected, query.toString());
        assertThat(all.continuation()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 256})
  void combinesIndexes(int page) throws Exception {
    Random random = new Random(200 + page);
    try (QueryEngine lookups = QueriedTable.lookups(page);
        Table base = table.table()) {
      for (int i = 0; i < cases(page, 40); i++) {
        Case a = draw(random);
        Case b = draw(random);
        Case c = draw(random);
        ValueQuery query = a.query().and(b.query()).or(c.query());
        List<ValueHit> expected = new ArrayList<>();
        BruteForce scan = BruteForce.of(base, Long.MAX_VALUE, 1);
        Predicate<Result> both =
            BruteForce.newest(a.column(), a.matches())
                .and(BruteForce.newest(b.column(), b.matches()));
        List<ValueHit> first = scan.hits(a.column(), a.matches(), both);
        first.sort(a.order());
        List<ValueHit> second = scan.hits(c.column(), c.matches(), both.negate());
        second.sort(c.order());
        expected.addAll(first);
        expected.addAll(second);
        assertSame(table.read(lookups, query), expected, query.toString());
        assertSame(table.readOn(lookups, query, 1 + random.nextInt(5)), expected, query.toString());
        expected.sort(NEWEST.thenComparing(BY_ROW));
        int k = 1 + random.nextInt(9);
        assertSame(
            table.read(lookups, query.mostRecent(k)),
            expected.subList(0, Math.min(k, expected.size())),
            query.toString());
      }
    }
  }

  @Test
  void projectsColumnsOfTheHitsRow() throws Exception {
    try (QueryEngine lookups = QueriedTable.lookups(256);
        Table base = table.table()) {
      ValueQuery query = ValueQuery.on("text").prefix(new byte[0]).project(NUMBER, TEXT);
      List<ValueHit> hits = table.read(lookups, query);
      assertThat(hits).hasSizeGreaterThan(10);
      for (Result row : BruteForce.of(base, Long.MAX_VALUE, 1).rows()) {
        for (ValueHit hit : hits) {
          if (Bytes.equals(hit.row(), row.getRow())) {
            assertThat(hit.projected().toString()).isEqualTo(row.toString());
            assertThat(hit.projected().getValue(TEXT.family(), TEXT.qualifier()))
                .isEqualTo(hit.value());
          }
        }
      }
    }
  }

  private static List<ValueHit> readPages(QueryEngine lookups, ValueQuery query, int limit)
      throws Exception {
    List<ValueHit> hits = new ArrayList<>();
    Optional<Continuation> from = Optional.empty();
    do {
      ValueQuery run = from.map(query::from).orElse(query).limit(limit);
      ValuePage page = lookups.page(table.definitions(), run).get();
      assertThat(page.continuation().isEmpty() || page.hits().size() == limit).isTrue();
      hits.addAll(page.hits());
      from = page.continuation();
    } while (from.isPresent());
    return hits;
  }

  private static void assertSame(List<ValueHit> actual, List<ValueHit> expected, String query) {
    assertThat(actual.stream().map(ValueHit::toString))
        .as(query)
        .containsExactlyElementsOf(expected.stream().map(ValueHit::toString).toList());
  }
}
