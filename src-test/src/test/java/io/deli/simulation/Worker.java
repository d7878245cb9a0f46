package io.deli.simulation;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.internal.ClientEnvironment;
import io.deli.client.internal.Futures;
import io.deli.client.internal.connect.Engine;
import io.deli.client.internal.connect.Wiring;
import io.deli.client.internal.read.CurrentDefinitions;
import io.deli.client.internal.write.HBaseTableClients;
import io.deli.client.internal.write.IndexedTableWriter;
import io.deli.client.internal.write.WriteContext;
import io.deli.entry.RowClock;
import io.deli.lab.judge.CallHistory;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.RowQuery;
import io.deli.lab.judge.RowQuery.Hit;
import io.deli.lab.judge.Span;
import io.deli.lab.judge.Step;
import io.deli.lab.judge.Step.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A client, on DELI's real engine, that makes one call after the other and notes what it is told.
 */
final class Worker {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final String A = "f:a";
  static final String B = "f:b";

  private final World world;
  private final World.Node process;
  private final CallHistory history;
  private final Deployment deployment;
  private final IndexKind kind;
  private final Habits habits;
  private final Engine engine;
  private final IndexedTableWriter writer;
  private final AsyncConnection connection;
  private final CurrentDefinitions definitions;
  private Optional<Pending> pending = Optional.empty();

  /** The way in which an application makes Puts and Deletes. */
  interface Habits {
    default long timestamp() {
      return HConstants.LATEST_TIMESTAMP;
    }

    default OptionalLong ttlMillis() {
      return OptionalLong.empty();
    }
  }

  /** A call that nobody has answered. */
  private record Pending(List<RowOperation> operations) {}

  Worker(ModelCluster cluster, World.Node process, Deployment deployment, CallHistory history) {
    this(cluster, process, deployment, history, new Habits() {});
  }

  Worker(
      ModelCluster cluster,
      World.Node process,
      Deployment deployment,
      CallHistory history,
      Habits habits) {
    this.habits = habits;
    Configuration configuration = deployment.configuration();
    this.deployment = deployment;
    this.kind = deployment.kind();
    this.world = cluster.world();
    this.process = process;
    this.history = history;
    InstantSource clock = world.clock(process);
    ClientEnvironment surroundings =
        new ClientEnvironment(clock, this::ticks, this::random, delays());
    connection =
        ModelConnection.open(cluster, process, configuration, Deployment.OPERATION_TIMEOUT_MILLIS);
    engine =
        new Engine(
            connection,
            configuration,
            new Wiring(
                new WriteContext(new RowClock(clock)::next, surroundings),
                UnaryOperator.identity()),
            HBaseTableClients::boundAsWrites);
    writer = engine.writer(Deployment.BASE, List.of());
    definitions = engine.definitions(Deployment.BASE);
  }

  private long ticks() {
    if (world.has(Defect.LATENESS_UNCOUNTED)) {
      return 0;
    }
    return world.nanos() - (world.has(Defect.SUSPENSION_UNCOUNTED) ? process.pausedNanos() : 0);
  }

  private long random() {
    return world.has(Defect.IDS_EQUAL) ? 1 : world.unique();
  }

