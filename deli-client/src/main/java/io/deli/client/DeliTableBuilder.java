package io.deli.client;

import io.deli.client.internal.HBaseCompat;
import io.deli.client.internal.connect.LazyEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;

/** Makes every setting twice: on the plain table and on those that the engine sends to. */
final class DeliTableBuilder implements TableBuilder {
  private final LazyEngine engine;
  private final TableBuilder plain;
  private final List<Consumer<AsyncTableBuilder<?>>> settings = new ArrayList<>();

  /** Bounds operations on the table and its indexes. */
  record OperationTimeout(int millis) implements Consumer<AsyncTableBuilder<?>> {
    @Override
    public void accept(AsyncTableBuilder<?> table) {
      table.setOperationTimeout(millis, TimeUnit.MILLISECONDS);
    }
  }

  /** Bounds each of the requests that read. */
  record ReadRpcTimeout(int millis) implements Consumer<AsyncTableBuilder<?>> {
    @Override
    public void accept(AsyncTableBuilder<?> table) {
      table.setReadRpcTimeout(millis, TimeUnit.MILLISECONDS);
    }
  }

  /** Bounds each of the requests that write, batches among them. */
  record WriteRpcTimeout(int millis) implements Consumer<AsyncTableBuilder<?>> {
    @Override
    public void accept(AsyncTableBuilder<?> table) {
      table.setRpcTimeout(millis, TimeUnit.MILLISECONDS);
      table.setWriteRpcTimeout(millis, TimeUnit.MILLISECONDS);
    }
  }

  DeliTableBuilder(LazyEngine engine, TableBuilder plain) {
    this.engine = engine;
    this.plain = plain;
  }

  @Override
  public TableBuilder setOperationTimeout(int timeout) {
    plain.setOperationTimeout(timeout);
    settings.add(new OperationTimeout(timeout));
    return this;
  }

  @Override
  public TableBuilder setRpcTimeout(int timeout) {
    plain.setRpcTimeout(timeout);
    return this;
  }

  @Override
  public TableBuilder setReadRpcTimeout(int timeout) {
    plain.setReadRpcTimeout(timeout);
    settings.add(new ReadRpcTimeout(timeout));
    return this;
  }

  @Override
  public TableBuilder setWriteRpcTimeout(int timeout) {
    plain.setWriteRpcTimeout(timeout);
    settings.add(new WriteRpcTimeout(timeout));
    return this;
  }

  @SuppressWarnings("MissingOverride") // of HBase 2.6
  public TableBuilder setRequestAttribute(String key, byte[] value) {
    HBaseCompat.setAttribute(plain, key, value);
    settings.add(table -> HBaseCompat.setAttribute(table, key, value));
    return this;
  }

  @Override
  public Table build() {
    try {
      return new DeliTable(engine.get(), plain.build(), List.copyOf(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
