package io.deli.client.internal.read;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.HBaseCompat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;

/**
 * The tables that the queries of one table read, index tables and the table itself. Thread-safe.
 *
 * @param settings of the table that is queried, if it has other ones than its connection
 */
record ReadTables(
    AsyncConnection connection,
    List<Consumer<AsyncTableBuilder<?>>> settings,
    Scheduler scheduler) {

  ReadTables with(List<Consumer<AsyncTableBuilder<?>>> other) {
    return new ReadTables(connection, other, scheduler);
  }

  AsyncTable<AdvancedScanResultConsumer> open(TableName table) {
    if (settings.isEmpty()) {
      return connection.getTable(table);
    }
    AsyncTableBuilder<AdvancedScanResultConsumer> builder = connection.getTableBuilder(table);
    settings.forEach(setting -> setting.accept(builder));
    AsyncTable<?> set = builder.build();
    // To who asks, a page of a query is one operation, though entries are scanned.
    return builder
        .setScanTimeout(
            least(
                set.getScanTimeout(TimeUnit.NANOSECONDS),
                set.getOperationTimeout(TimeUnit.NANOSECONDS)),
            TimeUnit.NANOSECONDS)
        .build();
  }

  /** Returns the shortest time-out; zero is none. */
  private static long least(long... timeouts) {
    return LongStream.of(timeouts).filter(each -> each > 0).min().orElse(0);
  }

  /** Whether requests have what HBase's client does not send with calls of an endpoint. */
  boolean haveAttributes(TableName table) {
    return !settings.isEmpty() && !HBaseCompat.attributes(open(table)).isEmpty();
  }

  /**
   * Bounds by the settings what does not keep to them by itself, such as a request that is shared
   * with others, which goes on.
   */
  <T> CompletableFuture<T> bounded(TableName table, CompletableFuture<T> answer) {
    if (settings.isEmpty() || answer.isDone()) {
      return answer;
    }
    AsyncTable<?> set = open(table);
    long millis =
        least(
            set.getReadRpcTimeout(TimeUnit.MILLISECONDS),
            set.getScanTimeout(TimeUnit.MILLISECONDS));
    return millis > 0 ? scheduler.bounded(answer.copy(), millis) : answer;
  }
}
