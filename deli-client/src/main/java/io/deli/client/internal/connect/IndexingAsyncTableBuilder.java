package io.deli.client.internal.connect;

import io.deli.client.internal.HBaseCompat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;

/** Applies each setting to the plain table and to the tables that the engine sends to. */
public final class IndexingAsyncTableBuilder<C extends ScanResultConsumerBase>
    implements AsyncTableBuilder<C> {
  private final AsyncTableBuilder<C> plain;
  private final Maker<C> maker;
  private final List<Consumer<AsyncTableBuilder<?>>> settings = new ArrayList<>();
  private Optional<Consumer<AsyncTableBuilder<?>>> writeRpcTimeout = Optional.empty();

  /** Makes a table of its plain one and the settings of those that the engine sends to. */
  @FunctionalInterface
  public interface Maker<C extends ScanResultConsumerBase> {
    IndexingAsyncTable<C> make(AsyncTable<C> plain, List<Consumer<AsyncTableBuilder<?>>> settings);
  }

  /** The pause after which HBase's client sends a request again. */
  record RetryPause(long pause, TimeUnit unit) implements Consumer<AsyncTableBuilder<?>> {
    @Override
    public void accept(AsyncTableBuilder<?> table) {
      table.setRetryPause(pause, unit);
    }
  }

  public IndexingAsyncTableBuilder(AsyncTableBuilder<C> plain, Maker<C> maker) {
    this.plain = plain;
    this.maker = maker;
  }

  private IndexingAsyncTableBuilder<C> with(Consumer<AsyncTableBuilder<?>> setting) {
    setting.accept(plain);
    settings.add(setting);
    return this;
  }

  @Override
  public IndexingAsyncTableBuilder<C> setOperationTimeout(long timeout, TimeUnit unit) {
    return with(table -> table.setOperationTimeout(timeout, unit));
  }

  @Override
  public IndexingAsyncTableBuilder<C> setScanTimeout(long timeout, TimeUnit unit) {
    return with(table -> table.setScanTimeout(timeout, unit));
  }

  @Override
  public IndexingAsyncTableBuilder<C> setRpcTimeout(long timeout, TimeUnit unit) {
    return with(table -> table.setRpcTimeout(timeout, unit));
  }

  @Override
  public IndexingAsyncTableBuilder<C> setReadRpcTimeout(long timeout, TimeUnit unit) {
    return with(table -> table.setReadRpcTimeout(timeout, unit));
  }

  /**
   * Sets the time-out of batches as well, which HBase sends by the general time-out, since single
   * writes may travel in a batch.
   */
  @Override
  public IndexingAsyncTableBuilder<C> setWriteRpcTimeout(long timeout, TimeUnit unit) {
    plain.setWriteRpcTimeout(timeout, unit);
    writeRpcTimeout =
        Optional.of(table -> table.setRpcTimeout(timeout, unit).setWriteRpcTimeout(timeout, unit));
    return this;
  }

  @Override
  public IndexingAsyncTableBuilder<C> setRetryPause(long pause, TimeUnit unit) {
    return with(new RetryPause(pause, unit));
  }

  @Override
  public IndexingAsyncTableBuilder<C> setRetryPauseForServerOverloaded(long pause, TimeUnit unit) {
    return with(table -> table.setRetryPauseForServerOverloaded(pause, unit));
  }

  @Override
  public IndexingAsyncTableBuilder<C> setMaxAttempts(int maxAttempts) {
    return with(table -> table.setMaxAttempts(maxAttempts));
  }

  @Override
  public IndexingAsyncTableBuilder<C> setStartLogErrorsCnt(int startLogErrorsCnt) {
    return with(table -> table.setStartLogErrorsCnt(startLogErrorsCnt));
  }

  @SuppressWarnings("MissingOverride") // of HBase 2.6
  public IndexingAsyncTableBuilder<C> setRequestAttribute(String key, byte[] value) {
    return with(table -> HBaseCompat.setAttribute(table, key, value));
  }

  @Override
  public IndexingAsyncTable<C> build() {
    List<Consumer<AsyncTableBuilder<?>>> made = new ArrayList<>(settings);
    writeRpcTimeout.ifPresent(made::add);
    return maker.make(plain.build(), List.copyOf(made));
  }
}