  private ClientEnvironment.Scheduler delays() {
    return new ClientEnvironment.Scheduler() {
      @Override
      public Executor after(long millis) {
        return task -> world.afterMillis(millis, process, task);
      }

      @Override
      public <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, long millis) {
        world.afterMillis(
            millis,
            process,
            () -> {
              if (!answer.isDone()) {
                answer.completeExceptionally(new TimeoutException());
              }
            });
        return answer;
      }
    };
  }

  /** Learns of the indexes. */
  void begin() {
    var unused = definitions.known().get();
  }

  World.Node process() {
    return process;
  }

  boolean isIdle() {
    return pending.isEmpty();
  }

  /** Its process ends: what it has called may take effect or not. */
  void crash() {
    process.crash();
    pending.ifPresent(call -> call.operations().forEach(this::failed));
    pending = Optional.empty();
  }

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  private static byte[] qualifier(String column) {
    return bytes(column.substring(2));
  }

  private Put put(String row, Map<String, String> values) {
    Put put = new Put(bytes(row), habits.timestamp());
    habits.ttlMillis().ifPresent(put::setTTL);
    values.forEach((column, value) -> put.addColumn(FAMILY, qualifier(column), bytes(value)));
    return put;
  }

  private Delete deletion(String row, Set<String> columns) {
    Delete delete = new Delete(bytes(row), habits.timestamp());
    columns.forEach(column -> delete.addColumns(FAMILY, qualifier(column)));
    return delete;
  }

  private Mutation mutation(String row, Step step) {
    return step instanceof Step.Write write
        ? put(row, write.values())
        : deletion(row, step.written());
  }

  private RowOperation operation(String row, Step... steps) {
    return RowOperation.write(row, new Span(world.nanos(), Span.NEVER), steps);
  }

  CompletableFuture<Void> put(SortedMap<String, SortedMap<String, String>> rows) {
    List<RowOperation> operations =
        rows.entrySet().stream()
            .map(row -> operation(row.getKey(), new Step.Write(row.getValue())))
            .toList();
    List<Put> puts =
        rows.entrySet().stream().map(row -> put(row.getKey(), row.getValue())).toList();
    return write(operations, puts);
  }

  /** Puts to a row twice, in one list. */
  CompletableFuture<Void> putTwice(
      String row, SortedMap<String, String> first, SortedMap<String, String> then) {
    return write(
        List.of(operation(row, new Step.Write(first)), operation(row, new Step.Write(then))),
        List.of(put(row, first), put(row, then)));
  }

  CompletableFuture<Void> delete(String row, Set<String> columns) {
    return write(List.of(operation(row, removal(columns))), List.of(deletion(row, columns)));
  }

  static Step removal(Set<String> columns) {
    return new Step.Removal(Scope.ALL, columns, "");
  }

  /** Puts a column and deletes another at once. */
  CompletableFuture<Void> replace(String row, String column, String value, String other) {
    return atOnce(row, new Step.Write(Map.of(column, value)), removal(Set.of(other)));
  }

  /** Takes several steps at once. */
  CompletableFuture<Void> atOnce(String row, Step... steps) {
    try {
      RowMutations all =
          RowMutations.of(Stream.of(steps).map(step -> mutation(row, step)).toList());
      return write(List.of(operation(row, steps)), List.of(all));
    } catch (IOException e) {
      throw new UncheckedIOException("all are of the row", e);
    }
  }

  /** Deletes columns if one has a value. */
  CompletableFuture<Void> remove(String row, Set<String> columns, String column, String value) {
    RowOperation operation =
        operation(row, removal(columns))
            .provided(new RowOperation.Test(column, Optional.of(value)), true);
    CheckAndMutate removal =
        CheckAndMutate.newBuilder(bytes(row))
            .ifEquals(FAMILY, qualifier(column), bytes(value))
            .build(deletion(row, columns));
    return write(List.of(operation), List.of(removal));
  }

  /** Puts values if a column has a value, or none. */
  CompletableFuture<Void> change(
      String row, String column, Optional<String> from, SortedMap<String, String> to) {
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(bytes(row));
    if (from.isPresent()) {
      builder.ifEquals(FAMILY, qualifier(column), bytes(from.get()));
    } else {
      builder.ifNotExists(FAMILY, qualifier(column));
    }
    RowOperation operation =
        operation(row, new Step.Write(to)).provided(new RowOperation.Test(column, from), true);
    return write(List.of(operation), List.of(builder.build(put(row, to))));
  }

  private CompletableFuture<Void> write(List<RowOperation> operations, List<? extends Row> rows) {
    world.tell(process, () -> "calls " + operations);
    pending = Optional.of(new Pending(operations));
    List<CompletableFuture<Object>> answers =
        rows.size() == 1 ? List.of(writer.write(rows.get(0))) : writer.write(rows);
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .handle(
            (done, error) -> {
              pending = Optional.empty();
              for (int i = 0; i < answers.size(); i++) {
                note(operations.get(i), answers.get(i));
              }
              return null;
            });
  }

  private void note(RowOperation operation, CompletableFuture<Object> answer) {
    if (answer.isCompletedExceptionally()) {
      Throwable why = answer.handle((done, error) -> error).join();
      world.tell(process, () -> "is told of a failure: " + operation + ": " + why);
      deployment.failures().add(Futures.unwrap(why));
      failed(operation);
      return;
    }
    RowOperation done = operation.during(ended(operation.span()));
    if (operation.test().isPresent()) {
      boolean held = ((CheckAndMutateResult) answer.join()).isSuccess();
      done = done.provided(operation.test().get(), held);
    }
    RowOperation told = done;
    world.tell(process, () -> "is told: " + told);
    int others = otherRequests(told.span());
    if (others == 0 || told.outcome() != RowOperation.Outcome.NOT_HELD) {
      history.add(told);
    }
    for (int i = 0; i < others; i++) {
      // HBase's own: another request may have taken effect, or a late one find that it can.
      history.add(told.failed());
    }
  }

  private void failed(RowOperation operation) {
    for (int i = 0; i <= otherRequests(ended(operation.span())); i++) {
      history.add(operation.failed());
    }
  }

  private Span ended(Span span) {
    return new Span(span.begun(), world.nanos());
  }

  /** How many requests there may have been of a call besides the one that was answered. */
  private static int otherRequests(Span span) {
    long millis = TimeUnit.NANOSECONDS.toMillis(span.ended() - span.begun());
    return millis < Courier.PAUSE_MILLIS
        ? 0
        : (int) Math.max(1, millis / Courier.RPC_TIMEOUT_MILLIS);
  }

  CompletableFuture<Void> get(String row) {
    Get get = new Get(bytes(row)).addColumn(FAMILY, bytes("a")).addColumn(FAMILY, bytes("b"));
    long begun = world.nanos();
    return reading(
        () -> connection.getTable(Deployment.BASE).get(get),
        result -> {
          RowOperation read =
              RowOperation.get(
                  row,
                  new Span(begun, world.nanos()),
                  Map.of(A, seen(result, A), B, seen(result, B)));
          world.tell(process, () -> "reads " + read);
          history.add(read);
        });
  }

  private static Optional<String> seen(Result result, String column) {
    return Optional.ofNullable(result.getValue(FAMILY, qualifier(column))).map(Bytes::toString);
  }

  CompletableFuture<Void> query(QueryCondition asked) {
    long begun = world.nanos();
    QueryCondition condition = kind.found(asked);
    ValueQuery query = kind.query(asked).limit(1_000);
    return reading(
        () -> engine.queries().page(definitions, query),
        page -> {
          Span span = new Span(begun, world.nanos());
          List<Hit> hits = page.hits().stream().map(hit -> hit(hit, span.ended())).toList();
          RowQuery answered = new RowQuery("page", condition, hits, span, Optional.empty());
          world.tell(process, () -> "is answered " + answered + ": " + hits);
          history.add(answered);
        });
  }

  private static Hit hit(ValueHit hit, long taken) {
    return new Hit(Bytes.toString(hit.row()), Bytes.toStringBinary(hit.value()), taken);
  }

  private <T> CompletableFuture<Void> reading(
      Supplier<CompletableFuture<T>> read, Consumer<T> told) {
    pending = Optional.of(new Pending(List.of()));
    return read.get()
        .handle(
            (answer, error) -> {
              pending = Optional.empty();
              if (error == null) {
                told.accept(answer);
              } else {
                world.tell(process, () -> "is not answered: " + error);
                deployment.failures().add(Futures.unwrap(error));
              }
              return null;
            });
  }

  /** In an order that is the same each time. */
  static <T> SortedMap<String, T> values(String key, T value) {
    SortedMap<String, T> values = new TreeMap<>();
    values.put(key, value);
    return values;
  }
}
