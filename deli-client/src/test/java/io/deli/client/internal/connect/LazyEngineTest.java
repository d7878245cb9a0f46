package io.deli.client.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LazyEngineTest {
  /** Tells the cluster's id when the test does. */
  public static class SlowRegistry implements ConnectionRegistry {
    private static CompletableFuture<String> cluster;
    private static CompletableFuture<Void> asked;
    private static CompletableFuture<Void> closed;

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
      asked.complete(null);
      return cluster;
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
      closed.complete(null);
    }
  }

  private final Configuration configuration = new Configuration();
  private Wiring wiring;
  private LazyEngine engine;

  @BeforeEach
  void connect() throws Exception {
    SlowRegistry.cluster = new CompletableFuture<>();
    SlowRegistry.asked = new CompletableFuture<>();
    SlowRegistry.closed = new CompletableFuture<>();
    configuration.set("hbase.client.registry.impl", SlowRegistry.class.getName());
    wiring = Wiring.of(configuration);
    engine = new LazyEngine(configuration, User.getCurrent(), Map.of(), wiring);
  }

  private static void assertClosed() {
    assertThat(SlowRegistry.closed).succeedsWithin(1, TimeUnit.MINUTES);
  }

  @Test
  void get_interrupted_closesTheConnectionThatOpensLater() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(engine::get).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(engine.ifOpen()).isEmpty();
    assertThat(SlowRegistry.closed).isNotDone();
    SlowRegistry.cluster.complete("cluster");
    assertClosed();
  }

  @Test
  void abort_doesNotWaitForWhatIsDeletedInTheBackground() throws Exception {
    SlowRegistry.cluster.complete("cluster");
    engine.get();
    wiring.context().pendingDeletes().add(new CompletableFuture<>());
    assertTimeoutPreemptively(Duration.ofSeconds(4), engine::abort);
    assertClosed();
  }

  /** A thread that connects is told in the end, and leaves no connection. */
  @Test
  void abort_doesNotWaitForTheConnectionThatOpens() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread connecting = new Thread(() -> failure.complete(catchThrowable(engine::get)));
    connecting.start();
    SlowRegistry.asked.get(1, TimeUnit.MINUTES);
    assertTimeoutPreemptively(Duration.ofSeconds(10), engine::abort);
    SlowRegistry.cluster.complete("cluster");
    assertThat(failure)
        .succeedsWithin(1, TimeUnit.MINUTES)
        .asInstanceOf(THROWABLE)
        .hasMessage("the connection is closed");
    assertClosed();
  }
}
