package io.deli.coprocessor.internal.serve;

import io.deli.coprocessor.internal.send.EntrySender;
import io.deli.coprocessor.internal.send.IndexPut;
import io.deli.coprocessor.internal.send.ServeMetrics;
import io.deli.coprocessor.internal.send.SilentIndexes;
import io.deli.coprocessor.internal.send.WaitingRoom;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.Region;

/** Has entries acknowledged while a handler waits, for a bounded time. Thread-safe. */
final class IndexWait {
  /** How soon a wait notices that the region is to close. */
  private static final long GLANCE_MILLIS = 50;

  /** For so long a conditional write keeps others from its row, which take up handlers. */
  private static final long LOCKED_MILLIS = 1_000;

  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * LOCKED_MILLIS);

  private final Region region;
  private final EntrySender sender;
  private final WaitingRoom room;
  private final SilentIndexes silent;
  private final ServeMetrics metrics;
  private final long timeoutMillis;

  IndexWait(
      Region region,
      EntrySender sender,
      WaitingRoom room,
      SilentIndexes silent,
      ServeMetrics metrics,
      long timeoutMillis) {
    this.region = region;
    this.sender = sender;
    this.room = room;
    this.silent = silent;
    this.metrics = metrics;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Sends entries and waits.
   *
   * @throws IOException if one is not acknowledged; the client may try again, unless that is of no
   *     use
   */
  void send(List<IndexPut> puts) throws IOException {
    send(puts, timeoutMillis);
  }

  /** The same while a row is locked, so not for long. */
  void sendLocked(List<IndexPut> puts) throws IOException {
    send(puts, Math.min(timeoutMillis, LOCKED_MILLIS));
  }

  /** The same for what is applied already, which it is too late to refuse for lack of room. */
  void sendApplied(List<IndexPut> puts) throws IOException {
    if (!puts.isEmpty()) {
      metrics.late(puts.size());
      await(puts, timeoutMillis);
    }
  }

  private void send(List<IndexPut> puts, long millis) throws IOException {
    if (puts.isEmpty()) {
      return;
    }
    try {
      sendAll(puts, millis);
    } catch (IOException e) {
      metrics.refused();
      throw e;
    }
  }

  private void sendAll(List<IndexPut> puts, long millis) throws IOException {
    requireOpen();
    requireOrdinaryPriority(puts);
    requireTrial(puts);
    if (!room.enter()) {
      throw refusal(puts, "too many writes wait for indexes already");
    }
    try {
      requireOpen();
      await(puts, millis);
    } catch (RegionTooBusyException e) {
      throw disabled(e).map(table -> ofDisabled(table, e)).orElse(e);
    } finally {
      room.leave();
    }
  }

  /** What nobody but an operator ends is told to writers soon, as by the client. */
  private IOException ofDisabled(TableName table, RegionTooBusyException refusal) {
    return new DoNotRetryIOException(
        "table %1$s: the index table %2$s is disabled, so the write is not done: if table %1$s was restored from a snapshot, disable the index and build it anew (deli disable-index, deli build), otherwise enable its table"
            .formatted(region.getTableDescriptor().getTableName(), table),
        refusal);
  }

  /** The index table whose being disabled is the reason; empty if it is another. */
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

  /** At most two writes at a time wait for an index that is silent. */
  private void requireTrial(List<IndexPut> puts) throws RegionTooBusyException {
    long pauseNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / 2;
    for (TableName table : byTable(puts).keySet()) {
      if (!silent.mayTry(table, pauseNanos)) {
        throw refusal(puts, table + " did not answer others a moment ago");
      }
    }
  }

  private static Map<TableName, List<IndexPut>> byTable(List<IndexPut> puts) {
    return puts.stream().collect(Collectors.groupingBy(IndexPut::table));
  }

  /** Those handlers are to take entries: if they waited, servers could wait for each other. */
  private void requireOrdinaryPriority(List<IndexPut> puts) throws DoNotRetryIOException {
    if (RpcServer.getCurrentCall().filter(IndexWait::isOfHighPriority).isPresent()) {
      throw new DoNotRetryIOException(
          message(puts, "writes of a priority above " + HConstants.QOS_THRESHOLD + " cannot wait"));
    }
  }

  private static boolean isOfHighPriority(RpcCall call) {
    return call.getPriority() > HConstants.QOS_THRESHOLD;
  }

  private void await(List<IndexPut> puts, long millis) throws IOException {
    long begun = System.nanoTime();
    Map<TableName, CompletableFuture<Void>> sent = new HashMap<>();
    byTable(puts).forEach((table, its) -> sent.put(table, sender.send(its, millis)));
    metrics.waits();
    try {
      await(
          puts,
          millis,
          CompletableFuture.allOf(sent.values().toArray(CompletableFuture<?>[]::new)));
    } catch (RegionTooBusyException e) {
      Optional<TableName> disabled = disabled(e);
      disabled.ifPresent(silent::answered);
      // What is refused soon, and conditional writes, do not keep a place for long.
      if (disabled.isEmpty() && System.nanoTime() - begun > LONG_NANOS) {
        sent.forEach(this::noteSilence);
      }
      throw e;
    } finally {
      metrics.waited(System.nanoTime() - begun);
    }
    metrics.acknowledged(puts.size());
    sent.keySet().forEach(silent::answered);
  }

  private void noteSilence(TableName table, CompletableFuture<Void> sent) {
    if (!sent.isDone() || sent.isCompletedExceptionally()) {
      silent.timedOut(table);
    }
  }

  private void await(List<IndexPut> puts, long millis, CompletableFuture<Void> sent)
      throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; left > 0; left = millisUntil(end)) {
      try {
        sent.get(Math.min(left, GLANCE_MILLIS), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        requireOpen();
      } catch (ExecutionException e) {
        requireOpen();
        throw failure(puts, e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException)
            new InterruptedIOException("interrupted while an index was waited for").initCause(e);
      }
    }
    throw refusal(puts, String.format(Locale.ROOT, "no answer within %d ms", millis));
  }

  private IOException failure(List<IndexPut> puts, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    return isPermanent(cause)
        ? new DoNotRetryIOException(message(puts, reason), cause)
        : (IOException) refusal(puts, reason).initCause(cause);
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

  private RegionTooBusyException refusal(List<IndexPut> puts, String reason) {
    return new RegionTooBusyException(message(puts, reason) + "; try again, or disable the index");
  }

  private String message(List<IndexPut> puts, String reason) {
    String tables =
        puts.stream()
            .map(put -> put.table().getNameAsString())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return "table %s: index %s did not take the entries of a write, which is therefore not done (%s)"
        .formatted(region.getTableDescriptor().getTableName(), tables, reason);
  }
}
