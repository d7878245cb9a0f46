package io.deli.coprocessor.internal.send;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.spi.Contained;
import io.deli.coprocessor.spi.FileIndexProvider;
import io.deli.entry.Entry;
import io.deli.strategy.Index;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources that all regions of a region server share: one connection, opened when first
 * needed, the metrics, and the file indexes if their provider is installed. The last region to
 * leave closes them for good. Settings are the server's own, whatever the table of the first region
 * overrides. Thread-safe.
 */
public final class ServerResources implements FileIndexProvider.Host {
  private static final Logger LOG = LoggerFactory.getLogger(ServerResources.class);

  private static final int REPAIRS_UNDER_WAY = 1_000;

  private static final int SAID = 5_000;

  private static final int BACKGROUND_THREADS = 2;
  private static final int IDLE_SECONDS = 30;

  /** Settings by which clients name a connection class; here HBase's own is wanted. */
  private static final List<String> CONNECTIONS =
      List.of("hbase.client.connection.impl", "hbase.client.async.connection.impl");

  private final Configuration configuration = new Configuration(false);
  private final GcMetrics metrics;
  private final LocalDeleteSender sender;
  private final EntrySender entries;
  private final EntryFinder finder;
  private final BaseTables bases;
  private final HandlerLimiter handlers;
  private final UnresponsiveIndexes unresponsive = new UnresponsiveIndexes(System::nanoTime);
  private final RowMarks marks = new RowMarks();
  private final Optional<FileIndexProvider.OfServer> fileIndexes;
  private final ExecutorService background =
      Threads.getBoundedCachedThreadPool(
          BACKGROUND_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, ServerResources::thread);
  private final long repairTimeoutMillis;
  private final Semaphore repairs = new Semaphore(REPAIRS_UNDER_WAY);
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private CompletableFuture<AsyncConnection> connection;
  private boolean closed;

  private ServerResources(RegionCoprocessorEnvironment env, GcMetrics metrics) {
    HBaseConfiguration.merge(configuration, ofServer(env));
    CONNECTIONS.forEach(configuration::unset);
    this.metrics = metrics;
    repairTimeoutMillis = DeliSettings.GC_TIMEOUT.get(configuration, LOG::error);
    sender =
        new LocalDeleteSender(
            env.getOnlineRegions(),
            configuration,
            metrics,
            new TableDeleteSender(this::connection, metrics));
    entries = new EntrySender(this::connection);
    finder = new EntryFinder(this::connection);
    bases = new BaseTables(this::connection);
    handlers = HandlerLimiter.of(configuration, LOG::error);
    fileIndexes = FileIndexProvider.installed().flatMap(this::opened);
  }

  private Optional<FileIndexProvider.OfServer> opened(FileIndexProvider provider) {
    return Contained.orElse(
        () -> Optional.of(provider.open(this)),
        e -> {
          LOG.error("{} does not open; file indexes cannot be used", provider, e);
          return Optional.empty();
        });
  }

  /** The server's settings, without those that a table's descriptor overrides. */
  private static Configuration ofServer(RegionCoprocessorEnvironment env) {
    return env.getOnlineRegions() instanceof Server server
        ? server.getConfiguration()
        : env.getConfiguration();
  }

  /** Joins; to be followed by one {@link #leave}. */
  public static ServerResources join(RegionCoprocessorEnvironment env) {
    GcMetrics metrics = GcMetrics.join(env);
    return shared(env).join(() -> new ServerResources(env, metrics));
  }

  public static void leave(RegionCoprocessorEnvironment env) {
    shared(env).leave(ServerResources::close);
    GcMetrics.leave(env);
  }

  /** HBase shares in the whole JVM, in which other region servers, or regions without, may run. */
  private static SharedResource<ServerResources> shared(RegionCoprocessorEnvironment env) {
    return new SharedResource<>(env, ServerResources.class, String.valueOf(env.getServerName()));
  }

  private void close() {
    fileIndexes.ifPresent(FileIndexProvider.OfServer::close);
    background.shutdown();
    sender.close();
    disconnect();
  }

