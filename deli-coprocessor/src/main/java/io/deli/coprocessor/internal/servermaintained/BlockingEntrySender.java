package io.deli.coprocessor.internal.servermaintained;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.send.EntrySender;
import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.internal.send.HandlerLimiter;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.internal.send.UnresponsiveIndexes;
import io.deli.coprocessor.spi.Caller;
import io.deli.service.IndexTableErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.Region;

/** Sends entries to index tables and waits for a bounded time. Thread-safe. */
final class BlockingEntrySender {
  /** The interval at which a wait checks whether the region is closing. */
  private static final long GLANCE_MILLIS = 50;

  /**
   * The time limit of conditional writes, which keep others, and their handlers, from their row.
   */
  private static final long LOCKED_MILLIS = 1_000;

  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * LOCKED_MILLIS);

  private final Region region;
  private final EntrySender sender;
  private final HandlerLimiter handlers;
  private final UnresponsiveIndexes unresponsive;
  private final GcMetrics metrics;
  private final long timeoutMillis;
  private final long bufferBytes;

  /**
   * @param problems is told what is malformed in the settings
   */
  BlockingEntrySender(
      RegionCoprocessorEnvironment env, ServerResources server, Consumer<String> problems) {
    region = env.getRegion();
    sender = server.entries();
    handlers = server.handlers();
    unresponsive = server.unresponsive();
    metrics = server.metrics();
    timeoutMillis = DeliSettings.SERVER_TIMEOUT.get(env.getConfiguration(), problems);
    bufferBytes = env.getConfiguration().getLong("hbase.client.write.buffer", 2L << 20);
  }

  /**
   * Bytes of entries that a handler may hold, above which it is to send them ahead of more, as
   * clients of HBase do.
   */
  long bufferBytes() {
    return bufferBytes;
  }

  /**
   * Sends entries and waits.
   *
   * @return the tables that did not acknowledge theirs, and why; the client may try again, unless
   *     that is of no use
   */
  Map<TableName, IOException> send(List<IndexPut> puts) {
    return send(puts, timeoutMillis);
  }

  /** The same while a row is locked, so not for long. */
  Map<TableName, IOException> sendLocked(List<IndexPut> puts) {
    return send(puts, Math.min(timeoutMillis, LOCKED_MILLIS));
  }

  /** Sends entries and waits; throws what one of their tables failed with. */
  void sendAll(List<IndexPut> puts) throws IOException {
    requireNone(send(puts));
  }

  /**
   * The same for entries of committed writes, so many at a time: never refused for back-pressure.
   */
  void sendApplied(Iterable<List<IndexPut>> writes) throws IOException {
    List<IndexPut> some = new ArrayList<>();
    long bytes = 0;
    for (List<IndexPut> each : writes) {
      some.addAll(each);
      bytes += IndexPut.heapSize(each);
      if (bytes >= bufferBytes) {
        sendSome(some);
        some = new ArrayList<>();
        bytes = 0;
      }
    }
    sendSome(some);
  }

  private void sendSome(List<IndexPut> puts) throws IOException {
    if (!puts.isEmpty()) {
      metrics.add(Count.SERVED_ENTRIES_LATE, puts.size());
      requireNone(await(byTable(puts), timeoutMillis));
    }
  }

  private static void requireNone(Map<TableName, IOException> failures) throws IOException {
    for (IOException failure : failures.values()) {
      throw failure;
    }
  }

  /** The failure of a table that was to take one of the entries, or null. */
  static IOException among(Map<TableName, IOException> failures, List<IndexPut> puts) {
    if (!failures.isEmpty()) {
      for (IndexPut put : puts) {
        if (failures.containsKey(put.table())) {
          return failures.get(put.table());
        }
      }
    }
    return null;
  }

  private Map<TableName, IOException> send(List<IndexPut> puts, long millis) {
    if (puts.isEmpty()) {
      return Map.of();
    }
    Map<TableName, IOException> failures = new HashMap<>();
    try {
      failures.putAll(sendLimited(puts, millis));
    } catch (IOException e) {
      puts.forEach(put -> failures.put(put.table(), e));
    }
    if (!failures.isEmpty()) {
      metrics.add(Count.SERVED_REQUESTS_REFUSED, 1);
    }
    return failures;
  }

  /**
   * Sends to the tables that respond.
   *
   * @throws IOException if none is sent to
   */
  private Map<TableName, IOException> sendLimited(List<IndexPut> puts, long millis)
      throws IOException {
    requireOpen();
    requireOrdinaryPriority(puts);
    Map<TableName, List<IndexPut>> tried = byTable(puts);
    Map<TableName, IOException> failures = withoutUnresponsive(tried);
    if (tried.isEmpty()) {
      return failures;
    }
    if (!handlers.tryAcquire()) {
      throw refusal(tried.keySet(), "too many writes wait for indexes already");
    }
    try {
      requireOpen();
      failures.putAll(await(tried, millis));
      return failures;
    } finally {
      handlers.release();
    }
  }

  /** Only an operator can enable a table, so writers are told at once, as by the client. */
  private IOException ofDisabled(TableName table, RegionTooBusyException refusal) {
    return new DoNotRetryIOException(
        IndexTableErrors.message(
            region.getTableDescriptor().getTableName(), table.getNameAsString(), refusal),
        refusal);
  }

  /** The index table that is disabled, if that is the reason. */
  private static Optional<TableName> disabled(RegionTooBusyException refusal) {
    for (Throwable t = refusal.getCause(); t != null; t = t.getCause()) {
      if (t instanceof TableNotEnabledException) {
        return Optional.of(TableName.valueOf(t.getMessage()));
      }
    }
    return Optional.empty();
  }

  private void requireOpen() throws NotServingRegionException {
    if (region.isClosing()) {
      throw new NotServingRegionException(
          region.getRegionInfo().getRegionNameAsString() + " is closing");
    }
  }

  /** Takes out tables that do not respond, but for an occasional attempt. */
  private Map<TableName, IOException> withoutUnresponsive(Map<TableName, List<IndexPut>> tried) {
    long pauseNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / 2;
    Map<TableName, IOException> failures = new HashMap<>();
    for (TableName table : List.copyOf(tried.keySet())) {
      if (!unresponsive.mayTry(table, pauseNanos)) {
        failures.put(table, refusal(Set.of(table), table + " did not answer others a moment ago"));
        tried.remove(table);
      }
    }
    return failures;
  }

  private static Map<TableName, List<IndexPut>> byTable(List<IndexPut> puts) {
    return puts.stream()
        .collect(Collectors.groupingBy(IndexPut::table, HashMap::new, Collectors.toList()));
  }

  /** Handlers of high priority apply entries: if they waited, servers could wait for each other. */
  private void requireOrdinaryPriority(List<IndexPut> puts) throws DoNotRetryIOException {
    if (RpcServer.getCurrentCall().filter(BlockingEntrySender::isOfHighPriority).isPresent()) {
      throw new DoNotRetryIOException(
          message(
              byTable(puts).keySet(),
              "writes of a priority above " + HConstants.QOS_THRESHOLD + " cannot wait"));
    }
  }

  private static boolean isOfHighPriority(RpcCall call) {
    return call.getPriority() > HConstants.QOS_THRESHOLD;
  }

  private Map<TableName, IOException> await(Map<TableName, List<IndexPut>> puts, long millis)
      throws IOException {
    long begun = System.nanoTime();
    Map<TableName, CompletableFuture<Void>> sent = new HashMap<>();
    puts.forEach((table, its) -> sent.put(table, sender.send(its, millis)));
    metrics.add(Count.SERVED_HANDLERS_WAITING, 1);
    try {
      awaitEnd(CompletableFuture.allOf(sent.values().toArray(CompletableFuture<?>[]::new)), millis);
    } finally {
      metrics.add(Count.SERVED_HANDLERS_WAITING, -1);
      metrics.servedWait(System.nanoTime() - begun);
    }
    Map<TableName, IOException> failures = new HashMap<>();
    for (Map.Entry<TableName, CompletableFuture<Void>> each : sent.entrySet()) {
      TableName table = each.getKey();
      IOException failure = failure(table, each.getValue(), millis);
      if (failure == null) {
        metrics.add(Count.SERVED_ENTRIES_ACKNOWLEDGED, puts.get(table).size());
        unresponsive.answered(table);
      } else {
        failures.put(table, noted(table, failure, System.nanoTime() - begun));
      }
    }
    return failures;
  }

  /** Returns when all is answered, or the time is over. */
  private void awaitEnd(CompletableFuture<Void> sent, long millis) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; left > 0; left = millisUntil(end)) {
      try {
        sent.get(Math.min(left, GLANCE_MILLIS), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        requireOpen();
      } catch (ExecutionException e) {
        requireOpen();
        return;
      } catch (InterruptedException e) {
        throw Caller.interrupted("interrupted while an index was waited for", e);
      }
    }
  }

  /** The reason why a table did not acknowledge its entries, or null. */
  private IOException failure(TableName table, CompletableFuture<Void> sent, long millis) {
    if (!sent.isDone()) {
      return refusal(Set.of(table), String.format(Locale.ROOT, "no answer within %d ms", millis));
    }
    Throwable cause = sent.handle((done, error) -> error).join();
    return cause == null
        ? null
        : failure(table, cause instanceof CompletionException ? cause.getCause() : cause);
  }

  private IOException failure(TableName table, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    return isPermanent(cause)
        ? new DoNotRetryIOException(message(Set.of(table), reason), cause)
        : (IOException) refusal(Set.of(table), reason).initCause(cause);
  }

  /** Records what a failure tells of the table: disabled, or unresponsive if it took long. */
  private IOException noted(TableName table, IOException failure, long nanos) {
    if (!(failure instanceof RegionTooBusyException busy)) {
      return failure;
    }
    Optional<TableName> disabled = disabled(busy);
    if (disabled.isPresent()) {
      unresponsive.answered(disabled.get());
      return ofDisabled(disabled.get(), busy);
    }
    // Quick refusals and conditional writes do not occupy a handler for long.
    if (nanos > LONG_NANOS) {
      unresponsive.timedOut(table);
    }
    return failure;
  }

  /** A table that is disabled may be enabled again; what HBase's client gives up stays so. */
  private static boolean isPermanent(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof TableNotEnabledException) {
        return false;
      }
      if (t instanceof DoNotRetryIOException || t instanceof IllegalArgumentException) {
        return true;
      }
    }
    return false;
  }

  private static long millisUntil(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
  }

  private RegionTooBusyException refusal(Set<TableName> tables, String reason) {
    return new RegionTooBusyException(
        message(tables, reason) + "; try again, or disable the index");
  }

  private String message(Set<TableName> indexes, String reason) {
    String tables =
        indexes.stream().map(TableName::getNameAsString).sorted().collect(Collectors.joining(", "));
    return "table %s: index %s did not take the entries of a write, which is therefore not done (%s)"
        .formatted(region.getTableDescriptor().getTableName(), tables, reason);
  }
}
