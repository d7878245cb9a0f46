package io.deli.client.internal;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcChannel;
import com.google.protobuf.ServiceException;
import io.deli.client.IndexUnavailableException;
import io.deli.config.DeliSettings;
import io.deli.service.PrimaryRegions;
import io.deli.service.RegionService;
import io.deli.service.RegionService.Suspect;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Calls the coprocessor endpoint of regions. Thread-safe; never blocks. */
public record RegionClient(AsyncConnection connection, ClientEnvironment environment) {
  /** Time-out for each source of a table's description. */
  private static final long PATIENCE_MILLIS = 2_000;

  /**
   * Reads a table's families and index definitions.
   *
   * <p>The master returns them to users who may alter the table. Other users, and everybody while
   * the master does not answer, ask the first region, and then any region. An alteration is
   * complete only when all regions have it, so a region asked afterwards knows it.
   *
   * <p>A region without DELI's observer does not know. Then a table has no index that clients
   * maintain if no other one has the name of its index table; else this fails, rather than having a
   * write go without its entries.
   *
   * @return fails if nobody tells within the time-out of an operation, if it has any, or as many
   *     attempts as HBase makes of a request, with its pauses between them
   */
  public CompletableFuture<TableDescriptor> describe(TableName table) {
    Configuration configuration = connection.getConfiguration();
    long millis =
        configuration.getLong(
            HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
            HConstants.DEFAULT_HBASE_CLIENT_OPERATION_TIMEOUT);
    long begun = environment.ticker().getAsLong();
    return describe(
        table,
        new Patience(
            // Without a limit, to HBase, if it is not positive.
            begun + TimeUnit.MILLISECONDS.toNanos(millis > 0 ? millis : Long.MAX_VALUE),
            begun
                + TimeUnit.MILLISECONDS.toNanos(DeliSettings.DEFINITIONS_LEASE.get(configuration)),
            configuration.getInt(
                HConstants.HBASE_CLIENT_RETRIES_NUMBER,
                HConstants.DEFAULT_HBASE_CLIENT_RETRIES_NUMBER),
            configuration.getLong(
                HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE)),
        0);
  }

  /**
   * The retry policy of a description.
   *
   * @param end by the ticker
   * @param undecidedEnd the same, while there is an answer, but one that does not help; an index
   *     that is just being made has its coprocessor by then
   */
  private record Patience(long end, long undecidedEnd, int retries, long pauseMillis) {
    /** The pause before the next attempt; negative for no more. */
    long pause(Throwable error, int attempt, long now) {
      long until = Futures.unwrap(error) instanceof UndecidedException ? undecidedEnd : end;
      long left = TimeUnit.NANOSECONDS.toMillis(until - now);
      int[] backoff = HConstants.RETRY_BACKOFF;
      long pause = pauseMillis * backoff[Math.min(attempt, backoff.length - 1)];
      return mayMend(error) && attempt < retries && left > 0 ? Math.min(pause, left) : -1;
    }
  }

  /** Signals that no source could know the definitions. */
  private static final class UndecidedException extends IOException {
    private static final long serialVersionUID = 1L;

    UndecidedException(String message) {
      super(message);
    }
  }

  private CompletableFuture<TableDescriptor> describe(
      TableName table, Patience patience, int attempt) {
    return describeOnce(table)
        .exceptionallyCompose(
            error -> {
              long pause = patience.pause(error, attempt, environment.ticker().getAsLong());
              if (pause < 0) {
                return CompletableFuture.failedFuture(last(error));
              }
              return CompletableFuture.runAsync(() -> {}, environment.scheduler().after(pause))
                  .thenCompose(done -> describe(table, patience, attempt + 1));
            });
  }

  private static Throwable last(Throwable error) {
    return Futures.unwrap(error) instanceof UndecidedException undecided
        ? new IndexUnavailableException(undecided.getMessage(), undecided)
        : error;
  }

