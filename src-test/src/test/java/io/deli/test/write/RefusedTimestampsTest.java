package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.internal.connect.Wiring;
import io.deli.client.internal.write.TableClient;
import io.deli.client.internal.write.TableClients;
import io.deli.client.internal.write.WriteContext;
import io.deli.entry.RowClock;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.service.DrawnTimestamp;
import io.deli.service.TimestampRefusal;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.ForwardingTableClients;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a client goes on drawing timestamps for a write that its region refuses. */
class RefusedTimestampsTest {
  private static final byte[] ROW = Bytes.toBytes("r");

  /**
   * A connection that counts what it sends to base regions, or has them refuse it: for a newer
   * write of the row that is so far ahead of their clock.
   */
  private static final class Counting extends DeliConnection {
    private Counting(AtomicInteger sent, OptionalLong lead) throws IOException {
      this(InstantSource.system(), sent, lead);
    }

    private Counting(InstantSource clock, AtomicInteger sent, OptionalLong lead)
        throws IOException {
      super(
          ConnectionFactory.createConnection(MiniCluster.configuration()),
          new Wiring(
              new WriteContext(new RowClock(clock)::next, clock, System::nanoTime),
              ports -> new CountingPorts(ports, sent, lead)));
    }
  }

  private static final class CountingPorts extends ForwardingTableClients {
    private final AtomicInteger sent;
    private final OptionalLong lead;

    CountingPorts(TableClients real, AtomicInteger sent, OptionalLong lead) {
      super(real);
      this.sent = sent;
      this.lead = lead;
    }

    @Override
    public TableClient base(TableName table) {
      TableClient real = super.base(table);
      return operations -> {
        sent.addAndGet(operations.size());
        if (lead.isEmpty()) {
          return real.send(operations);
        }
        return CompletableFuture.completedFuture(
            operations.stream()
                .map(row -> DrawnTimestamp.of((Put) row).orElseThrow().timestamp())
                .map(drawn -> new TimestampRefusal(drawn + lead.getAsLong(), drawn))
                .map(refusal -> refusal.toMessage("not admitted"))
                .map(FailedSanityCheckException::new)
                .toArray());
      };
    }
  }

  @Test
  void whatIsRefusedAgainAndAgainFailsAndLeavesNoEntry() throws Exception {
    putFails(OptionalLong.of(0), 21, "refused 20 timestamps in a row", "Try again");
  }

  /** The clock of the region server was set back since. */
  @Test
  void whatWouldHaveToWaitForAnHourFails() throws Exception {
    putFails(OptionalLong.of(3_600_000), 1, "the region server's clock is behind");
  }

  private static void putFails(OptionalLong behindMillis, int requests, String... reasons)
      throws Exception {
    TestTable written = TestTable.create("refused", 3);
    AtomicInteger sent = new AtomicInteger();
    try (Counting connection = new Counting(sent, behindMillis)) {
      CompletableFuture<Void> put = connection.getAsyncTable(written.name()).put(put("mine"));
      assertThatThrownBy(() -> put.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining(written.name().getNameAsString())
          .hasMessageContainingAll(reasons);
      assertThat(sent.get()).isEqualTo(requests);
      Eventually.holds(written::assertEmpty);
    }
  }

  @Test
  void ofManyPutsOfOneRowAtOnceEachIsSoonAdmitted() throws Exception {
    TestTable written = TestTable.create("crowded", 200);
    AtomicInteger sent = new AtomicInteger();
    try (Counting connection = new Counting(sent, OptionalLong.empty())) {
      List<CompletableFuture<Void>> puts = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        puts.add(connection.getAsyncTable(written.name()).put(put("v" + i)));
      }
      CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
      // Drawing all at once, each is sent six to eleven times.
      assertThat(sent.get()).isLessThan(4 * puts.size());
      Eventually.holds(written::assertIndexed);
    }
  }

  private static Put put(String value) {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value));
  }

  /** The clock of one client is ahead; another draws the same timestamp when that has come. */
  @Test
  void whatIsAdmittedLaterWithARefusedTimestampHasItsEntry() throws Exception {
    TestTable written = TestTable.create("ahead", 3);
    long drawn = putAt(written, () -> System.currentTimeMillis() + 2_500);
    assertThat(written.justifiedByDead()).noneMatch(version -> version.endsWith("@" + drawn));
    while (System.currentTimeMillis() <= drawn) {
      Thread.sleep(10);
    }
    putAt(written, () -> drawn);
    assertThat(written.justifiedByDead())
        .hasSize(2)
        .anyMatch(version -> version.endsWith("@" + drawn));
    written.assertIndexed();
  }

  /** Draws a timestamp once, when all is there that a write needs; returns it. */
  private static long putAt(TestTable written, LongSupplier clock) throws IOException {
    AtomicLong drawn = new AtomicLong();
    // Closing it waits for what goes on behind its writes.
    try (DeliConnection connection =
            DeliConnection.wrap(
                ConnectionFactory.createConnection(MiniCluster.configuration()),
                row -> drawn.get());
        DeliTable table = connection.getTable(written.name())) {
      table.exists(new Get(ROW));
      drawn.set(clock.getAsLong());
      table.put(put("mine"));
    }
    return drawn.get();
  }

  /** Write ids are by the client's clock, too: of a condition, and of what has a timestamp. */
  @ParameterizedTest
  @ValueSource(ints = {12, -12})
  void writesWithIdsAreRepeatedByTheServersClock(int minutes) throws Exception {
    byte[] mine = Bytes.toBytes("mine");
    Put partly = put("next").addColumn(FAMILY, OTHER, 1, mine);
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, QUALIFIER).build(put("mine"));
    IndexDefinition byServers =
        IndexDefinition.on("by_o", Column.of(FAMILY, OTHER)).withMaintenance(Maintenance.SERVER);
    for (Row write : List.of(conditional, partly)) {
      TestTable both = TestTable.create("both", 3, List.of(TestTable.byQ(), byServers));
      AtomicInteger sent = new AtomicInteger();
      try (Counting connection =
              new Counting(
                  InstantSource.offset(InstantSource.system(), Duration.ofMinutes(minutes)),
                  sent,
                  OptionalLong.empty());
          DeliTable table = connection.getTable(both.name())) {
        table.batch(List.of(write), new Object[1]);
        assertThat(sent.get()).isGreaterThan(1);
        assertThat(table.exists(new Get(ROW))).isTrue();
      }
      assertThat(both.entries()).containsAll(both.justifiedByDead());
    }
  }
}
