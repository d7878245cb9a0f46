package io.deli.client.internal.write;

import io.deli.client.IndexUnavailableException;
import io.deli.client.WriteRefusedException;
import io.deli.client.internal.Futures;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.client.internal.write.SupersededEntries.SupersededVersion;
import io.deli.service.IndexTableErrors;
import io.deli.service.TimestampRefusal;
import io.deli.strategy.IndexedVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

/**
 * Writes batches of operations to one base table and its indexes. Thread-safe; never blocks.
 *
 * <ol>
 *   <li><b>Plan.</b> {@link WritePlanner} stamps the operations and makes their entries. If one
 *       would leave an index wrong, the batch is refused and nothing is written.
 *   <li><b>Write entries.</b> {@link IndexWriter} sends them. An operation whose entries are not
 *       acknowledged fails alone.
 *   <li><b>Read superseded versions.</b> When the previous batch of the caller has ended, and only
 *       for strategies whose clients delete entries: {@link SupersededEntries}.
 *   <li><b>Write the base table</b>, for the operations whose entries are acknowledged.
 *   <li><b>Settle each answer.</b> If the write took longer than half the grace period, its entries
 *       are written again under a new write id: read repair may have deleted the first ones while
 *       no base version justified them, and none of its deletes under way can name the new ones. If
 *       the definitions were older than their lease, {@link MissedIndexes} adds the entries of
 *       indexes created meanwhile. The entries of superseded versions are deleted.
 *   <li><b>Retry</b> what the base region refused for its timestamp, with a new timestamp ({@link
 *       TimestampRetries}), one operation of a row after the other ({@link RowQueues}); and what
 *       found no index table, by definitions read again, with the same timestamp ({@link
 *       RowRetry}). Later operations of the same row wait for an earlier one, and the region
 *       refuses what follows a refused mutation in its row; an operation without a timestamp of its
 *       own, which it refuses for another, is sent again as it is. So the mutations of a row are
 *       applied in the order of the list, unless HBase's client sends some again by itself, as
 *       their answer was lost: an earlier one that is refused then is applied once more, behind.
 * </ol>
 *
 * <p>Puts whose regions, and those of their entries, are all on one server go there in one request,
 * which has the server do steps 2 and 4 ({@link ColocatedWrites}). Those that are not done begin
 * anew with step 2: the same entries are written again.
 *
 * <p>A failed write keeps its entries, since it may have reached the base table. A conditional
 * write whose condition did not hold deletes its entries, but only if a single request was sent:
 * the answer to an earlier request may be lost, and that request may have been applied and be the
 * reason why the condition failed. Otherwise read repair deletes them.
 *
 * <p>Once nobody waits for a batch any more, since its caller was interrupted or has cancelled it,
 * no step begins that sends it to the base table: as with HBase's own retries, for a new timestamp
 * would have it hide what others have written, and had acknowledged, since. What HBase's client has
 * in hand it sends again as it is.
 */
final class BatchWriter {
  /** Age at which a batch that waited gets new timestamps, as the old ones would be refused. */
  private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  /** Stands for an answer: the operation, or an earlier one of its row, found no index table. */
  static final Object REPLANNED = new Object();

  private final Setup setup;
  private final IndexWriter indexWriter;
  private final SupersededEntries supersededEntries;
  private final MissedIndexes missedIndexes;
  private final TimestampRetries retries;
  private volatile WritePlanner planner;

  BatchWriter(Setup setup) {
    this.setup = setup;
    this.indexWriter = new IndexWriter(setup);
    this.supersededEntries = new SupersededEntries(setup);
    this.missedIndexes = new MissedIndexes(setup, indexWriter);
    this.retries = new TimestampRetries(setup, indexWriter);
  }

  /** Adds the entries of indexes created since the definitions were read. */
  CompletableFuture<Void> complete(KnownIndexes known, Row operation) {
    return missedIndexes.settle(known, operation);
  }

  /** Returns the batch, planned again with new timestamps if it has waited too long. */
  WriteBatch refreshed(WriteBatch batch) {
    try {
      return isStale(batch)
          ? planner(batch.known()).plan(batch.requested()).awaitedBy(batch.caller())
          : batch;
    } catch (WriteRefusedException e) {
      throw new IllegalStateException("it was planned by the same definitions before", e);
    }
  }

  private boolean isStale(WriteBatch batch) {
    return batch.indexed()
        && batch.size() > 0
        && context().ticks() - batch.plans().get(0).begun() > STALE_NANOS;
  }

  /**
   * Writes a planned batch.
   *
   * @param previous completes when the batch may go to the base table; its entries wait for it only
   *     where they travel with the rows
   * @return all answers, in order; the answer of a failed operation is its error
   */
  CompletableFuture<Object[]> write(WriteBatch batch, CompletableFuture<?> previous) {
    return setup
        .clients()
        .colocated(table())
        .flatMap(colocated -> colocated.locate(batch))
        .map(
            located ->
                previous
                    .handle((done, error) -> null)
                    .thenCompose(
                        now -> batch.ifAwaited(() -> setup.meter().entries(located::write)))
                    .thenCompose(done -> finishColocated(batch, done)))
        .orElseGet(() -> batch.ifAwaited(() -> apart(batch, previous)));
  }

