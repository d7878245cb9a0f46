package io.deli.client.internal.connect;

import com.google.protobuf.RpcChannel;
import io.deli.client.internal.HBaseCompat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Passes on to another table whatever does not write. */
public abstract class ForwardingAsyncTable<C extends ScanResultConsumerBase>
    extends PartialResults<C> {
  private final Configuration configuration;

  protected ForwardingAsyncTable(AsyncTable<C> table, Configuration configuration) {
    super(table);
    this.configuration = configuration;
  }

  @Override
  public TableName getName() {
    return table.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return configuration;
  }

  @Override
  public CompletableFuture<TableDescriptor> getDescriptor() {
    return table.getDescriptor();
  }

  @Override
  public AsyncTableRegionLocator getRegionLocator() {
    return table.getRegionLocator();
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return table.getRpcTimeout(unit);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return table.getReadRpcTimeout(unit);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return table.getWriteRpcTimeout(unit);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return table.getOperationTimeout(unit);
  }

  @Override
  public long getScanTimeout(TimeUnit unit) {
    return table.getScanTimeout(unit);
  }

  @SuppressWarnings("MissingOverride") // of HBase 2.6
  public Map<String, byte[]> getRequestAttributes() {
    return HBaseCompat.attributes(table);
  }

  @Override
  public CompletableFuture<Result> get(Get get) {
    return table.get(get);
  }

  @Override
  public List<CompletableFuture<Result>> get(List<Get> gets) {
    return table.get(gets);
  }

  @Override
  public void scan(Scan scan, C consumer) {
    table.scan(scan, consumer);
  }

  @Override
  public ResultScanner getScanner(Scan scan) {
    return table.getScanner(scan);
  }

  @Override
  public CompletableFuture<List<Result>> scanAll(Scan scan) {
    return table.scanAll(scan);
  }

  @Override
  public <S, R> CompletableFuture<R> coprocessorService(
      Function<RpcChannel, S> stubMaker, ServiceCaller<S, R> callable, byte[] row) {
    return table.coprocessorService(stubMaker, callable, row);
  }

  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stubMaker,
      ServiceCaller<S, R> callable,
      CoprocessorCallback<R> callback) {
    return table.coprocessorService(stubMaker, callable, callback);
  }
}
