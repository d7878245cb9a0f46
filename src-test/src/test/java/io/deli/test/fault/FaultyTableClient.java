package io.deli.test.fault;

import io.deli.client.internal.write.TableClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

/** One real way, on which operations meet what the test has in store for them. */
record FaultyTableClient(Way way, TableClient port, FaultyTableClients ports)
    implements TableClient {
  @Override
  public CompletableFuture<Object[]> send(List<? extends Row> operations) {
    return ports
        .strike(way, operations.size())
        .thenCompose(struck -> send(List.copyOf(operations), struck));
  }

  /** Operations that meet the same fate travel together. */
  private CompletableFuture<Object[]> send(List<Row> operations, List<Fault> struck) {
    Map<Fault, List<Integer>> places = new EnumMap<>(Fault.class);
    for (int i = 0; i < operations.size(); i++) {
      places.computeIfAbsent(struck.get(i), fault -> new ArrayList<>()).add(i);
    }
    Object[] answers = new Object[operations.size()];
    List<CompletableFuture<?>> awaited = new ArrayList<>();
    places.forEach(
        (fault, chosen) ->
            awaited.add(
                befall(fault, chosen.stream().map(operations::get).toList())
                    .thenAccept(
                        answered -> {
                          for (int i = 0; i < answered.length; i++) {
                            answers[chosen.get(i)] = answered[i];
                          }
                        })));
    return CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new))
        .thenApply(done -> answers);
  }

  private CompletableFuture<Object[]> befall(Fault fault, List<Row> operations) {
    return switch (fault) {
      case NONE -> port.send(operations);
      case UNANSWERED -> port.send(operations).thenApply(lost -> failures(fault, operations));
      case DELAYED -> late(operations);
      case LATE -> {
        var unused = late(operations);
        yield CompletableFuture.completedFuture(failures(fault, operations));
      }
      case REPEATED ->
          ports.tracked(
              port.send(operations)
                  .thenComposeAsync(lost -> port.send(operations), ports.retried()));
      case PRETENDED -> CompletableFuture.completedFuture(successes(operations));
      case PREMATURE -> {
        var unused = late(operations);
        yield CompletableFuture.completedFuture(successes(operations));
      }
      default -> CompletableFuture.completedFuture(failures(fault, operations));
    };
  }

  private CompletableFuture<Object[]> late(List<Row> operations) {
    return ports.tracked(
        CompletableFuture.supplyAsync(() -> operations, ports.delayed()).thenCompose(port::send));
  }

  private Object[] failures(Fault fault, List<Row> operations) {
    Object[] failures = new Object[operations.size()];
    Arrays.fill(failures, fault.error(way));
    return failures;
  }

  private static Object[] successes(List<Row> operations) {
    Object[] successes = new Object[operations.size()];
    Arrays.fill(successes, Result.EMPTY_RESULT);
    return successes;
  }
}