  /** Settles what was written together with its entries, and writes the rest. */
  private CompletableFuture<Object[]> finishColocated(WriteBatch batch, boolean[] done) {
    Object[] answers = new Object[done.length];
    List<Integer> left = new ArrayList<>(0);
    List<CompletableFuture<?>> awaited = new ArrayList<>(0);
    for (int i = 0; i < done.length; i++) {
      WritePlan plan = batch.plans().get(i);
      answers[i] = Result.EMPTY_RESULT;
      if (!done[i]) {
        left.add(i);
      } else if (needsMore(plan, List.of(), answers[i])) {
        awaited.add(into(answers, i, settle(plan, plan.versions(), List.of(), answers[i])));
      }
    }
    if (!left.isEmpty()) {
      List<WritePlan> plans = left.stream().map(batch.plans()::get).toList();
      awaited.add(
          apart(batch.with(plans), NOW)
              .handle(
                  (rest, error) -> {
                    for (int i = 0; i < left.size(); i++) {
                      answers[left.get(i)] = error == null ? rest[i] : Futures.unwrap(error);
                    }
                    return answers;
                  }));
    }
    return Futures.all(awaited).thenApply(all -> answers);
  }

  /** Writes the entries, then the rows. */
  private CompletableFuture<Object[]> apart(WriteBatch batch, CompletableFuture<?> previous) {
    CompletableFuture<IndexWriter.Results> entries =
        batch.plans().stream().anyMatch(WritePlan::hasEntries)
            ? setup.meter().entries(() -> indexWriter.write(batch.plans()))
            : indexWriter.write(batch.plans());
    return entries
        .thenCombine(previous.handle((done, error) -> null), (written, now) -> written)
        // Not earlier: the previous batch may write the same rows.
        .thenCompose(
            written ->
                supersededEntries
                    .find(batch.plans(), written)
                    .thenCompose(found -> rewriteLate(batch, written).thenApply(done -> found))
                    .thenCompose(found -> batch.ifAwaited(() -> finish(batch, written, found))));
  }

  /**
   * Writes entries again if reading the row took so long that read repair may have deleted them.
   */
  private CompletableFuture<?> rewriteLate(WriteBatch batch, IndexWriter.Results written) {
    List<CompletableFuture<?>> rewritten = new ArrayList<>(0);
    for (int i = 0; i < batch.size(); i++) {
      WritePlan plan = batch.plans().get(i);
      if (!plan.superseded().isEmpty() && isLate(plan) && written.failure(i) == null) {
        int place = i;
        rewritten.add(
            indexWriter
                .rewrite(plan)
                .handle((versions, error) -> written.replace(place, versions, error)));
      }
    }
    return Futures.all(rewritten);
  }

  private CompletableFuture<Object[]> finish(
      WriteBatch batch, IndexWriter.Results written, List<List<SupersededVersion>> found) {
    Object[] answers = new Object[batch.size()];
    List<Integer> ready = new ArrayList<>(batch.size());
    Set<ByteBuffer> held = new HashSet<>(0);
    for (int i = 0; i < answers.length; i++) {
      ByteBuffer row = ByteBuffer.wrap(batch.plans().get(i).requested().getRow());
      Throwable failure = written.failure(i);
      if (failure == null && !held.contains(row)) {
        ready.add(i);
      } else if (failure == null || (IndexTableErrors.isCause(failure) && !batch.replanned())) {
        held.add(row);
        answers[i] = REPLANNED;
      } else {
        answers[i] =
            IndexTableErrors.isCause(failure)
                ? new IndexUnavailableException(
                    IndexTableErrors.message(table(), failure.getMessage(), failure), failure)
                : failure;
      }
    }
    List<Integer> sent = batch.byRow(ready);
    return send(batch, sent)
        .thenCompose(
            results -> {
              for (int i = 0; i < results.length; i++) {
                int place = sent.get(i);
                answers[place] = refusalOr(results[i]);
              }
              return settle(batch, written, found, answers);
            });
  }

  private static Object refusalOr(Object answer) {
    return answer instanceof Throwable failure
        ? TimestampRefusal.of(failure).map(Object.class::cast).orElse(answer)
        : answer;
  }

  private static boolean isRetried(Object answer) {
    return answer == REPLANNED || answer instanceof TimestampRefusal;
  }

