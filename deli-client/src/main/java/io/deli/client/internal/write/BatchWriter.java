package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.Failures;
import io.deli.client.internal.IndexTableTrouble;
import io.deli.client.internal.TableIndexes;
import io.deli.client.internal.metrics.WriteMeter;
import io.deli.service.TimestampRefusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Row;

/**
 * Carries out batches of operations on one table. Thread-safe; never blocks.
 *
 * <p>A batch goes so:
 *
 * <ol>
 *   <li>{@link Planner} stamps its operations and makes their entries. It refuses what would leave
 *       an index wrong; then nothing of the batch is written.
 *   <li>The entries are written. An operation whose entries are not acknowledged fails by itself.
 *   <li>When the batch before it is done, versions that operations delete or supersede are read,
 *       where a strategy has clients take their entries out ({@link Predecessors}).
 *   <li>The operations whose entries are there go to the base table.
 *   <li>Each answer is settled: entries of what took longer than half the grace period are written
 *       again under an id of their own, for read repair may have taken the first ones while no base
 *       version justified them, and no delete that repair has under way can name the new ones; an
 *       operation whose definitions were older than their lease is looked at by {@link Overlooked};
 *       entries of what is gone are taken out.
 *   <li>Some go through all that once more, those of a row together and in their order. Those whose
 *       timestamps the base region refused get others from {@link Redraws}, one operation of a row
 *       after the other ({@link RowTurns}). Those whose index table is missing are planned by new
 *       definitions, with the timestamps that they have; what follows one of them in its row waits
 *       with it. The region in turn refuses what follows a refused mutation in its row. So the
 *       mutations of a row are applied in the order of their list.
 * </ol>
 *
 * <p>A write that fails leaves its entries: it may have reached the base table nevertheless. A
 * condition that did not hold takes its entries back. But if the answer is that of a second
 * request, because the answer to a first one was lost, the first may have been applied and be what
 * made the condition false. So entries are left to read repair unless there was only one request.
 */
final class BatchWriter {
  /** For so long a batch may wait before its timestamps are not worth trying. */
  private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  /** In the place of an answer: the index table is missing, or was that of an earlier operation. */
  private static final Object REPLANNED = new Object();

  private final TableName table;
  private final DefinitionCache definitions;
  private final Ports ports;
  private final Identities identities;
  private final WriteRules rules;
  private final WriteMeter meter;
  private final Announcer announcer;
  private final Predecessors predecessors;
  private final Overlooked overlooked;
  private final Redraws redraws;
  private volatile Planner planner;

  BatchWriter(
      TableName table,
      DefinitionCache definitions,
      Ports ports,
      Identities identities,
      WriteRules rules,
      WriteMeter meter) {
    this.table = table;
    this.definitions = definitions;
    this.ports = ports;
    this.identities = identities;
    this.rules = rules;
    this.meter = meter;
    this.announcer = new Announcer(ports, identities, meter);
    this.predecessors = new Predecessors(table, ports);
    this.overlooked = new Overlooked(table, definitions, ports, identities, announcer);
    this.redraws = new Redraws(table, ports, identities, announcer);
  }

  /** Completes when the row of an operation has the entries of indexes that came meanwhile. */
  CompletableFuture<Void> complete(TableIndexes known, Row operation) {
    return overlooked.settle(known, operation);
  }

  /** The batch, with new timestamps if it has waited for long. */
  Batch fresh(Batch batch) {
    try {
      return isStale(batch) ? planner(batch.known()).plan(batch.requested()) : batch;
    } catch (WriteRefusedException e) {
      throw new IllegalStateException("it was planned by the same definitions before", e);
    }
  }

  private boolean isStale(Batch batch) {
    return batch.indexed()
        && batch.size() > 0
        && identities.ticks() - batch.plans().get(0).begun() > STALE_NANOS;
  }

  /**
   * Carries out a batch.
   *
   * @param turn when it may go to the base table; its entries do not wait for that
   * @return all answers, in order; that of a failed operation is its error
   */
  CompletableFuture<Object[]> carryOut(Batch batch, CompletableFuture<?> turn) {
    CompletableFuture<Announced> entries =
        batch.plans().stream().anyMatch(Plan::announces)
            ? meter.entries(() -> announcer.announce(batch.plans()))
            : announcer.announce(batch.plans());
    return entries
        .thenCombine(turn.handle((done, error) -> null), (announced, now) -> announced)
        // Not earlier: what goes before may write the same rows.
        .thenCompose(
            announced ->
                predecessors
                    .find(batch.plans(), announced)
                    .thenCompose(found -> renew(batch, announced).thenApply(done -> found))
                    .thenCompose(found -> finish(batch, announced, found)));
  }

