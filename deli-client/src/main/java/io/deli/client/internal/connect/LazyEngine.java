package io.deli.client.internal.connect;

import io.deli.client.internal.Futures;
import io.deli.client.internal.HBaseCompat;
import io.deli.client.internal.write.HBaseTableClients;
import io.deli.client.internal.write.WriteRules;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine behind a blocking connection, and its asynchronous one, made when first used.
 * Thread-safe.
 */
public final class LazyEngine {
  private static final Logger LOG = LoggerFactory.getLogger(LazyEngine.class);

  private final Configuration configuration;
  private final User user;
  private final Map<String, byte[]> attributes;
  private final Wiring wiring;
  private volatile Engine engine;
  private volatile boolean closed;

  public LazyEngine(
      Configuration configuration, User user, Map<String, byte[]> attributes, Wiring wiring) {
    this.configuration = configuration;
    this.user = user;
    this.attributes = attributes;
    this.wiring = wiring;
  }

  /** The engine; the first caller waits for the cluster's id. */
  public Engine get() throws IOException {
    Engine made = engine;
    return made != null ? made : make();
  }

  /** The engine, if anybody has used it. */
  public Optional<Engine> ifOpen() {
    return Optional.ofNullable(engine);
  }

  private synchronized Engine make() throws IOException {
    requireOpen();
    if (engine == null) {
      engine = Engine.on(connect(), configuration, wiring, HBaseTableClients::boundAsWrites);
      if (closed) {
        // Who closed may have found no engine yet.
        engine.abort();
        requireOpen();
      }
    }
    return engine;
  }

  private void requireOpen() throws DoNotRetryIOException {
    if (closed) {
      throw new DoNotRetryIOException("the connection is closed");
    }
  }

  private AsyncConnection connect() throws IOException {
    Configuration own = PlainConfiguration.of(configuration);
    // Writers check Puts themselves; HBase's batch fails as a whole for a cell that is too large.
    own.setInt(WriteRules.MAX_KEYVALUE_SIZE, 0);
    CompletableFuture<AsyncConnection> connecting = HBaseCompat.connect(own, user, attributes);
    try {
      return Futures.await(connecting);
    } catch (InterruptedIOException e) {
      // The next caller opens another one. Not closed by the thread that opens it.
      CompletableFuture<Void> unused = connecting.thenAcceptAsync(LazyEngine::drop);
      throw e;
    }
  }

  private static void drop(AsyncConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      LOG.debug("Could not close {}", connection, e);
    }
  }

  /** Closes the engine for good. An engine that is being made is closed by who makes it. */
  public void close() throws IOException {
    closed = true;
    if (engine != null) {
      engine.close();
    }
  }

  /** Does {@link #close} without waiting for anything. */
  public void abort() throws IOException {
    closed = true;
    if (engine != null) {
      engine.abort();
    }
  }
}
