package io.deli.client.internal;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcChannel;
import io.deli.service.RegionService;
import io.deli.service.RegionService.Suspect;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Asks the regions of tables with indexes. Thread-safe; never blocks. */
public final class RegionClient {
  /** For which each of those that may know of a table is waited for. */
  private static final long PATIENCE_MILLIS = 2_000;

  private final AsyncConnection connection;

  public RegionClient(AsyncConnection connection) {
    this.connection = connection;
  }

  /**
   * A table's families and index definitions.
   *
   * <p>The master tells them to those who may alter the table. Others, who may read or write it all
   * the same, ask its first region, and if that does not answer either, any; one without DELI's
   * observer has no index. So does everybody while the master does not answer. A change is complete
   * when all regions have it, so whoever asks one of them after that is told of it.
   *
   * @return fails if nobody tells within the time-out of an operation, as HBase's own would
   */
  public CompletableFuture<TableDescriptor> describe(TableName table) {
    long millis =
        connection
            .getConfiguration()
            .getLong(
                HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
                HConstants.DEFAULT_HBASE_CLIENT_OPERATION_TIMEOUT);
    return describe(table, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private CompletableFuture<TableDescriptor> describe(TableName table, long deadline) {
    return inTime(
            connection
                .getAdminBuilder()
                .setOperationTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .build()
                .getDescriptor(table))
        .exceptionallyCompose(
            error ->
                Failures.plain(error) instanceof AccessDeniedException || mayMend(error)
                    ? describeByRegion(table, HConstants.EMPTY_START_ROW)
                    : CompletableFuture.failedFuture(error))
        .exceptionallyCompose(
            error ->
                mayMend(error)
                    ? inTime(connection.getRegionLocator(table).getAllRegionLocations())
                        .thenCompose(regions -> describeByRegion(table, startOfAny(regions)))
                    : CompletableFuture.failedFuture(error))
        .exceptionallyCompose(
            error ->
                mayMend(error) && System.nanoTime() - deadline < 0
                    ? describe(table, deadline)
                    : CompletableFuture.failedFuture(error));
  }

  private static <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
    return answer.copy().orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static boolean mayMend(Throwable error) {
    return !(Failures.plain(error) instanceof DoNotRetryIOException);
  }

  private static byte[] startOfAny(List<HRegionLocation> regions) {
    return regions
        .get(ThreadLocalRandom.current().nextInt(regions.size()))
        .getRegion()
        .getStartKey();
  }

  private CompletableFuture<TableDescriptor> describeByRegion(TableName table, byte[] row) {
    return inTime(
            call(
                connection
                    .getTableBuilder(table)
                    .setOperationTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .build(),
                row,
                RegionService.DESCRIBE,
                RegionService.NOTHING))
        .handle(
            (answer, error) -> {
              if (error == null) {
                return description(answer);
              }
              if (Failures.plain(error) instanceof UnknownProtocolException) {
                return TableDescriptorBuilder.newBuilder(table).build();
              }
              throw new CompletionException(Failures.plain(error));
            });
  }

  private static TableDescriptor description(Message answer) {
    try {
      return RegionService.description(answer);
    } catch (DeserializationException e) {
      // To ask again would not help.
      throw new CompletionException(new DoNotRetryIOException(e.getMessage(), e));
    }
  }

  /** Has the region of the base row look into a suspect, and delete it if it is garbage. */
  public CompletableFuture<Void> repair(TableName base, Suspect suspect) {
    return call(
            connection.getTable(base),
            suspect.entry().key(),
            RegionService.REPAIR,
            suspect.toMessage())
        .thenApply(answer -> null);
  }

  private static CompletableFuture<Message> call(
      AsyncTable<?> table, byte[] row, MethodDescriptor method, Message request) {
    return table.<RpcChannel, Message>coprocessorService(
        channel -> channel,
        (channel, controller, done) ->
            channel.callMethod(
                method, controller, request, RegionService.prototype(method.getOutputType()), done),
        row);
  }
}
