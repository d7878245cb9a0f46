package io.deli.client.internal.connect;

import io.deli.client.internal.HBaseCompat;
import io.deli.client.internal.write.WriteRules;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BufferedMutator.ExceptionListener;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;

/**
 * The options of a buffered mutator, with HBase's defaults.
 *
 * @param timeouts until the application sets others
 * @param bufferBytes heap size of the mutations that may wait
 * @param maxMutations mutations that may wait, or negative for any number
 * @param maxKeyValueSize bytes of one cell at most
 * @param flushMillis age at which mutations leave by themselves, or 0 for never
 * @param tickMillis how often that is looked at
 * @param listener of the application's; null if failures are just thrown
 * @param attributes of every request
 */
record MutatorOptions(
    TableName table,
    Timeouts timeouts,
    long bufferBytes,
    int maxMutations,
    int maxKeyValueSize,
    long flushMillis,
    long tickMillis,
    ExceptionListener listener,
    Map<String, byte[]> attributes) {
  private static final int UNSET = -1;

  /** The listener of who has set none. */
  private static final Class<?> RETHROWING =
      new BufferedMutatorParams(TableName.META_TABLE_NAME).getListener().getClass();

  /** Time-outs of a buffered mutator in milliseconds; negative for the connection's own. */
  record Timeouts(int rpcMillis, int operationMillis) {
    /** Makes these settings on a table. */
    void applyTo(AsyncTableBuilder<?> table) {
      if (rpcMillis >= 0) {
        table.setRpcTimeout(rpcMillis, TimeUnit.MILLISECONDS);
        table.setWriteRpcTimeout(rpcMillis, TimeUnit.MILLISECONDS);
      }
      if (operationMillis >= 0) {
        table.setOperationTimeout(operationMillis, TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Resolves the parameters against the configuration. */
  static MutatorOptions of(BufferedMutatorParams params, Configuration configuration) {
    return new MutatorOptions(
        params.getTableName(),
        new Timeouts(params.getRpcTimeout(), params.getOperationTimeout()),
        params.getWriteBufferSize() == UNSET
            ? configuration.getLong("hbase.client.write.buffer", 2L << 20)
            : params.getWriteBufferSize(),
        params.getMaxMutations() == UNSET
            ? configuration.getInt("hbase.client.write.buffer.maxmutations", UNSET)
            : params.getMaxMutations(),
        params.getMaxKeyValueSize() == UNSET
            ? WriteRules.of(configuration).puts().maxKeyValueSize()
            : params.getMaxKeyValueSize(),
        params.getWriteBufferPeriodicFlushTimeoutMs() == UNSET
            ? configuration.getLong("hbase.client.write.buffer.periodicflush.timeout.ms", 0)
            : params.getWriteBufferPeriodicFlushTimeoutMs(),
        params.getWriteBufferPeriodicFlushTimerTickMs() == UNSET
            ? configuration.getLong("hbase.client.write.buffer.periodicflush.timertick.ms", 1000)
            : params.getWriteBufferPeriodicFlushTimerTickMs(),
        listener(params),
        HBaseCompat.attributes(params));
  }

  private static ExceptionListener listener(BufferedMutatorParams params) {
    ExceptionListener listener = params.getListener();
    return RETHROWING.isInstance(listener) ? null : listener;
  }
}
