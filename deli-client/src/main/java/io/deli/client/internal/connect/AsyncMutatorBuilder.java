package io.deli.client.internal.connect;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;

/** Builds an {@link AsyncMutator}; unset options come from the configuration. */
public final class AsyncMutatorBuilder implements AsyncBufferedMutatorBuilder {
  private final IndexingAsyncTableBuilder<?> table;

  /** Heap size of mutations at which these leave. */
  long bufferBytes;

  /** Age at which they leave; never if it is not positive. */
  long flushNanos;

  /** Bytes of one cell at most. */
  int maxKeyValueSize;

  /** Number at which they leave; any if it is not positive. */
  int maxMutations;

  /**
   * @param table through which it writes
   */
  public AsyncMutatorBuilder(
      TableName name, Configuration configuration, IndexingAsyncTableBuilder<?> table) {
    MutatorOptions defaults = MutatorOptions.of(new BufferedMutatorParams(name), configuration);
    this.table = table;
    this.bufferBytes = defaults.bufferBytes();
    this.flushNanos = TimeUnit.MILLISECONDS.toNanos(defaults.flushMillis());
    this.maxKeyValueSize = defaults.maxKeyValueSize();
    this.maxMutations = defaults.maxMutations();
  }

  @Override
  public AsyncBufferedMutatorBuilder setOperationTimeout(long timeout, TimeUnit unit) {
    table.setOperationTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setRpcTimeout(long timeout, TimeUnit unit) {
    table.setRpcTimeout(timeout, unit).setWriteRpcTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setRetryPause(long pause, TimeUnit unit) {
    table.setRetryPause(pause, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setMaxAttempts(int maxAttempts) {
    table.setMaxAttempts(maxAttempts);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setStartLogErrorsCnt(int startLogErrorsCnt) {
    table.setStartLogErrorsCnt(startLogErrorsCnt);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setWriteBufferSize(long writeBufferSize) {
    bufferBytes = positive("writeBufferSize", writeBufferSize);
    return this;
  }

  /**
   * Sets the flush interval; without it, or with 0 or less, a mutation waits until the buffer is
   * full.
   */
  @Override
  public AsyncBufferedMutatorBuilder setWriteBufferPeriodicFlush(long timeout, TimeUnit unit) {
    flushNanos = unit.toNanos(timeout);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setMaxKeyValueSize(int size) {
    maxKeyValueSize = (int) positive("maxKeyValueSize", size);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setMaxMutations(int mutations) {
    maxMutations = (int) positive("maxMutations", mutations);
    return this;
  }

  @SuppressWarnings("MissingOverride") // of HBase 2.6
  public AsyncBufferedMutatorBuilder setRequestAttribute(String key, byte[] value) {
    table.setRequestAttribute(key, value);
    return this;
  }

  @SuppressWarnings("MissingOverride") // of HBase 2.6
  public AsyncBufferedMutatorBuilder setRequestAttributes(Map<String, byte[]> attributes) {
    attributes.forEach(table::setRequestAttribute);
    return this;
  }

  private static long positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException("%s %d must be > 0".formatted(name, value));
    }
    return value;
  }

  @Override
  public AsyncBufferedMutator build() {
    return new AsyncMutator(table.build(), this);
  }
}