  private CompletableFuture<TableDescriptor> describeOnce(TableName table) {
    return inTime(
            connection
                .getAdminBuilder()
                .setOperationTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .build()
                .getDescriptor(table))
        .exceptionallyCompose(
            error ->
                Futures.unwrap(error) instanceof AccessDeniedException || mayMend(error)
                    ? describeByRegion(table, HConstants.EMPTY_START_ROW)
                    : CompletableFuture.failedFuture(error))
        .exceptionallyCompose(
            error ->
                mayMend(error) && !(Futures.unwrap(error) instanceof UndecidedException)
                    ? inTime(connection.getRegionLocator(table).getAllRegionLocations())
                        .thenCompose(regions -> describeByRegion(table, startOfAny(regions)))
                    : CompletableFuture.failedFuture(error));
  }

  private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
    return environment.scheduler().bounded(answer.copy(), PATIENCE_MILLIS);
  }

  private static boolean mayMend(Throwable error) {
    return !(Futures.unwrap(error) instanceof DoNotRetryIOException);
  }

  private byte[] startOfAny(List<HRegionLocation> regions) {
    List<HRegionLocation> primary = PrimaryRegions.among(regions);
    return primary.get((int) environment.below(primary.size())).getRegion().getStartKey();
  }

  private CompletableFuture<TableDescriptor> describeByRegion(TableName table, byte[] row) {
    return inTime(call(patient(table), row, RegionService.DESCRIBE, RegionService.NOTHING))
        .thenApply(RegionClient::description)
        .exceptionallyCompose(
            error ->
                Futures.unwrap(error) instanceof UnknownProtocolException
                    ? inTime(new PossibleIndexTables(this::patient).find(table))
                        .thenApply(found -> unindexed(table, found))
                    : CompletableFuture.failedFuture(Futures.unwrap(error)));
  }

  private AsyncTable<?> patient(TableName table) {
    return connection
        .getTableBuilder(table)
        .setOperationTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .build();
  }

  private static TableDescriptor unindexed(TableName table, Optional<TableName> indexTable) {
    if (indexTable.isPresent()) {
      throw new CompletionException(
          new UndecidedException(
              "cannot tell whether table %1$s has indexes: the master refuses this user, the table lacks DELI's coprocessor, and table %2$s may hold an index of it. Attach the coprocessor again (deli build %1$s, or deli enable-index), or drop what is left of an index (deli drop-index %1$s)."
                  .formatted(table, indexTable.get())));
    }
    return TableDescriptorBuilder.newBuilder(table).build();
  }

  private static TableDescriptor description(Message answer) {
    try {
      return RegionService.description(answer);
    } catch (DeserializationException e) {
      // To ask again would not help.
      throw new CompletionException(new DoNotRetryIOException(e.getMessage(), e));
    }
  }

  /** Requests the repair of an entry: the region of its base row deletes it if it is garbage. */
  public CompletableFuture<Void> repair(TableName base, Suspect suspect) {
    return call(
            connection.getTable(base),
            suspect.entry().key(),
            RegionService.REPAIR,
            suspect.toMessage())
        .thenApply(answer -> null);
  }

  /** Calls the endpoint of a row's region and waits for the answer. */
  public static Message call(Table table, byte[] row, MethodDescriptor method, Message request)
      throws IOException {
    try {
      return table
          .coprocessorService(row)
          .callBlockingMethod(
              method, null, request, RegionService.prototype(method.getOutputType()));
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    }
  }

  /** Calls the endpoint of a row's region. */
  public static CompletableFuture<Message> call(
      AsyncTable<?> table, byte[] row, MethodDescriptor method, Message request) {
    return table.<RpcChannel, Message>coprocessorService(
        channel -> channel,
        (channel, controller, done) ->
            channel.callMethod(
                method, controller, request, RegionService.prototype(method.getOutputType()), done),
        row);
  }
}