  @Override
  public Configuration configuration() {
    return configuration;
  }

  public IndexDelete.Sender sender() {
    return sender;
  }

  public EntrySender entries() {
    return entries;
  }

  public EntryFinder finder() {
    return finder;
  }

  public BaseTables bases() {
    return bases;
  }

  /** Limits the handlers that wait for indexes. */
  public HandlerLimiter handlers() {
    return handlers;
  }

  /** Indexes that handlers should not wait for. */
  public UnresponsiveIndexes unresponsive() {
    return unresponsive;
  }

  /** The newest timestamps of rows of tables with indexes. */
  public RowMarks marks() {
    return marks;
  }

  /** A few threads that come and go. */
  @Override
  public Executor background() {
    return background;
  }

  /**
   * Deletes a single entry in the background, unless too many such deletes are under way: the next
   * reader will find it again.
   */
  public void repair(IndexDelete delete) {
    repair(delete, () -> CompletableFuture.completedFuture(true));
  }

  /**
   * Does the same if there is such an entry, as far as that is easily told: who asks for it may
   * have made it up.
   *
   * @param delete of the entry in a generation of the index
   */
  public void repair(Index index, Entry entry, IndexDelete delete) {
    if (!EntryFinder.findsByRow(index)) {
      repair(delete);
      return;
    }
    repair(
        delete,
        () ->
            finder
                .find(
                    delete.table(),
                    index,
                    List.of(entry),
                    HConstants.PRIORITY_UNSET,
                    repairTimeoutMillis)
                .thenApply(found -> found.getOrDefault(entry, List.of()).contains(entry)));
  }

  private void repair(IndexDelete delete, Supplier<CompletableFuture<Boolean>> exists) {
    if (!repairs.tryAcquire()) {
      metrics.add(Count.REPAIRS_FAILED, 1);
      return;
    }
    CompletableFuture<Void> unused =
        exists
            .get()
            .thenCompose(
                found -> {
                  if (found) {
                    return sender.send(
                        delete.table(), List.of(delete), repairTimeoutMillis, () -> {});
                  }
                  delete.acknowledge();
                  return CompletableFuture.completedFuture(null);
                })
            .whenComplete(
                (done, error) -> {
                  repairs.release();
                  metrics.add(
                      delete.isAcknowledged() ? Count.REPAIRS_DELETED : Count.REPAIRS_FAILED, 1);
                });
  }

  @Override
  public Counter counter(String name) {
    return metrics.counter(name);
  }

  /** The indexes of files and memory; empty if nothing here provides them. */
  public Optional<FileIndexProvider.OfServer> fileIndexes() {
    return fileIndexes;
  }

  public GcMetrics metrics() {
    return metrics;
  }

  /**
   * Whether nobody on this server has asked for this text before; to log a thing once, or again
   * after many others. Remembers hashes, for owners of tables choose some texts.
   */
  public boolean saysFirst(String text) {
    if (said.size() >= SAID) {
      said.clear();
    }
    return said.add(MD5Hash.getMD5AsHex(Bytes.toBytes(text)));
  }

  static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "deli-gc");
    thread.setDaemon(true);
    return thread;
  }

  private synchronized CompletableFuture<AsyncConnection> connection() {
    if (closed) {
      return CompletableFuture.failedFuture(
          new IOException("the last region with indexes has left the server"));
    }
    if (connection == null || connection.isCompletedExceptionally()) {
      try {
        connection =
            ConnectionFactory.createAsyncConnection(
                configuration, User.create(UserGroupInformation.getLoginUser()));
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return connection;
  }

  private synchronized void disconnect() {
    closed = true;
    if (connection != null) {
      CompletableFuture<AsyncConnection> closing = connection;
      connection = null;
      CompletableFuture<Void> unused = closing.thenAccept(ServerResources::close);
    }
  }

  private static void close(Closeable open) {
    try {
      open.close();
    } catch (IOException e) {
      LOG.debug("the connection for index deletes did not close", e);
    }
  }
}
