package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import io.deli.service.TokenScan;
import io.deli.test.cluster.Counters;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an index of files answers is, cell by cell, what reading everything does, whatever is
 * written, flushed and compacted while both scans are open.
 */
class FileIndexTwinsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] OTHER = Bytes.toBytes("other");
  private static final byte[] RARE = Bytes.toBytes("rare");
  private static final int ROWS = 200;
  private static final int VALUES = 12;
  private static final int ROUNDS = 40;
  private static final long LAST_TIME = 50;

  private final Random random = new Random(Long.getLong("deli.seed", 20240405));
  private TableName name;

  private void create(String strategy, MemoryCompactionPolicy inMemory) throws IOException {
    name = MiniCluster.uniqueTable("twins");
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(family(F, inMemory))
              .setColumnFamily(family(G, inMemory))
              .setValue("hbase.memstore.inmemoryflush.threshold.factor", "0.00003")
              .setValue(HConstants.MAJOR_COMPACTION_PERIOD, "0")
              .setCompactionEnabled(false)
              .build());
    }
    DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
    for (String each : List.of(strategy, "none")) {
      admin.createIndex(name, IndexDefinition.on(each, Column.of(F, Q)).withStrategy(each));
      admin.createIndex(
          name, IndexDefinition.on(each + "_of_g", Column.of(G, Q)).withStrategy(each));
    }
  }

  private static ColumnFamilyDescriptor family(byte[] family, MemoryCompactionPolicy inMemory) {
    return ColumnFamilyDescriptorBuilder.newBuilder(family)
        .setMaxVersions(3)
        .setBlocksize(1 << 10)
        .setInMemoryCompaction(inMemory)
        .build();
  }

  @ParameterizedTest
  @CsvSource({"embedded, EAGER", "next, EAGER", "embedded, NONE", "next, NONE"})
  void bothScansSeeTheSame(String strategy, MemoryCompactionPolicy inMemory) throws Exception {
    create(strategy, inMemory);
    int found = 0;
    long read = Counters.value("lookupBlocksRead");
    long skipped = Counters.value("lookupBlocksSkipped");
    long searched = Counters.value("lookupFilesSearchedWhole");
    try (Table table = MiniCluster.connection().getTable(name)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 30; i++) {
          write(table);
        }
        found += compare(strategy, table, random.nextInt(3) == 0);
      }
    }
    assertThat(found).isGreaterThan(ROUNDS);
    assertThat(Counters.value("lookupBlocksRead")).isGreaterThan(read);
    assertThat(Counters.value("lookupBlocksSkipped") - skipped).isGreaterThan(500);
    assertThat(Counters.value("lookupFilesSearchedWhole")).isEqualTo(searched);
  }

  /** HBase opens the store of the other family ahead, which has hardly another row. */
  @Test
  void hitsInTheSecondFamilyAreFoundFarApart() throws Exception {
    create("next", MemoryCompactionPolicy.NONE);
    try (Table table = MiniCluster.connection().getTable(name)) {
      for (int file = 0; file < 4; file++) {
        for (int i = 0; i < ROWS; i++) {
          byte[] row = row(i);
          boolean hit = file == 3 && i % 70 == 0;
          table.put(new Put(row).addColumn(G, Q, hit ? RARE : value()));
          if (hit || i == 100) {
            table.put(new Put(row).addColumn(F, Q, RARE));
          }
        }
        MiniCluster.utility().flush(name);
      }
      Scan hits =
          scan("next", Map.of("_of_g", TokenRange.only(RARE)), 1, Long.MAX_VALUE, false)
              .withStartRow(row(0))
              .setLoadColumnFamiliesOnDemand(false);
      try (ResultScanner found = table.getScanner(hits)) {
        assertThat(found)
            .extracting(FileIndexTwinsTest::valueOf)
            .containsExactly("rare", "rare", "rare");
      }
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row%03d".formatted(number));
  }

  /** Writes a file of all rows but the first ones, with a rare value in two of them. */
  private void flush(Table table, int from, long time, Set<Integer> hits) throws IOException {
    for (int i = from; i < ROWS; i++) {
      table.put(new Put(row(i)).addColumn(F, Q, time, hits.contains(i) ? RARE : value()));
    }
    MiniCluster.utility().flush(name);
  }

  private List<String> rare(Table table) throws IOException {
    Scan hits =
        scan("next", Map.of("", TokenRange.only(RARE)), 1, Long.MAX_VALUE, false)
            .withStartRow(row(0))
            .setLoadColumnFamiliesOnDemand(false);
    List<String> rows = new ArrayList<>();
    try (ResultScanner found = table.getScanner(hits)) {
      found.forEach(result -> rows.add(Bytes.toString(result.getRow())));
    }
    return rows;
  }

  /** It has one row in memory, behind the hits, which a Get of a hit comes upon. */
  @Test
  void hitsInTheFirstFamilyAreFoundFarApart() throws Exception {
    create("next", MemoryCompactionPolicy.NONE);
    try (Table table = MiniCluster.connection().getTable(name)) {
      for (int file = 0; file < 4; file++) {
        flush(table, 0, file + 1, file == 3 ? Set.of(10, 90, 150) : Set.of());
      }
      table.put(new Put(row(180)).addColumn(G, Q, value()));
      assertThat(rare(table)).containsExactly("row010", "row090", "row150");
    }
  }

  /** HBase leaves out its file, and all others by their Bloom filters. */
  @Test
  void hitsBehindAnExpiredOneAreFoundFarApart() throws Exception {
    create("next", MemoryCompactionPolicy.NONE);
    long now = System.currentTimeMillis();
    try (Table table = MiniCluster.connection().getTable(name);
        Admin admin = MiniCluster.connection().getAdmin()) {
      flush(table, 0, now - 7_200_000, Set.of(0));
      ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamily(F);
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(family).setTimeToLive(3_600).build());
      for (int file = 0; file < 3; file++) {
        flush(table, 1, now + file, file == 2 ? Set.of(90) : Set.of());
      }
      table.put(new Put(row(180)).addColumn(F, Q, value()));
      assertThat(rare(table)).containsExactly("row090");
    }
  }

  /** Many versions of a few timestamps, so that equals meet at the K-th hit. */
  @ParameterizedTest
  @CsvSource({"embedded, EAGER", "next, EAGER", "embedded, NONE", "next, NONE"})
  void bothFindTheSameNewest(String strategy, MemoryCompactionPolicy inMemory) throws Exception {
    create(strategy, inMemory);
    int found = 0;
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(name)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 20; i++) {
          write(table);
        }
        disturb(table, true);
        byte[] value = value();
        int versions = 1 + random.nextInt(3);
        int most = 1 + random.nextInt(12);
        UnaryOperator<ValueQuery> options = query -> query.versions(versions).mostRecent(most);
        List<String> expected = find(table, options.apply(condition("none", value, round)));
        assertThat(find(table, options.apply(condition(strategy, value, round))))
            .as("%d newest of %s, versions %d", most, Bytes.toString(value), versions)
            .isEqualTo(expected);
        found += expected.size();
      }
    }
    assertThat(found).isGreaterThan(ROUNDS);
  }

  private static ValueQuery condition(String index, byte[] value, int round) {
    ValueQuery.Target on = ValueQuery.on(index);
    return round % 3 == 0 ? on.atLeast(value) : on.equalTo(value);
  }

  private static List<String> find(DeliTable table, ValueQuery query) throws IOException {
    List<String> found = new ArrayList<>();
    try (ValueScanner hits = table.readValue(query)) {
      for (ValueHit hit : hits) {
        found.add(hit.toString());
      }
    }
    return found;
  }

  private TokenRange tokens(boolean ofRange) {
    byte[] from = value();
    return ofRange
        ? TokenRange.of(from, TokenRange.startingWith(value()).end())
        : TokenRange.only(from);
  }

  private int compare(String strategy, Table table, boolean ofRange) throws Exception {
    Map<String, TokenRange> tokens = new TreeMap<>();
    int families = random.nextInt(3);
    if (families != 1) {
      tokens.put("", tokens(ofRange));
    }
    if (families != 0) {
      tokens.put("_of_g", tokens(ofRange));
    }
    int versions = 1 + random.nextInt(3);
    long end = random.nextInt(3) == 0 ? random.nextLong(1, LAST_TIME) : Long.MAX_VALUE;
    boolean reversed = random.nextInt(5) == 0;
    List<String> expected = new ArrayList<>();
    List<String> actual = new ArrayList<>();
    try (ResultScanner none = table.getScanner(scan("none", tokens, versions, end, reversed));
        ResultScanner indexed = table.getScanner(scan(strategy, tokens, versions, end, reversed))) {
      Result one;
      Result other;
      do {
        one = none.next();
        other = indexed.next();
        expected.add(text(one));
        actual.add(text(other));
        disturb(table, end == Long.MAX_VALUE);
      } while (one != null || other != null);
    }
    assertThat(actual)
        .as("%s of %s, versions %d, before %d, reversed %s", tokens, name, versions, end, reversed)
        .isEqualTo(expected);
    return expected.size() - 1;
  }

  /**
   * @param anyOf by what the names of their indexes end in
   */
  private Scan scan(
      String index, Map<String, TokenRange> anyOf, int versions, long end, boolean reversed)
      throws IOException {
    Scan scan =
        new Scan()
            .addColumn(F, Q)
            .addColumn(G, Q)
            .readVersions(versions)
            .setTimeRange(0, end)
            .setReversed(reversed)
            .setCaching(1);
    List<TokenScan> asked = new ArrayList<>();
    anyOf.forEach(
        (suffix, tokens) ->
            asked.add(
                new TokenScan(index + suffix, tokens, OptionalInt.empty(), Optional.empty())));
    TokenScan.ask(List.of(scan), asked);
    return scan;
  }

  private static String text(Result result) {
    return result == null ? "end" : result.listCells().toString() + valueOf(result);
  }

  private static String valueOf(Result result) {
    return Bytes.toString(result.getValue(F, Q));
  }

  /**
   * @param compacting not under a scan of an earlier time: whether that still sees surplus versions
   *     which a compaction drops is HBase's own affair
   */
  private void disturb(Table table, boolean compacting) throws IOException {
    HRegion region = MiniCluster.regions(name).get(0);
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> region.flush(true);
      case 3 -> {
        if (compacting) {
          region.compact(true);
        }
      }
      default -> write(table);
    }
  }

  private byte[] row() {
    return row(random.nextInt(ROWS));
  }

  private byte[] value() {
    return Bytes.toBytes("value%02d".formatted(random.nextInt(VALUES)));
  }

  /** Few timestamps, in no order, so that deletes and older versions matter. */
  private void write(Table table) throws IOException {
    byte[] row = row();
    long time = random.nextLong(1, LAST_TIME);
    switch (random.nextInt(20)) {
      case 0 -> table.delete(new Delete(row, time));
      case 1 -> table.delete(new Delete(row).addColumns(F, Q, time));
      case 2 -> table.delete(new Delete(row).addColumn(F, Q, time));
      case 3 -> table.delete(new Delete(row).addFamilyVersion(F, time));
      case 4, 5, 6 -> table.put(new Put(row).addColumn(F, OTHER, time, new byte[400]));
      case 7, 8, 9 -> table.put(new Put(row).addColumn(G, Q, time, value()));
      default -> table.put(new Put(row).addColumn(F, Q, time, value()));
    }
  }
}
