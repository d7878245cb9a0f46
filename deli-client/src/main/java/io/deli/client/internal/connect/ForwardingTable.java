package io.deli.client.internal.connect;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import com.google.protobuf.ServiceException;
import io.deli.client.internal.HBaseCompat;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;

/** Passes on to another table whatever does not write. */
public abstract class ForwardingTable implements Table {
  private final Table table;
  private final Configuration configuration;

  protected ForwardingTable(Table table, Configuration configuration) {
    this.table = table;
    this.configuration = configuration;
  }

  /** The table that calls are passed on to. */
  protected Table plain() {
    return table;
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
  public TableDescriptor getDescriptor() throws IOException {
    return table.getDescriptor();
  }

  @Override
  public RegionLocator getRegionLocator() throws IOException {
    return table.getRegionLocator();
  }

  @Override
  public boolean exists(Get get) throws IOException {
    return table.exists(get);
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    return table.exists(gets);
  }

  @Override
  public Result get(Get get) throws IOException {
    return table.get(get);
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    return table.get(gets);
  }

  @Override
  public ResultScanner getScanner(Scan scan) throws IOException {
    return table.getScanner(scan);
  }

  @Override
  public ResultScanner getScanner(byte[] family) throws IOException {
    return table.getScanner(family);
  }

  @Override
  public ResultScanner getScanner(byte[] family, byte[] qualifier) throws IOException {
    return table.getScanner(family, qualifier);
  }

  @Override
  public void close() throws IOException {
    table.close();
  }

  @Override
  public CoprocessorRpcChannel coprocessorService(byte[] row) {
    return table.coprocessorService(row);
  }

  @Override
  public <T extends Service, R> Map<byte[], R> coprocessorService(
      Class<T> service, byte[] startKey, byte[] endKey, Batch.Call<T, R> callable)
      throws ServiceException, Throwable {
    return table.coprocessorService(service, startKey, endKey, callable);
  }

  @Override
  public <T extends Service, R> void coprocessorService(
      Class<T> service,
      byte[] startKey,
      byte[] endKey,
      Batch.Call<T, R> callable,
      Batch.Callback<R> callback)
      throws ServiceException, Throwable {
    table.coprocessorService(service, startKey, endKey, callable, callback);
  }

  @Override
  public <R extends Message> Map<byte[], R> batchCoprocessorService(
      MethodDescriptor method, Message request, byte[] startKey, byte[] endKey, R prototype)
      throws ServiceException, Throwable {
    return table.batchCoprocessorService(method, request, startKey, endKey, prototype);
  }

  @Override
  public <R extends Message> void batchCoprocessorService(
      MethodDescriptor method,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R prototype,
      Batch.Callback<R> callback)
      throws ServiceException, Throwable {
    table.batchCoprocessorService(method, request, startKey, endKey, prototype, callback);
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

  @SuppressWarnings("MissingOverride") // of HBase 2.6
  public Map<String, byte[]> getRequestAttributes() {
    return HBaseCompat.attributes(table);
  }

  @Override
  public String toString() {
    return "DELI over " + table;
  }
}
