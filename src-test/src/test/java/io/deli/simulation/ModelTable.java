package io.deli.simulation;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcChannel;
import io.deli.service.RegionService;
import io.deli.test.fault.Proxies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanController;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.filter.Filter;

/** A table of a {@link ModelCluster}, as a client has it. */
record ModelTable(
    ModelCluster cluster,
    World.Node client,
    Configuration configuration,
    TableName name,
    long timeoutMillis,
    AsyncTableRegionLocator locator)
    implements AsyncTable<AdvancedScanResultConsumer> {
  /** Of a scan that ends anyway. */
  private static final ScanController ENDED =
      Proxies.of(ScanController.class, (self, method, arguments) -> null);

  @Override
  public TableName getName() {
    return name;
  }

  @Override
  public Configuration getConfiguration() {
    return configuration;
  }

  @Override
  public CompletableFuture<TableDescriptor> getDescriptor() {
    return cluster.describe(client, name, timeoutMillis);
  }

  @Override
  public AsyncTableRegionLocator getRegionLocator() {
    return locator;
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return getOperationTimeout(unit);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return getOperationTimeout(unit);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return getOperationTimeout(unit);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return unit.convert(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public long getScanTimeout(TimeUnit unit) {
    return getOperationTimeout(unit);
  }

  private <T> CompletableFuture<T> only(Row operation) {
    return this.<T>batch(List.of(operation)).get(0);
  }

  @Override
  public CompletableFuture<Result> get(Get get) {
    return only(get);
  }

  @Override
  public CompletableFuture<Void> put(Put put) {
    return only(put).thenApply(done -> null);
  }

  @Override
  public CompletableFuture<Void> delete(Delete delete) {
    return only(delete).thenApply(done -> null);
  }

  @Override
  public CompletableFuture<Result> mutateRow(RowMutations mutations) {
    return only(mutations);
  }

  @Override
  public CompletableFuture<CheckAndMutateResult> checkAndMutate(CheckAndMutate conditional) {
    return only(conditional);
  }

  @Override
  public List<CompletableFuture<Result>> get(List<Get> gets) {
    return batch(gets);
  }

  /** What fails for the moment is sent again by itself. */
  @Override
  @SuppressWarnings("unchecked")
  public <T> List<CompletableFuture<T>> batch(List<? extends Row> operations) {
    List<CompletableFuture<T>> answers = new ArrayList<>(operations.size());
    if (operations.size() == 1) {
      Row operation = operations.get(0);
      answers.add(
          (CompletableFuture<T>)
              cluster.<Object>ask(
                  client,
                  name,
                  timeoutMillis,
                  () -> Wording.of(operation),
                  operations,
                  region -> only(region.serve(operations)[0])));
      return answers;
    }
    operations.forEach(operation -> answers.add(new CompletableFuture<>()));
    var unused =
        cluster
            .ask(
                client,
                name,
                timeoutMillis,
                () -> Wording.of(operations),
                operations,
                region -> region.serve(operations))
            .whenComplete((each, error) -> distribute(operations, each, error, answers));
    return answers;
  }

  private static Object only(Object answer) throws IOException {
    if (answer instanceof IOException failure) {
      throw failure;
    }
    return answer;
  }

  @SuppressWarnings("unchecked")
  private <T> void distribute(
      List<? extends Row> operations,
      Object[] results,
      Throwable error,
      List<CompletableFuture<T>> answers) {
    for (int i = 0; i < answers.size(); i++) {
      CompletableFuture<T> answer = answers.get(i);
      Object result = error == null ? results[i] : error;
      if (result instanceof RegionTooBusyException) {
        var unused =
            this.<T>only(operations.get(i))
                .whenComplete(
                    (again, failure) -> {
                      if (failure == null) {
                        answer.complete(again);
                      } else {
                        answer.completeExceptionally(failure);
                      }
                    });
      } else if (result instanceof Throwable failure) {
        answer.completeExceptionally(failure);
      } else {
        answer.complete((T) result);
      }
    }
  }

  @Override
  public CompletableFuture<List<Result>> scanAll(Scan scan) {
    return cluster.ask(
        client,
        name,
        timeoutMillis,
        () -> Wording.of(scan),
        List.of(),
        region -> region.scan(scan));
  }

  @Override
  public <S, R> CompletableFuture<R> coprocessorService(
      Function<RpcChannel, S> stubMaker, ServiceCaller<S, R> callable, byte[] row) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    RpcChannel channel =
        (method, controller, request, prototype, done) -> {
          var unused =
              ask(method, request)
                  .whenComplete(
                      (message, error) -> {
                        if (error == null) {
                          done.run(message);
                        } else {
                          answer.completeExceptionally(error);
                        }
                      });
        };
    callable.call(stubMaker.apply(channel), null, answer::complete);
    return answer;
  }

  private CompletableFuture<Message> ask(MethodDescriptor method, Message request) {
    if (!method.equals(RegionService.WRITE)) {
      return cluster.ask(
          client,
          name,
          timeoutMillis,
          method::getName,
          List.of(),
          region -> region.call(method, request));
    }
    ModelColocatedWrite write = ModelColocatedWrite.of(request);
    List<Put> rows = write.rows().get(name);
    return cluster.ask(
        client,
        name,
        timeoutMillis,
        () -> Wording.of(rows) + " with " + Wording.of(write.entries().values()),
        rows,
        region -> write.carryOut(cluster));
  }

  @Override
  public CompletableFuture<Result> append(Append append) {
    throw new UnsupportedOperationException("append");
  }

  @Override
  public CompletableFuture<Result> increment(Increment increment) {
    throw new UnsupportedOperationException("increment");
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    throw new UnsupportedOperationException("checkAndMutate");
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    throw new UnsupportedOperationException("checkAndMutate");
  }

  @Override
  public List<CompletableFuture<CheckAndMutateResult>> checkAndMutate(
      List<CheckAndMutate> conditionals) {
    return batch(conditionals);
  }

  @Override
  public void scan(Scan scan, AdvancedScanResultConsumer consumer) {
    ScanMetrics metrics = new ScanMetrics();
    metrics.addToCounter(ScanMetrics.RPC_CALLS_METRIC_NAME, 1);
    consumer.onScanMetricsCreated(metrics);
    var unused =
        scanAll(scan)
            .whenComplete(
                (rows, error) -> {
                  if (error == null) {
                    consumer.onNext(rows.toArray(Result[]::new), ENDED);
                    consumer.onComplete();
                  } else {
                    consumer.onError(error);
                  }
                });
  }

  @Override
  public ResultScanner getScanner(Scan scan) {
    throw new UnsupportedOperationException("a scanner that waits");
  }

  @Override
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    return batch(puts);
  }

  @Override
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return batch(deletes);
  }

  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stubMaker,
      ServiceCaller<S, R> callable,
      CoprocessorCallback<R> callback) {
    throw new UnsupportedOperationException("a service of all regions");
  }
}
