package io.deli.client.internal;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcChannel;
import io.deli.service.RegionService;
import io.deli.service.RegionService.Suspect;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Asks the regions of tables with indexes. Thread-safe; never blocks. */
public final class RegionClient {
  /** For which the master is waited for. */
  private static final long MASTER_MILLIS = 2_000;

  private final AsyncConnection connection;

  public RegionClient(AsyncConnection connection) {
    this.connection = connection;
  }

  /**
   * A table's families and index definitions.
   *
   * <p>The master tells them to those who may alter the table. Others, who may read or write it all
   * the same, ask its first region; one without DELI's observer has no index. So does everybody
   * while the master does not answer. A change is complete when all regions have it, so whoever
   * asks one of them after that is told of it.
   */
  public CompletableFuture<TableDescriptor> describe(TableName table) {
    return connection
        .getTable(table)
        .getDescriptor()
        .copy()
        .orTimeout(MASTER_MILLIS, TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            error ->
                mayKnowMore(Failures.plain(error))
                    ? describeByRegion(table)
                    : CompletableFuture.failedFuture(error));
  }

  /** Whether a region may answer what the master did not. */
  private static boolean mayKnowMore(Throwable error) {
    return error instanceof AccessDeniedException || !(error instanceof DoNotRetryIOException);
  }

  private CompletableFuture<TableDescriptor> describeByRegion(TableName table) {
    return call(table, HConstants.EMPTY_START_ROW, RegionService.DESCRIBE, RegionService.NOTHING)
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
      throw new CompletionException(e);
    }
  }

  /** Has the region of the base row look into a suspect, and delete it if it is garbage. */
  public CompletableFuture<Void> repair(TableName base, Suspect suspect) {
    return call(base, suspect.entry().key(), RegionService.REPAIR, suspect.toMessage())
        .thenApply(answer -> null);
  }

  private CompletableFuture<Message> call(
      TableName table, byte[] row, MethodDescriptor method, Message request) {
    return connection
        .getTable(table)
        .<RpcChannel, Message>coprocessorService(
            channel -> channel,
            (channel, controller, done) ->
                channel.callMethod(
                    method,
                    controller,
                    request,
                    RegionService.prototype(method.getOutputType()),
                    done),
            row);
  }
}
