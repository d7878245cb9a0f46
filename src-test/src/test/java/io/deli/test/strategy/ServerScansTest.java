package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import io.deli.client.Continuation;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.RegionClient;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import io.deli.service.RegionService;
import io.deli.service.ServerScan;
import io.deli.service.ServerScan.Rows;
import io.deli.service.TokenScan;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.RegionServerRpcs;
import io.deli.test.cluster.TestTable;
import io.deli.token.Tokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lookup by the table's own files asks each region server once. */
class ServerScansTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final ValueQuery FIND = ValueQuery.on("i").equalTo(VALUE);
  private static final List<String> ROWS =
      IntStream.range(0, 60).filter(i -> i % 3 > 0).mapToObj("r%02d"::formatted).toList();
  private static final byte[][] SPLITS = {
    Bytes.toBytes("r10"), Bytes.toBytes("r20"), Bytes.toBytes("r30"), Bytes.toBytes("r45")
  };

  private static final int CALLERS = 24;
  private static final int LOOKUPS = 20;

  private final TableName name = MiniCluster.uniqueTable("server_scans");
  private DeliConnection connection;
  private DeliTable table;
  private HookObserver hooks;

  @BeforeEach
  void create() throws Exception {
    MiniCluster.utility().createTable(name, COLUMN.family(), SPLITS);
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(name, IndexDefinition.on("i", COLUMN).withStrategy("embedded"));
    connection = MiniCluster.connect();
    table = connection.getTable(name);
    hooks = HookObserver.on(name);
    MiniCluster.spread(name);
    for (int i = 0; i < 60; i++) {
      byte[] value = i % 3 > 0 ? VALUE : Bytes.toBytes("other");
      table.put(
          new Put(Bytes.toBytes("r%02d".formatted(i)))
              .addColumn(COLUMN.family(), COLUMN.qualifier(), i + 1, value));
    }
    assertThat(find(FIND)).isEqualTo(ROWS);
  }

  @AfterEach
  void close() throws IOException {
    table.close();
    connection.close();
  }

  private List<String> find(ValueQuery query) throws IOException {
    return find(table, query);
  }

  private static List<String> find(DeliTable table, ValueQuery query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ValueScanner hits = table.readValue(query)) {
      for (ValueHit hit : hits) {
        assertThat(hit.value()).isEqualTo(VALUE);
        rows.add(Bytes.toString(hit.row()));
      }
    }
    return rows;
  }

  @Test
  void aRangeThatEndsWithTheRowReadLast_hasNoMore() throws Exception {
    byte[] behind = Arrays.copyOf(Bytes.toBytes("r01"), 4);
    ValueQuery upToFirst = FIND.rows(Bytes.toBytes("r00"), behind).limit(1);
    try (ValueScanner first = table.readValue(upToFirst)) {
      assertThat(first.next()).isPresent();
      assertThat(find(upToFirst.from(first.continuation().orElseThrow()))).isEmpty();
    }
  }

  @Test
  void eachServerIsAskedOnceForAllItsRegions() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    hooks.each(Moment.CALL, "Scan"::equals, (region, method) -> calls.incrementAndGet());
    RegionServerRpcs cost =
        RegionServerRpcs.of(
            () -> {
              calls.set(0);
              assertThat(find(FIND)).isEqualTo(ROWS);
            });
    assertThat(cost).isEqualTo(new RegionServerRpcs(0, 0, 0));
    assertThat(calls).hasValue(2);
  }

  @Test
  void aRegionWithoutHitsIsNotScanned() throws Exception {
    byte[] row = Bytes.toBytes("r21");
    byte[] rare = Bytes.toBytes("rare");
    table.put(new Put(row).addColumn(COLUMN.family(), COLUMN.qualifier(), 100, rare));
    AtomicInteger scans = new AtomicInteger();
    hooks.each(Moment.STORE_SCAN, (region, scan) -> scans.incrementAndGet());
    for (String where : List.of("memory", "files")) {
      scans.set(0);
      try (ValueScanner hits = table.readValue(ValueQuery.on("i").equalTo(rare))) {
        assertThat(hits).extracting(ValueHit::row).containsExactly(row);
      }
      assertThat(scans).as(where).hasValue(1);
      MiniCluster.utility().flush(name);
    }
  }

  @Test
  void limitsAndContinuationsHold() throws Exception {
    for (int limit : new int[] {1, 7, 13, 40, 41}) {
      assertThat(find(FIND.limit(limit))).isEqualTo(ROWS.subList(0, Math.min(limit, 40)));
      List<String> rows = new ArrayList<>();
      Optional<Continuation> from = Optional.empty();
      do {
        ValueQuery run = from.map(FIND::from).orElse(FIND).limit(limit);
        try (ValueScanner hits = table.readValue(run)) {
          hits.forEach(hit -> rows.add(Bytes.toString(hit.row())));
          from = hits.continuation();
        }
      } while (from.isPresent());
      assertThat(rows).isEqualTo(ROWS);
    }
    assertThat(find(FIND.mostRecent(3))).containsExactly("r59", "r58", "r56");
  }

  @Test
  void aServerAnswersInPiecesIfThereIsMuch() throws Exception {
    TestTable.set(name, "hbase.client.scanner.max.result.size", "100");
    AtomicInteger calls = new AtomicInteger();
    hooks.each(Moment.CALL, "Scan"::equals, (region, method) -> calls.incrementAndGet());
    assertThat(find(FIND)).isEqualTo(ROWS);
    assertThat(calls).hasValueGreaterThan(10);
  }

  /** Takes its time for each value, on region servers. */
  public static final class Slow implements Tokenizer {
    @Override
    public List<byte[]> tokens(byte[] value) {
      if (RpcServer.getCurrentCall().isPresent()) {
        try {
          Thread.sleep(20);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return List.of(value);
    }
  }

  private void slowIndex() throws IOException {
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(
            name,
            IndexDefinition.on("slow", COLUMN)
                .withStrategy("embedded")
                .withTokenizer(Slow.class.getName()));
    close();
    connection = MiniCluster.connect();
    table = connection.getTable(name);
  }

  /** Behind each piece HBase frees what it has read for it. */
  @Test
  void aServerReadsInPiecesIfItTakesLong() throws Exception {
    slowIndex();
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger pieces = new AtomicInteger();
    hooks.each(Moment.CALL, "Scan"::equals, (region, method) -> calls.incrementAndGet());
    hooks.each(Moment.SCANNED, (region, rows) -> pieces.incrementAndGet());
    ValueQuery slowly = ValueQuery.on("slow").equalTo(VALUE);
    assertThat(find(slowly)).isEqualTo(ROWS);
    assertThat(calls).hasValue(2);
    assertThat(pieces).as("of five regions").hasValueGreaterThan(8);
    assertThat(find(slowly.limit(25))).isEqualTo(ROWS.subList(0, 25));
  }

  @Test
  void withoutTimeForOneAnswerItIsAScan() throws Exception {
    TestTable.set(name, "hbase.rpc.timeout", "0");
    assertThat(RegionServerRpcs.of(() -> assertThat(find(FIND)).isEqualTo(ROWS)).scans())
        .isEqualTo(5);
  }

  @Test
  void aServerThatDoesNotKnowTheRequestIsScanned() throws Exception {
    hooks.each(
        Moment.CALL,
        "Scan"::equals,
        (region, method) -> {
          throw new UnknownProtocolException("no such method");
        });
    assertThat(RegionServerRpcs.of(() -> assertThat(find(FIND)).isEqualTo(ROWS)).scans())
        .isEqualTo(5);
  }

  /** However many others answer meanwhile. */
  @Test
  void aServerThatHasNothingToSayOfTheFirstRowsIsAskedOnce() throws Exception {
    ServerName server = MiniCluster.serverOf(name);
    List<RegionInfo> first = MiniCluster.utility().getAdmin().getRegions(server);
    AtomicInteger asked = new AtomicInteger();
    hooks.each(
        Moment.CALL,
        "Scan"::equals,
        (region, method) -> {
          if (first.contains(region.getRegionInfo())) {
            asked.incrementAndGet();
            throw new DoNotRetryIOException("too slow");
          }
        });
    assertThat(find(FIND)).isEqualTo(ROWS);
    assertThat(asked).hasValue(1);
  }

  @Test
  void aRegionThatFailsIsAskedAgain() throws Exception {
    for (int number = 1; number <= 5; number++) {
      hooks.at(
          number,
          Moment.SCAN,
          scan -> true,
          (region, scan) -> {
            throw new IOException("for once");
          });
      assertThat(find(FIND)).isEqualTo(ROWS);
      assertThat(hooks.isPlanned(Moment.SCAN)).isFalse();
    }
  }

  /** They share requests, and one takes longer than the others may wait for it. */
  @Test
  void lookupsOfManyCallersAreAnsweredEachItsOwn() throws Exception {
    slowIndex();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      callers.add(
          CompletableFuture.runAsync(
              () -> lookUp(ValueQuery.on("slow").equalTo(VALUE), 3), threads));
      for (int i = 1; i < CALLERS; i++) {
        int limit = i;
        callers.add(CompletableFuture.runAsync(() -> lookUp(FIND, limit), threads));
      }
      callers.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
  }

  private void lookUp(ValueQuery query, int limit) {
    try (DeliTable own = connection.getTable(name)) {
      for (int i = 0; i < LOOKUPS; i++) {
        assertThat(find(own, query.limit(limit))).isEqualTo(ROWS.subList(0, limit));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerScan first(int rows, String index) {
    return of(new Scan().setLimit(rows), index);
  }

  private static ServerScan of(Scan scan, String index) {
    scan.addColumn(COLUMN.family(), COLUMN.qualifier());
    TokenScan wanted =
        new TokenScan(index, TokenRange.only(VALUE), OptionalInt.empty(), Optional.empty());
    TokenScan.ask(List.of(scan), List.of(wanted));
    return ServerScan.of(scan, List.of(new Rows(new byte[0], new byte[0])));
  }

  private List<List<String>> ask(ServerScan... scans) throws IOException {
    try (Table plain = MiniCluster.connection().getTable(name)) {
      Message answer =
          RegionClient.call(
              plain, new byte[0], RegionService.SCAN, ServerScan.request(List.of(scans)));
      return ServerScan.Answer.of(answer).found().stream()
          .map(parts -> parts.stream().flatMap(part -> part.results().stream()))
          .map(rows -> rows.map(row -> Bytes.toString(row.getRow())).toList())
          .toList();
    }
  }

  @Test
  void aScanThatIsRefusedFailsAlone() throws Exception {
    List<List<String>> found = new ArrayList<>();
    MiniCluster.utility()
        .waitFor(
            60_000,
            () -> {
              found.clear();
              found.addAll(ask(first(3, "i"), first(3, "unknown"), first(40, "i")));
              assertThat(found.get(1)).isEmpty();
              // They may not keep each other waiting for long: a busy server answers in part.
              return found.get(0).size() == 3 && found.get(2).size() > 3;
            });
    assertThat(found.get(2)).isSubsetOf(ROWS);
    assertThat(found.get(0)).isEqualTo(found.get(2).subList(0, 3));
    assertThatThrownBy(() -> ask(first(3, "unknown"))).hasMessageContaining("unknown");
  }

  @Test
  void eachRegionHasAScanOfItsOwn() throws Exception {
    AtomicInteger regions = new AtomicInteger();
    AtomicInteger marked = new AtomicInteger();
    hooks.each(
        Moment.SCAN,
        (region, scan) -> {
          regions.incrementAndGet();
          marked.addAndGet(scan.getAttribute("mark") == null ? 0 : 1);
          scan.setAttribute("mark", new byte[1]);
        });
    for (Scan scan : List.of(new Scan(), new Scan().setFilter(new PageFilter(1)))) {
      regions.set(0);
      List<String> found = ask(of(scan.setLimit(60), "i")).get(0);
      assertThat(regions).hasValueGreaterThan(1);
      assertThat(marked).hasValue(0);
      assertThat(found).hasSizeGreaterThanOrEqualTo(regions.get());
      // It lets one row of each region pass.
      assertThat(found.size() == regions.get()).isEqualTo(scan.hasFilter());
    }
  }

  @Test
  void nothingIsMissedWhileRegionsMoveAndSplit() throws Exception {
    CompletableFuture<Void> moves = Background.run(this::moveAndSplit);
    int lookups = 0;
    while (!moves.isDone()) {
      assertThat(find(FIND)).isEqualTo(ROWS);
      assertThat(find(FIND.limit(25))).isEqualTo(ROWS.subList(0, 25));
      lookups++;
    }
    moves.join();
    assertThat(lookups).isPositive();
    assertThat(find(FIND)).isEqualTo(ROWS);
  }

  private void moveAndSplit() throws Exception {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      for (int i = 0; i < 6; i++) {
        List<RegionInfo> regions = admin.getRegions(name);
        admin.move(regions.get(i % regions.size()).getEncodedNameAsBytes());
      }
      for (RegionInfo region : admin.getRegions(name)) {
        MiniCluster.forgetMoves(region);
      }
      admin.split(name, Bytes.toBytes("r37"));
      MiniCluster.utility().waitFor(60_000, () -> admin.getRegions(name).size() == 6);
    }
  }
}
