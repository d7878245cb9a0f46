package io.deli.client.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;
import org.junit.jupiter.api.Test;

class LazyEngineTest {
  /** Tells the cluster's id when the test does. */
  public static class SlowRegistry implements ConnectionRegistry {
    private static final CompletableFuture<String> CLUSTER = new CompletableFuture<>();
    private static final CompletableFuture<Void> CLOSED = new CompletableFuture<>();

    /** As HBase 2.5 calls it. */
    public SlowRegistry(Configuration configuration) {}

    /** As newer HBase calls it. */
    public SlowRegistry(Configuration configuration, User user) {}

    @Override
    public CompletableFuture<RegionLocations> getMetaRegionLocations() {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<String> getClusterId() {
      return CLUSTER;
    }

    @Override
    public CompletableFuture<ServerName> getActiveMaster() {
      return new CompletableFuture<>();
    }

    @SuppressWarnings("MissingOverride") // of HBase 2.6
    public String getConnectionString() {
      return "slow";
    }

    @Override
    public void close() {
      CLOSED.complete(null);
    }
  }

  @Test
  void get_interrupted_closesTheConnectionThatOpensLater() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set("hbase.client.registry.impl", SlowRegistry.class.getName());
    LazyEngine engine =
        new LazyEngine(configuration, User.getCurrent(), Map.of(), Wiring.of(configuration));
    Thread.currentThread().interrupt();
    assertThatThrownBy(engine::get).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(engine.ifOpen()).isEmpty();
    assertThat(SlowRegistry.CLOSED).isNotDone();
    SlowRegistry.CLUSTER.complete("cluster");
    assertThat(SlowRegistry.CLOSED).succeedsWithin(1, TimeUnit.MINUTES);
  }
}