  private CompletableFuture<Object[]> settle(
      WriteBatch batch,
      IndexWriter.Results written,
      List<List<SupersededVersion>> found,
      Object[] answers) {
    List<CompletableFuture<?>> awaited = new ArrayList<>(0);
    boolean retried = false;
    for (int i = 0; i < answers.length; i++) {
      WritePlan plan = batch.plans().get(i);
      Object answer = answers[i];
      if (!isRetried(answer)
          && written.failure(i) == null
          && needsMore(plan, found.get(i), answer)) {
        awaited.add(into(answers, i, settle(plan, written.versions(i), found.get(i), answer)));
      }
      retried |= isRetried(answer);
    }
    CompletableFuture<?> settled = awaited.isEmpty() ? NOW : Futures.all(awaited);
    return retried
        ? settled.thenCompose(done -> retry(batch, written, answers))
        : settled.thenApply(done -> answers);
  }

  private static CompletableFuture<Object> into(
      Object[] answers, int place, CompletableFuture<Object> answer) {
    return answer.handle(
        (result, error) -> answers[place] = error == null ? result : Futures.unwrap(error));
  }

  /** Retries the operations that are neither done nor failed, each row by itself. */
  private CompletableFuture<Object[]> retry(
      WriteBatch batch, IndexWriter.Results written, Object[] answers) {
    List<Integer> retried =
        IntStream.range(0, answers.length).filter(i -> isRetried(answers[i])).boxed().toList();
    CompletableFuture<KnownIndexes> known =
        retried.stream().anyMatch(place -> answers[place] == REPLANNED)
            ? setup.refreshed()
            : CompletableFuture.completedFuture(batch.known());
    return known
        .thenCompose(
            read ->
                Futures.all(
                    batch.rows(retried).entrySet().stream()
                        .map(
                            row ->
                                new RowRetry(this, batch, written, answers, row.getValue(), read)
                                    .run(row.getKey()))
                        .toList()))
        .handle(
            (done, error) -> {
              if (error != null) {
                retried.forEach(place -> answers[place] = Futures.unwrap(error));
              }
              return answers;
            });
  }

  WriteContext context() {
    return setup.context();
  }

  TimestampRetries retries() {
    return retries;
  }

  TableName table() {
    return setup.table();
  }

  private boolean needsMore(WritePlan plan, List<SupersededVersion> superseded, Object answer) {
    return isOutdated(plan.known())
        || (!(answer instanceof Throwable)
            && (plan.wasVoid(answer)
                || isLate(plan)
                || plan.looksAgain()
                || !superseded.isEmpty()));
  }

  /** Whether the definitions are older than the lease; to be called when the answer arrives. */
  boolean isOutdated(KnownIndexes known) {
    return context().ticks() - known.asOf() > setup.rules().leaseNanos();
  }

  private boolean isLate(WritePlan plan) {
    return !plan.versions().isEmpty()
        && context().ticks() - plan.begun() > setup.rules().lateNanos();
  }

  /** Whether no second request can have been sent; to be called when the answer arrives. */
  private boolean isOfOnlyRequest(WritePlan plan) {
    return context().ticks() - plan.begun() < setup.rules().retryNanos();
  }

  private CompletableFuture<Object> settle(
      WritePlan plan,
      List<IndexedVersion> versions,
      List<SupersededVersion> superseded,
      Object answer) {
    if (answer instanceof Throwable) {
      return missedIndexes.settle(plan.known(), plan.base()).handle((done, error) -> answer);
    }
    boolean isVoid = plan.wasVoid(answer);
    if (isVoid && isOfOnlyRequest(plan)) {
      indexWriter.delete(CompletableFuture.completedFuture(versions));
      return CompletableFuture.completedFuture(answer);
    }
    CompletableFuture<Object> settled =
        isLate(plan)
            ? indexWriter.rewrite(plan).thenCompose(done -> current(plan, answer))
            : current(plan, answer);
    return isVoid || (superseded.isEmpty() && !plan.looksAgain())
        ? settled
        : settled
            .thenCompose(done -> supersededEntries.delete(plan, superseded))
            .thenApply(done -> answer);
  }

  /** Completes with the answer once the entries of indexes that the plan lacks are written. */
  private CompletableFuture<Object> current(WritePlan plan, Object answer) {
    return isOutdated(plan.known())
        ? missedIndexes.settle(plan.known(), plan.base()).thenApply(done -> answer)
        : CompletableFuture.completedFuture(answer);
  }

  private CompletableFuture<Object[]> send(WriteBatch batch, List<Integer> places) {
    TableClients clients = setup.clients();
    TableClient together = batch.alone() ? clients.alone(table()) : clients.base(table());
    TableClient client = batch.indexed() ? together : clients.plain(table());
    return places.isEmpty()
        ? CompletableFuture.completedFuture(new Object[0])
        : client.send(places.stream().map(place -> batch.plans().get(place).base()).toList());
  }

  /** Returns a planner that follows these definitions. */
  WritePlanner planner(KnownIndexes known) {
    WritePlanner current = planner;
    if (current == null || !current.follows(known)) {
      current = new WritePlanner(known, context());
      planner = current;
    }
    return current;
  }
}