  /** Where the look at the row took so long that readers may have repaired the entries. */
  private CompletableFuture<?> renew(Batch batch, Announced announced) {
    List<CompletableFuture<?>> renewed = new ArrayList<>(0);
    for (int i = 0; i < batch.size(); i++) {
      Plan plan = batch.plans().get(i);
      if (!plan.victims().isEmpty() && isLate(plan) && announced.failure(i) == null) {
        int place = i;
        renewed.add(
            announcer
                .announceAgain(plan)
                .handle((versions, error) -> announced.settle(place, versions, error)));
      }
    }
    return CompletableFuture.allOf(renewed.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Object[]> finish(
      Batch batch, Announced announced, List<List<Obsolete>> found) {
    Object[] answers = new Object[batch.size()];
    List<Integer> ready = new ArrayList<>(batch.size());
    Set<ByteBuffer> held = new HashSet<>(0);
    for (int i = 0; i < answers.length; i++) {
      ByteBuffer row = ByteBuffer.wrap(batch.plans().get(i).requested().getRow());
      Throwable failure = announced.failure(i);
      if (failure == null && !held.contains(row)) {
        ready.add(i);
      } else if (failure == null || (IndexTableTrouble.caused(failure) && !batch.replanned())) {
        held.add(row);
        answers[i] = REPLANNED;
      } else {
        answers[i] =
            IndexTableTrouble.caused(failure)
                ? IndexTableTrouble.error(table, failure.getMessage(), failure)
                : failure;
      }
    }
    List<Integer> sent = batch.byRow(ready);
    return send(batch, sent)
        .thenCompose(
            results -> {
              for (int i = 0; i < results.length; i++) {
                answers[sent.get(i)] = refusalOr(results[i]);
              }
              return settle(batch, announced, found, answers);
            });
  }

  private static Object refusalOr(Object answer) {
    return answer instanceof Throwable failure
        ? TimestampRefusal.of(failure).map(Object.class::cast).orElse(answer)
        : answer;
  }

  private static boolean isRepeated(Object answer) {
    return answer == REPLANNED || answer instanceof TimestampRefusal;
  }

  private CompletableFuture<Object[]> settle(
      Batch batch, Announced announced, List<List<Obsolete>> found, Object[] answers) {
    List<CompletableFuture<?>> awaited = new ArrayList<>(0);
    boolean repeated = false;
    for (int i = 0; i < answers.length; i++) {
      Plan plan = batch.plans().get(i);
      Object answer = answers[i];
      if (!isRepeated(answer)
          && announced.failure(i) == null
          && needsMore(plan, found.get(i), answer)) {
        awaited.add(into(answers, i, settle(plan, announced.versions(i), found.get(i), answer)));
      }
      repeated |= isRepeated(answer);
    }
    CompletableFuture<?> settled =
        awaited.isEmpty()
            ? NOW
            : CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new));
    return repeated
        ? settled.thenCompose(done -> repeat(batch, announced, answers))
        : settled.thenApply(done -> answers);
  }

  private static CompletableFuture<Object> into(
      Object[] answers, int place, CompletableFuture<Object> answer) {
    return answer.handle(
        (result, error) -> answers[place] = error == null ? result : Failures.plain(error));
  }

  /** Carries out once more what is neither done nor failed, each row by itself. */
  private CompletableFuture<Object[]> repeat(Batch batch, Announced announced, Object[] answers) {
    List<Integer> repeated =
        IntStream.range(0, answers.length).filter(i -> isRepeated(answers[i])).boxed().toList();
    CompletableFuture<TableIndexes> known =
        repeated.stream().anyMatch(place -> answers[place] == REPLANNED)
            ? definitions.refresh(table)
            : CompletableFuture.completedFuture(batch.known());
    return known
        .thenCompose(
            read ->
                CompletableFuture.allOf(
                    batch.rows(repeated).entrySet().stream()
                        .map(
                            row ->
                                new Repetition(batch, announced, answers, row.getValue(), read)
                                    .inTurn(row.getKey()))
                        .toArray(CompletableFuture[]::new)))
        .handle(
            (done, error) -> {
              if (error != null) {
                repeated.forEach(place -> answers[place] = Failures.plain(error));
              }
              return answers;
            });
  }

  /** Operations of a batch on one row, planned anew. */
  private final class Repetition {
    private final Batch batch;
    private final Announced announced;
    private final Object[] answers;
    private final List<Integer> places;
    private final Planner planner;
    private final long begun = identities.ticks();
    private final Map<Integer, TimestampRefusal> refused = new TreeMap<>();
    private long last;
    private long delayMillis;

    Repetition(
        Batch batch,
        Announced announced,
        Object[] answers,
        List<Integer> places,
        TableIndexes known) {
      this.batch = batch;
      this.announced = announced;
      this.answers = answers;
      this.places = new ArrayList<>(places);
      this.planner = planner(known);
      for (int place : places) {
        if (answers[place] instanceof TimestampRefusal refusal) {
          refused.put(place, refusal);
          redraws.learn(batch.plans().get(place), refusal);
        }
      }
    }

