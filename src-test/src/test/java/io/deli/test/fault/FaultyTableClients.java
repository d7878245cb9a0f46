package io.deli.test.fault;

import io.deli.client.internal.write.TableClient;
import io.deli.client.internal.write.TableClients;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** Real ways to the tables, on which a test makes things go wrong or wait. */
public final class FaultyTableClients extends ForwardingTableClients {
  private final Executor delayed;
  private final Executor retried;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private CompletableFuture<?> underWay = CompletableFuture.completedFuture(null);
  private volatile Faults faults = Faults.NONE;
  private volatile CompletableFuture<Void> baseGate = CompletableFuture.completedFuture(null);

  /**
   * @param delay of what is late
   * @param retry after which HBase's client sends a request again
   */
  FaultyTableClients(TableClients real, Duration delay, Duration retry) {
    super(real);
    this.delayed = after(delay);
    this.retried = after(retry);
  }

  private static Executor after(Duration delay) {
    return CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** From now on. */
  public void suffer(Faults next) {
    faults = next;
  }

  /** Requests to the base table wait for this. */
  public void holdBase(CompletableFuture<Void> gate) {
    baseGate = gate;
  }

  /** What was sent, in order: {@code index 3} is a request of three operations. */
  public List<String> log() {
    return log;
  }

  /** Waits for all that is still on its way. */
  public void awaitQuiet() {
    CompletableFuture<?> all;
    synchronized (this) {
      all = underWay;
    }
    all.join();
  }

  @Override
  public TableClient index(TableName table) {
    return new FaultyTableClient(Way.INDEX, super.index(table), this);
  }

  @Override
  public TableClient base(TableName table) {
    return new FaultyTableClient(Way.BASE, super.base(table), this);
  }

  /** What befalls the operations of a request, once it may set off. */
  CompletableFuture<List<Fault>> strike(Way way, int operations) {
    log.add(way.name().toLowerCase(Locale.ROOT) + " " + operations);
    List<Fault> struck = faults.strike(way, operations);
    return way == Way.BASE
        ? baseGate.thenApply(open -> struck)
        : CompletableFuture.completedFuture(struck);
  }

  @Override
  public List<CompletableFuture<Result>> get(TableName table, List<Get> gets) {
    CompletableFuture<List<Fault>> strike = strike(Way.SCAN, gets.size());
    return IntStream.range(0, gets.size())
        .mapToObj(
            i ->
                strike.thenCompose(
                    struck ->
                        read(struck.get(i), () -> super.get(table, List.of(gets.get(i))).get(0))))
        .toList();
  }

  @Override
  public CompletableFuture<List<Result>> scan(TableName table, Scan scan) {
    return strike(Way.SCAN, 1)
        .thenCompose(struck -> read(struck.get(0), () -> super.scan(table, scan)));
  }

  private <T> CompletableFuture<T> read(Fault fault, Supplier<CompletableFuture<T>> scan) {
    return switch (fault) {
      case NONE -> scan.get();
      case DELAYED -> tracked(scan.get().thenApplyAsync(rows -> rows, delayed));
      case REPEATED -> tracked(scan.get().thenComposeAsync(first -> scan.get(), retried));
      default -> CompletableFuture.failedFuture(fault.error(Way.SCAN));
    };
  }

  /** For what is late. */
  Executor delayed() {
    return delayed;
  }

  /** For what HBase's client sends again. */
  Executor retried() {
    return retried;
  }

  /** To be waited for by {@link #awaitQuiet}. */
  synchronized <T> CompletableFuture<T> tracked(CompletableFuture<T> future) {
    underWay = CompletableFuture.allOf(underWay, future.handle((done, error) -> null));
    return future;
  }
}
