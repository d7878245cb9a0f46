package io.deli.coprocessor.internal.compactiontrigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.collect.Collector;
import io.deli.coprocessor.internal.collect.RegionWaits;
import io.deli.coprocessor.internal.send.ServerResources;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.junit.jupiter.api.Test;

class CompactionTriggerTest {
  private final AtomicInteger looks = new AtomicInteger();
  private final CountDownLatch failed = new CountDownLatch(1);
  private final CountDownLatch estimated = new CountDownLatch(1);

  private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }

  private static RegionCoprocessorEnvironment env() {
    Configuration configuration = new Configuration(false);
    return proxy(
        RegionCoprocessorEnvironment.class,
        Map.of(
            "getConfiguration",
            configuration,
            "getOnlineRegions",
            proxy(RegionServerServices.class, Map.of("getConfiguration", configuration)),
            "getServerName",
            ServerName.valueOf("here", 1, 1),
            "getSharedData",
            new ConcurrentHashMap<String, Object>(),
            "getMetricRegistryForRegionServer",
            MetricRegistries.global().create(new MetricRegistryInfo("t", "r", "i", "g", true))));
  }

  /** The first estimate ends its thread. */
  private List<WatchedStore> watched() {
    boolean isHook = !Thread.currentThread().getName().equals("deli-gc");
    if (isHook) {
      return List.of(new WatchedStore(null, null, null));
    }
    if (looks.getAndIncrement() == 0) {
      failed.countDown();
      throw new InternalError("no more");
    }
    estimated.countDown();
    return List.of();
  }

  @Test
  void anEstimateThatEndsItsThreadIsNotTheLast() throws Exception {
    RegionCoprocessorEnvironment env = env();
    ServerResources server = ServerResources.join(env);
    try {
      Region region =
          proxy(
              Region.class,
              Map.of(
                  "getTableDescriptor",
                  TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).build()));
      Collector collector =
          new Collector(server.sender(), server.metrics(), new RegionWaits(), server.background());
      CompactionTrigger trigger = new CompactionTrigger(region, this::watched, collector, server);
      trigger.flushed();
      assertThat(failed.await(1, TimeUnit.MINUTES)).isTrue();
      // The thread ends a little later.
      for (int i = 0; i < 100 && estimated.getCount() > 0; i++) {
        trigger.flushed();
        estimated.await(100, TimeUnit.MILLISECONDS);
      }
      assertThat(estimated.getCount()).isZero();
    } finally {
      ServerResources.leave(env);
    }
  }
}
