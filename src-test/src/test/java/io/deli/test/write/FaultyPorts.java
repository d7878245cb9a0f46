package io.deli.test.write;

import io.deli.client.internal.write.Port;
import io.deli.client.internal.write.Ports;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;

/** Real ways to the tables, on which a test makes things go wrong or wait. */
final class FaultyPorts implements Ports {
  /** What happens to a request. */
  enum Fault {
    NONE,
    /** It never arrives. */
    LOST,
    /** It is applied, but its answer does not come back. */
    UNANSWERED
  }

  private final Ports real;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private volatile Fault onIndex = Fault.NONE;
  private volatile Fault onBase = Fault.NONE;
  private volatile CompletableFuture<Void> baseGate = CompletableFuture.completedFuture(null);

  FaultyPorts(Ports real) {
    this.real = real;
  }

  void onIndex(Fault fault) {
    onIndex = fault;
  }

  void onBase(Fault fault) {
    onBase = fault;
  }

  /** Requests to the base table wait for this. */
  void holdBase(CompletableFuture<Void> gate) {
    baseGate = gate;
  }

  /** What was sent, in order: {@code index 3} is a request of three operations. */
  List<String> log() {
    return log;
  }

  @Override
  public Port index(TableName table) {
    return new FaultyPort("index", real.index(table));
  }

  @Override
  public Port base(TableName table) {
    return new FaultyPort("base", real.base(table));
  }

  @Override
  public Port plain(TableName table) {
    return real.plain(table);
  }

  @Override
  public CompletableFuture<List<Result>> scan(TableName table, Scan scan) {
    log.add("scan");
    return real.scan(table, scan);
  }

  private final class FaultyPort implements Port {
    private final String name;
    private final Port port;

    FaultyPort(String name, Port port) {
      this.name = name;
      this.port = port;
    }

    @Override
    public CompletableFuture<Object> send(Row operation) {
      return send(List.of(operation))
          .thenCompose(
              answers ->
                  answers[0] instanceof Throwable error
                      ? CompletableFuture.failedFuture(error)
                      : CompletableFuture.completedFuture(answers[0]));
    }

    @Override
    public CompletableFuture<Object[]> send(List<? extends Row> operations) {
      Fault fault = name.equals("index") ? onIndex : onBase;
      log.add(name + " " + operations.size());
      Object[] failures = new Object[operations.size()];
      Arrays.fill(failures, new IOException("injected on " + name));
      if (fault == Fault.LOST) {
        return CompletableFuture.completedFuture(failures);
      }
      CompletableFuture<Void> gate =
          name.equals("index") ? CompletableFuture.completedFuture(null) : baseGate;
      return gate.thenCompose(open -> port.send(operations))
          .thenApply(answers -> fault == Fault.UNANSWERED ? failures : answers);
    }
  }
}
