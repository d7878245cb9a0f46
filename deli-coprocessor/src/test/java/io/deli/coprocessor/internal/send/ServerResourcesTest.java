package io.deli.coprocessor.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.entry.EntryCodec;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the regions of a server share, and when. */
class ServerResourcesTest {
  private static final String REGISTRY = "hbase.client.registry.impl";
  private static final ServerName SERVER = ServerName.valueOf("here", 1, 1);

  private final MetricRegistry metrics =
      MetricRegistries.global().create(new MetricRegistryInfo("a", "b", "c", "d", true));
  private final ConcurrentMap<String, Object> shared = new ConcurrentHashMap<>();
  private final Configuration ofServer = new Configuration(false);
  private final Configuration ofTable = new Configuration(false);

  /** What a connection asks first. */
  public static class CountedRegistry implements ConnectionRegistry {
    private static final AtomicInteger MADE = new AtomicInteger();

    /** As HBase 2.5 calls it. */
    public CountedRegistry(Configuration configuration) {
      MADE.incrementAndGet();
    }

    /** As newer HBase calls it. */
    public CountedRegistry(Configuration configuration, User user) {
      this(configuration);
    }

    private static <T> CompletableFuture<T> unreachable() {
      return CompletableFuture.failedFuture(new IOException("there is no cluster"));
    }

    @Override
    public CompletableFuture<RegionLocations> getMetaRegionLocations() {
      return unreachable();
    }

    @Override
    public CompletableFuture<String> getClusterId() {
      return unreachable();
    }

    @Override
    public CompletableFuture<ServerName> getActiveMaster() {
      return unreachable();
    }

    @SuppressWarnings("MissingOverride") // of HBase 2.6
    public String getConnectionString() {
      return "nowhere";
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void configure() {
    CountedRegistry.MADE.set(0);
    ofServer.set(REGISTRY, CountedRegistry.class.getName());
    ofTable.addResource(ofServer);
  }

  private RegionCoprocessorEnvironment env() {
    RegionServerServices server =
        proxy(RegionServerServices.class, Map.of("getConfiguration", ofServer));
    return proxy(
        RegionCoprocessorEnvironment.class,
        Map.of(
            "getConfiguration", ofTable,
            "getOnlineRegions", server,
            "getServerName", SERVER,
            "getSharedData", shared,
            "getMetricRegistryForRegionServer", metrics));
  }

  private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }

  private static IndexDelete sent(ServerResources server) {
    TableName index = TableName.valueOf("t.by_q");
    IndexDelete delete =
        new IndexDelete(
            index,
            new KeyValue(
                Bytes.toBytes("entry"), EntryCodec.family(), null, 1, KeyValue.Type.Delete));
    server.sender().send(index, List.of(delete), 1_000, () -> {}).join();
    return delete;
  }

  @Test
  void settingsAreTheServersWhateverTheFirstTableSays() {
    ofTable.set(REGISTRY, "no.such.Registry");
    ServerResources server = ServerResources.join(env());
    assertThat(sent(server).failure())
        .hasValueSatisfying(e -> hasMessage(e, "there is no cluster"));
    assertThat(CountedRegistry.MADE).hasValue(1);
    ServerResources.leave(env());
  }

  @Test
  void aServersFileThatIsMeantForClientsDoesNotMatter() {
    ofServer.set("hbase.client.async.connection.impl", "no.such.Connection");
    ServerResources server = ServerResources.join(env());
    assertThat(server.configuration().get("hbase.client.async.connection.impl")).isNull();
    ServerResources.leave(env());
  }

  @Test
  void noConnectionIsOpenedWhenTheLastRegionHasLeft() {
    ServerResources server = ServerResources.join(env());
    ServerResources.join(env());
    ServerResources.leave(env());
    sent(server);
    assertThat(CountedRegistry.MADE).as("with one region left").hasValue(1);
    ServerResources.leave(env());
    assertThat(sent(server).failure()).isPresent();
    assertThat(CountedRegistry.MADE).hasValue(1);
  }

  /** Owners of tables choose some of the texts. */
  @Test
  void whatIsSaid_isSaidOnce_andNotRememberedForEver() {
    ServerResources server = ServerResources.join(env());
    assertThat(server.saysFirst("a problem")).isTrue();
    assertThat(server.saysFirst("a problem")).isFalse();
    for (int i = 0; i < 10_000; i++) {
      assertThat(server.saysFirst("problem " + i)).isTrue();
    }
    assertThat(server.saysFirst("a problem")).isTrue();
    ServerResources.leave(env());
  }

  private static void hasMessage(Throwable error, String message) {
    assertThat(error).hasStackTraceContaining(message);
  }
}
