package io.deli.client.internal.write;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.Futures;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.metrics.WriteMeter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Writes to one table and its indexes. Thread-safe; never blocks. Operations are carried out in
 * batches by a {@link BatchWriter}, which tells how; a single one is a batch of one.
 */
public final class IndexedTableWriter {
  private static final CompletableFuture<?> NOW = CompletableFuture.completedFuture(null);

  /** A silent master takes two seconds until a region is asked, which may be silent, too. */
  private static final long LEAST_MILLIS = 6_000;

  private final Setup setup;
  private final BatchWriter batches;

  /** The table, and the parts of the connection by which it is written. */
  public record Setup(
      TableName table,
      DefinitionCache definitions,
      TableClients clients,
      WriteContext context,
      WriteRules rules,
      WriteMeter meter) {
    /** Returns the table's indexes, no older than the lease; fails in the time of an operation. */
    CompletableFuture<KnownIndexes> known() {
      return inTime(definitions.get(table));
    }

    /** Reads the table's indexes again; fails in the time of an operation. */
    CompletableFuture<KnownIndexes> refreshed() {
      return inTime(definitions.refresh(table));
    }

    private CompletableFuture<KnownIndexes> inTime(CompletableFuture<KnownIndexes> known) {
      if (known.isDone()) {
        return known;
      }
      long own = clients.ownOperationMillis(table);
      return context
          .environment()
          .scheduler()
          .within(known, own == 0 ? 0 : Math.max(own, LEAST_MILLIS), "writes to table " + table);
    }
  }

  public IndexedTableWriter(Setup setup) {
    this.setup = setup;
    this.batches = new BatchWriter(setup);
  }

  /** Returns the table's indexes, no older than the lease; fails in the time of an operation. */
  public CompletableFuture<KnownIndexes> known() {
    return setup.known();
  }

  /** Returns {@link TableClients#operationMillis} of the table. */
  long operationMillis() {
    return setup.clients().operationMillis(setup.table());
  }

  /** Whether operations write nothing, so that no index concerns them. */
  public static boolean areReads(List<? extends Row> operations) {
    return operations.stream().allMatch(Get.class::isInstance);
  }

  /** Returns what combines single writes that come with no entries. */
  SharedRequests shared() {
    return setup.clients().shared(setup.table());
  }

  /** Whether there is an index to maintain, as far as is known. */
  public boolean isIndexed(KnownIndexes known) {
    return batches.planner(known).isIndexed();
  }

  /**
   * Adds the entries of indexes created since the definitions were read. To be called after
   * operations that were sent past this writer, and awaited before they are acknowledged.
   *
   * @param known the definitions by which they were sent
   */
  public CompletableFuture<Void> confirm(KnownIndexes known, List<? extends Row> operations) {
    return Futures.all(confirmEach(known, operations));
  }

  /** Does {@link #confirm} for each operation; returns nothing if there is nothing to wait for. */
  List<CompletableFuture<Void>> confirmEach(KnownIndexes known, List<? extends Row> operations) {
    return batches.isOutdated(known)
        ? operations.stream().map(operation -> batches.complete(known, operation)).toList()
        : List.of();
  }

  /**
   * Checks the Puts in an operation at once, as HBase's asynchronous client does.
   *
   * @throws IllegalArgumentException if it would not send one
   */
  public void requireValid(Row operation) {
    setup.rules().puts().check(operation);
  }

  /**
   * Carries out any operation that HBase's batch takes; the answer is as HBase's.
   *
   * @return once cancelled, or completed by others, the operation is not sent to the base table any
   *     more, nor sent again there
   */
  public CompletableFuture<Object> write(Row operation) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    FutureUtils.addListener(
        write(operation, answer), (result, error) -> Futures.complete(answer, result, error));
    return answer;
  }

  /**
   * Carries out an operation as long as somebody waits for it.
   *
   * @param caller done when nobody does
   */
  CompletableFuture<Object> write(Row operation, Future<?> caller) {
    return plan(List.of(operation))
        .thenApply(batch -> batch.awaitedBy(caller))
        .thenCompose(
            batch ->
                batch.indexed()
                    ? setup
                        .meter()
                        .single(
                            operation,
                            () -> batches.write(batch, NOW).thenCompose(TableClient::only))
                    : batches.write(batch, NOW).thenCompose(TableClient::only));
  }

  /**
   * Carries out operations together; each has its own answer. If one would leave an index wrong,
   * all fail and nothing is written. The list is the caller's again when this returns.
   */
  public List<CompletableFuture<Object>> write(List<? extends Row> operations) {
    List<Row> taken = List.copyOf(operations);
    List<CompletableFuture<Object>> calls = new ArrayList<>(taken.size());
    taken.forEach(operation -> calls.add(new CompletableFuture<>()));
    FutureUtils.addListener(
        plan(taken).thenCompose(batch -> run(batch, NOW)),
        (answers, error) -> {
          for (int i = 0; i < calls.size(); i++) {
            Object answer = error == null ? answers[i] : Futures.unwrap(error);
            Futures.complete(calls.get(i), answer, answer instanceof Throwable e ? e : null);
          }
        });
    return calls;
  }

  /**
   * Plans operations without carrying them out.
   *
   * @return fails with that
   */
  public CompletableFuture<Void> check(List<? extends Row> operations) {
    return planned(
        planner -> {
          for (Row operation : operations) {
            planner.check(operation);
          }
          return null;
        });
  }

  /**
   * Plans operations that will be carried out together.
   *
   * @return fails if one of them would leave an index wrong; nothing is written then
   */
  public CompletableFuture<WriteBatch> plan(List<? extends Row> operations) {
    return planned(planner -> planner.plan(operations));
  }

  private interface Planning<T> {
    T by(WritePlanner planner) throws IOException;
  }

  private <T> CompletableFuture<T> planned(Planning<T> planning) {
    return known()
        .thenCompose(
            known -> {
              try {
                return CompletableFuture.completedFuture(planning.by(batches.planner(known)));
              } catch (IOException | RuntimeException e) {
                return CompletableFuture.failedFuture(e);
              }
            });
  }

  /**
   * Carries out a batch. The future never fails: it completes with all answers, in order, and the
   * answer of a failed operation is its error.
   *
   * @param turn completes when the batch may go to the base table; its entries wait for it only
   *     where they travel with the rows
   */
  public CompletableFuture<Object[]> run(WriteBatch batch, CompletableFuture<?> turn) {
    // Within a future, for to plan it again may fail: in a tokenizer of the user's, say.
    return CompletableFuture.completedFuture(batch)
        .thenCompose(
            planned ->
                planned.indexed()
                    ? setup
                        .meter()
                        .batch(
                            planned.size(), () -> batches.write(batches.refreshed(planned), turn))
                    : batches.write(planned, turn))
        .exceptionally(error -> batch.failed(Futures.unwrap(error)));
  }
}