    /** Carries them out; what was refused waits its turn, which it keeps until it is done. */
    CompletableFuture<Void> inTurn(ByteBuffer row) {
      return refused.isEmpty() || batch.plans().stream().anyMatch(Plan::wasRefused)
          ? carryOut()
          : identities.turns().take(table, row, this::carryOut);
    }

    private CompletableFuture<Void> carryOut() {
      long waited = TimeUnit.NANOSECONDS.toMillis(identities.ticks() - begun);
      refused.replaceAll((place, refusal) -> refusal.after(waited));
      List<Plan> plans = new ArrayList<>(places.size());
      boolean replanned = places.stream().anyMatch(place -> answers[place] == REPLANNED);
      places.removeIf(place -> !plan(place, plans));
      Executor later =
          delayMillis <= 0 ? Runnable::run : identities.surroundings().delays().after(delayMillis);
      return CompletableFuture.supplyAsync(
              () -> new Batch(planner.isIndexed(), plans, replanned), later)
          .thenCompose(again -> BatchWriter.this.carryOut(again, NOW))
          .handle(
              (results, error) -> {
                for (int i = 0; i < places.size(); i++) {
                  answers[places.get(i)] = error == null ? results[i] : Failures.plain(error);
                }
                refused.forEach(
                    (place, refusal) ->
                        redraws.withdraw(
                            batch.plans().get(place),
                            refusal,
                            announced.versions(place),
                            !(answers[place] instanceof Throwable)));
                return null;
              });
    }

    private boolean plan(int place, List<Plan> plans) {
      try {
        Plan plan = batch.plans().get(place);
        Optional<Draw> draw = plan.draw();
        TimestampRefusal refusal = refused.get(place);
        if (refusal != null) {
          draw = Optional.of(redraws.next(plan, refusal, last));
          last = draw.get().timestamp();
          delayMillis = Math.max(delayMillis, Redraws.delay(draw.get(), refusal));
        }
        return plans.add(planner.plan(plan.requested(), draw));
      } catch (IOException | RuntimeException e) {
        answers[place] = e;
        return false;
      }
    }
  }

  private boolean needsMore(Plan plan, List<Obsolete> obsolete, Object answer) {
    return isOutdated(plan.known())
        || (!(answer instanceof Throwable)
            && (plan.wasVoid(answer) || isLate(plan) || plan.looksAgain() || !obsolete.isEmpty()));
  }

  /** Asked when the answer is there. */
  boolean isOutdated(TableIndexes known) {
    return identities.ticks() - known.asOf() > rules.leaseNanos();
  }

  private boolean isLate(Plan plan) {
    return !plan.versions().isEmpty() && identities.ticks() - plan.begun() > rules.lateNanos();
  }

  /** Asked when the answer is there. */
  private boolean isOfOnlyRequest(Plan plan) {
    return identities.ticks() - plan.begun() < rules.retryNanos();
  }

  private CompletableFuture<Object> settle(
      Plan plan, List<IndexedVersion> versions, List<Obsolete> obsolete, Object answer) {
    if (answer instanceof Throwable) {
      return overlooked.settle(plan.known(), plan.base()).handle((done, error) -> answer);
    }
    boolean isVoid = plan.wasVoid(answer);
    if (isVoid && isOfOnlyRequest(plan)) {
      announcer.withdraw(versions);
      return CompletableFuture.completedFuture(answer);
    }
    CompletableFuture<Object> settled =
        isLate(plan)
            ? announcer.announceAgain(plan).thenCompose(done -> current(plan, answer))
            : current(plan, answer);
    return isVoid || (obsolete.isEmpty() && !plan.looksAgain())
        ? settled
        : settled
            .thenCompose(done -> predecessors.settle(plan, obsolete))
            .thenApply(done -> answer);
  }

  /** The answer, once the row has the entries of indexes that the plan did not know. */
  private CompletableFuture<Object> current(Plan plan, Object answer) {
    return isOutdated(plan.known())
        ? overlooked.settle(plan.known(), plan.base()).thenApply(done -> answer)
        : CompletableFuture.completedFuture(answer);
  }

  private CompletableFuture<Object[]> send(Batch batch, List<Integer> places) {
    Port port = batch.indexed() ? ports.base(table) : ports.plain(table);
    return places.isEmpty()
        ? CompletableFuture.completedFuture(new Object[0])
        : port.send(places.stream().map(place -> batch.plans().get(place).base()).toList());
  }

  /** One that goes by these definitions. */
  Planner planner(TableIndexes known) {
    Planner current = planner;
    if (current == null || !current.follows(known)) {
      current = new Planner(known, identities, rules.puts());
      planner = current;
    }
    return current;
  }
}
