package io.deli.coprocessor.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerAccounting;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalDeleteSenderTest {
  private static final TableName TABLE = TableName.valueOf("t.i");
  private static final byte[] FAMILY = Bytes.toBytes("i");

  private interface Batch {
    OperationStatus[] apply(Mutation[] mutations) throws Exception;
  }

  private final Configuration configuration = new Configuration(false);
  private final List<Region> open = new ArrayList<>();
  private final List<String> applied = new ArrayList<>();
  private final List<String> handedOn = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private double pressure;
  private LocalDeleteSender sender;

  @AfterEach
  void close() {
    end.countDown();
    sender.close();
  }

  private static String row(Mutation mutation) {
    return Bytes.toString(mutation.getRow());
  }

  /** Of rows from {@code b} to {@code d}. */
  private void open(int replica, Batch batch) {
    RegionInfo info =
        RegionInfoBuilder.newBuilder(TABLE)
            .setStartKey(Bytes.toBytes("b"))
            .setEndKey(Bytes.toBytes("d"))
            .setReplicaId(replica)
            .build();
    open.add(
        (Region)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Region.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "getRegionInfo" -> info;
                      case "batchMutate" -> batch.apply((Mutation[]) arguments[0]);
                      case "hashCode" -> info.hashCode();
                      case "equals" -> proxy == arguments[0];
                      default -> info.toString();
                    }));
  }

  private RegionServerAccounting accounting() {
    return new RegionServerAccounting(configuration) {
      @Override
      public double getFlushPressure() {
        return pressure;
      }
    };
  }

  private OperationStatus[] applyAll(Mutation[] mutations) {
    Stream.of(mutations).map(LocalDeleteSenderTest::row).forEach(applied::add);
    return Stream.of(mutations)
        .map(each -> OperationStatus.SUCCESS)
        .toArray(OperationStatus[]::new);
  }

  private CompletableFuture<Void> handOn(List<IndexDelete> deletes) {
    deletes.forEach(delete -> handedOn.add(row(delete.delete())));
    assertThat(deletes).noneMatch(delete -> delete.delete().isEmpty());
    deletes.forEach(IndexDelete::acknowledge);
    return CompletableFuture.completedFuture(null);
  }

  private List<IndexDelete> send(long timeoutMillis, String... rows) {
    return start(timeoutMillis, rows).join();
  }

  private CompletableFuture<List<IndexDelete>> start(long timeoutMillis, String... rows) {
    if (sender == null) {
      RegionServerServices server =
          (RegionServerServices)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {RegionServerServices.class},
                  (proxy, method, arguments) ->
                      method.getName().equals("getRegions") ? open : accounting());
      GcMetrics metrics =
          new GcMetrics(
              MetricRegistries.global().create(new MetricRegistryInfo("l", "l", "l", "l", false)));
      sender =
          new LocalDeleteSender(
              server, configuration, metrics, (table, deletes, millis, done) -> handOn(deletes));
    }
    List<IndexDelete> deletes =
        Stream.of(rows)
            .map(row -> new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, 1, KeyValue.Type.Delete))
            .map(marker -> new IndexDelete(TABLE, marker))
            .toList();
    return sender.send(TABLE, deletes, timeoutMillis, () -> {}).thenApply(done -> deletes);
  }

  @Test
  void deletes_ofAnOpenRegion_areAppliedThere_andOthersHandedOn() {
    open(0, this::applyAll);
    assertThat(send(10_000, "a", "b", "c", "d")).allMatch(IndexDelete::isAcknowledged);
    assertThat(applied).containsExactly("b", "c");
    assertThat(handedOn).containsExactly("a", "d");
  }

  @Test
  void deletes_thatARegionDoesNotTake_areHandedOn() {
    open(
        0,
        mutations -> {
          OperationStatus[] done = applyAll(mutations);
          done[1] = OperationStatus.FAILURE;
          return done;
        });
    assertThat(send(10_000, "b", "c")).allMatch(IndexDelete::isAcknowledged);
    assertThat(handedOn).containsExactly("c");
    open.clear();
    open(
        0,
        mutations -> {
          throw new IOException("closing");
        });
    assertThat(send(10_000, "b1", "b2")).allMatch(IndexDelete::isAcknowledged);
    assertThat(handedOn).containsExactly("c", "b1", "b2");
  }

  /** As those of posting lists do, before a later row of the batch fails. */
  @Test
  void deletes_whoseCellsAnObserverTookOut_areHandedOnWhole() {
    open(
        0,
        mutations -> {
          Stream.of(mutations).forEach(each -> each.getFamilyCellMap().clear());
          throw new IOException("closing");
        });
    assertThat(send(10_000, "b", "c")).allMatch(IndexDelete::isAcknowledged);
    assertThat(handedOn).containsExactly("b", "c");
  }

  @Test
  void allIsHandedOn_toAReplica_withLittleMemory_orWithQuotas() {
    open(1, this::applyAll);
    send(10_000, "b");
    open(0, this::applyAll);
    pressure = 1;
    send(10_000, "b");
    pressure = 0;
    sender.close();
    sender = null;
    configuration.setBoolean(QuotaUtil.QUOTA_CONF_KEY, true);
    send(10_000, "b");
    assertThat(handedOn).containsExactly("b", "b", "b");
    assertThat(applied).isEmpty();
  }

  @Test
  void aRegionThatHangs_isGivenUpInTime_andKeepsNoOtherWaiting() throws Exception {
    CountDownLatch hanging = new CountDownLatch(8);
    open(
        0,
        mutations -> {
          hanging.countDown();
          assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
          return applyAll(mutations);
        });
    // One that no thread begins ahead of its time-out never hangs.
    List<CompletableFuture<List<IndexDelete>>> late =
        Stream.generate(() -> start(3_000, "b")).limit(8).toList();
    assertThat(hanging.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(late.stream().flatMap(each -> each.join().stream()))
        .hasSize(8)
        .noneMatch(IndexDelete::isAcknowledged);
    assertThat(send(60_000, "c")).allMatch(IndexDelete::isAcknowledged);
    assertThat(handedOn).containsExactly("c");
  }
}
