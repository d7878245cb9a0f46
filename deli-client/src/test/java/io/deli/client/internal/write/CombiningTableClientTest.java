package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class CombiningTableClientTest {
  private static final ServerName SERVER = ServerName.valueOf("server", 1, 1);
  private static final TableName TABLE = TableName.valueOf("t");

  /** In two requests side by side the second might be applied first. */
  @Test
  void operationsOfOneRowStayTogetherThoughItsRegionIsAnotherOneMeanwhile() {
    AtomicLong splits = new AtomicLong();
    List<List<Row>> requests = new ArrayList<>();
    CombiningTableClient client =
        new CombiningTableClient(
            calls -> requests.add(calls.stream().map(Call::operation).toList()),
            row -> CompletableFuture.completedFuture(region(splits.incrementAndGet())),
            new ServerQueue.Limits(16, 1, 4, 1_000, 1 << 20),
            Scheduler.SYSTEM);
    List<Row> row = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      row.add(i % 2 == 0 ? new Delete(Bytes.toBytes("row")) : new Put(Bytes.toBytes("row")));
    }
    List<Row> all = new ArrayList<>(row);
    all.add(new Put(Bytes.toBytes("another")));
    CompletableFuture<Object[]> unanswered = client.send(all);
    assertThat(unanswered).isNotDone();
    assertThat(requests.get(0)).isEqualTo(row);
    assertThat(requests).hasSize(2);
  }

  /** To a server that has one request under way at a time. */
  private static CombiningTableClient oneAtATime(List<List<Call>> requests) {
    return oneAtATime(requests, row -> region(1));
  }

  private static CombiningTableClient oneAtATime(
      List<List<Call>> requests, Function<Row, HRegionLocation> locator) {
    return new CombiningTableClient(
        requests::add,
        locator.andThen(CompletableFuture::completedFuture),
        new ServerQueue.Limits(0, 1, 1, 1_000, 1 << 20),
        Scheduler.SYSTEM);
  }

  /** HBase serves a request by the highest priority in it. */
  @Test
  void operationsOfAnotherPriorityHaveRequestsOfTheirOwn() {
    List<List<Call>> requests = new ArrayList<>();
    CombiningTableClient client = oneAtATime(requests);
    List<CompletableFuture<?>> unanswered = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Put put = new Put(Bytes.toBytes("row" + i));
      unanswered.add(client.send(List.of(i % 2 == 0 ? put : put.setPriority(7))));
    }
    assertThat(requests).hasSize(2);
    List.copyOf(requests).forEach(request -> request.get(0).answered("done", null));
    assertThat(requests).hasSize(4);
    assertThat(requests.get(2)).extracting(Call::priority).containsOnly(HConstants.PRIORITY_UNSET);
    assertThat(requests.get(3)).extracting(Call::priority).containsOnly(7);
    assertThat(unanswered).filteredOn(CompletableFuture::isDone).hasSize(2);
  }

  /** HBase's batch takes it from single mutations only. */
  @Test
  void whatWouldLoseItsPriorityInABatchIsSentAlone() throws Exception {
    List<List<Call>> requests = new ArrayList<>();
    CombiningTableClient client = oneAtATime(requests);
    List<CompletableFuture<?>> unanswered = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      byte[] row = Bytes.toBytes("row" + i);
      Put put = new Put(row).addColumn(row, row, row).setPriority(7);
      unanswered.add(client.send(List.of(RowMutations.of(List.of(put)))));
      unanswered.add(
          client.send(List.of(CheckAndMutate.newBuilder(row).ifNotExists(row, row).build(put))));
    }
    assertThat(unanswered).noneMatch(CompletableFuture::isDone);
    assertThat(requests).hasSize(4).allMatch(request -> request.size() == 1);
  }

  /** HBase's client ends its own search by the table's time-outs. */
  @Test
  void operationsWhoseRegionIsNotFoundAreSentAllTheSame() {
    List<List<Row>> requests = new ArrayList<>();
    CombiningTableClient client =
        new CombiningTableClient(
            calls -> {
              requests.add(calls.stream().map(Call::operation).toList());
              calls.forEach(call -> call.answered("sent", null));
            },
            row -> new CompletableFuture<>(),
            new ServerQueue.Limits(16, 1, 4, 1_000, 1 << 20),
            Scheduler.SYSTEM);
    List<Row> row = List.of(new Delete(Bytes.toBytes("row")), new Put(Bytes.toBytes("row")));
    assertThat(client.send(row)).succeedsWithin(1, TimeUnit.MINUTES);
    assertThat(requests).containsExactly(row);
  }

  @Test
  void aServerThatWasRestarted_hasTheQueueThatItHad() {
    List<List<Call>> requests = new ArrayList<>();
    AtomicLong starts = new AtomicLong();
    CombiningTableClient client =
        oneAtATime(
            requests, row -> region(1, ServerName.valueOf("server", 1, starts.incrementAndGet())));
    List<CompletableFuture<?>> unanswered = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      unanswered.add(client.send(List.of(new Put(Bytes.toBytes("row" + i)))));
    }
    assertThat(requests).hasSize(1);
    requests.get(0).get(0).answered("done", null);
    assertThat(requests).extracting(List::size).containsExactly(1, 2);
    assertThat(unanswered).filteredOn(CompletableFuture::isDone).hasSize(1);
  }

  private static HRegionLocation region(long id) {
    return region(id, SERVER);
  }

  private static HRegionLocation region(long id, ServerName server) {
    return new HRegionLocation(RegionInfoBuilder.newBuilder(TABLE).setRegionId(id).build(), server);
  }
}
