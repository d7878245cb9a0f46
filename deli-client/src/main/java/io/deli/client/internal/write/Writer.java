package io.deli.client.internal.write;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.Failures;
import io.deli.client.internal.IndexTableTrouble;
import io.deli.client.internal.TableIndexes;
import io.deli.client.internal.metrics.WriteMeter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Row;

/**
 * Writes to one table and its indexes. Thread-safe; never blocks.
 *
 * <p>Of every operation the entries are acknowledged before it is sent to the base table. A write
 * that fails leaves its entries: it may have reached the base table nevertheless. One that took
 * longer than half the grace period has its entries written again before it succeeds, for read
 * repair may have taken the first ones while the base version was not there to justify them. They
 * get a write id of their own, which no delete that repair has under way can name.
 *
 * <p>Where a strategy has clients take entries out as versions are deleted or superseded, these are
 * read just before the base table gets the operation, and their entries deleted after it succeeded.
 *
 * <p>A write whose definitions were older than their lease when the base table answered succeeds
 * only when newer ones were looked at, see {@link Overlooked}.
 *
 * <p>A condition that did not hold takes its entries back. But if the answer is that of a second
 * request, because the answer to a first one was lost, the first may have been applied and be what
 * made the condition false. So entries are left to read repair unless there was only one request.
 */
public final class Writer {
  private final TableName table;
  private final DefinitionCache definitions;
  private final Ports ports;
  private final Identities identities;
  private final WriteRules rules;
  private final WriteMeter meter;
  private final Announcer announcer;
  private final Predecessors predecessors;
  private final Overlooked overlooked;
  private volatile Planner planner;

  public Writer(
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
    this.predecessors = new Predecessors(table, ports, identities, announcer);
    this.overlooked = new Overlooked(table, definitions, announcer);
  }

  /** What is known of the table's indexes. */
  public CompletableFuture<TableIndexes> known() {
    return definitions.get(table);
  }

  /** Whether there is an index to maintain, as far as is known. */
  public boolean isIndexed(TableIndexes known) {
    return planner(known).isIndexed();
  }

  /**
   * To be called with the answer of operations that went past this writer, and to be waited for
   * before they are acknowledged.
   *
   * @param known by which they went past
   */
  public CompletableFuture<Void> confirm(TableIndexes known, List<? extends Row> operations) {
    return CompletableFuture.allOf(
        confirmEach(known, operations).toArray(CompletableFuture[]::new));
  }

  /** The same, for each operation by itself; empty if there is nothing to wait for. */
  List<CompletableFuture<Void>> confirmEach(TableIndexes known, List<? extends Row> operations) {
    return isOutdated(known)
        ? operations.stream().map(operation -> overlooked.settle(known, operation)).toList()
        : List.of();
  }

  /**
   * Checks the Puts in an operation at once, as HBase's asynchronous client does.
   *
   * @throws IllegalArgumentException if it would not send one
   */
  public void requireValid(Row operation) {
    rules.puts().check(operation);
  }

  /** Carries out any operation that HBase's batch takes; the answer is as HBase's. */
  public CompletableFuture<Object> write(Row operation) {
    return definitions
        .get(table)
        .thenCompose(
            known ->
                isIndexed(known)
                    ? meter.single(operation, () -> write(operation, known))
                    : write(operation, known));
  }

  /**
   * Carries out operations together; each has its own answer. If one would leave an index wrong,
   * all fail and nothing is written.
   */
  public List<CompletableFuture<Object>> write(List<? extends Row> operations) {
    List<Call.Single> calls = operations.stream().<Call.Single>map(Call.Single::new).toList();
    Answers.then(
        plan(operations).thenCompose(batch -> run(batch, CompletableFuture.completedFuture(null))),
        (answers, error) -> {
          for (int i = 0; i < calls.size(); i++) {
            Object answer = error == null ? answers[i] : Failures.plain(error);
            calls.get(i).answered(answer, answer instanceof Throwable failure ? failure : null);
          }
        });
    return calls.stream().map(Call.Single::answer).toList();
  }

  /**
   * Plans operations that will be carried out together.
   *
   * @return fails if one of them would leave an index wrong; nothing is written then
   */
  public CompletableFuture<Batch> plan(List<? extends Row> operations) {
    return definitions
        .get(table)
        .thenCompose(
            known -> {
              try {
                return CompletableFuture.completedFuture(planner(known).plan(operations));
              } catch (IOException | RuntimeException e) {
                return CompletableFuture.failedFuture(e);
              }
            });
  }

  /**
   * Carries out a batch. Answers come together, in order; that of a failed operation is its error,
   * and the future itself does not fail.
   *
   * @param turn when it may go to the base table; its entries do not wait for that
   */
  public CompletableFuture<Object[]> run(Batch batch, CompletableFuture<?> turn) {
    return (batch.indexed()
            ? meter.batch(batch.size(), () -> carryOut(batch, turn))
            : carryOut(batch, turn))
        .exceptionally(error -> batch.failed(Failures.plain(error)));
  }

  private CompletableFuture<Object[]> carryOut(Batch batch, CompletableFuture<?> turn) {
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
    List<CompletableFuture<?>> awaited = new ArrayList<>();
    List<Integer> ready = new ArrayList<>(batch.size());
    List<Row> operations = new ArrayList<>(batch.size());
    for (int i = 0; i < answers.length; i++) {
      Plan plan = batch.plans().get(i);
      if (announced.failure(i) == null) {
        ready.add(i);
        operations.add(plan.base());
      } else {
        awaited.add(
            into(
                answers,
                i,
                unannounced(announced.failure(i), error -> writeAfterDrop(plan.requested()))));
      }
    }
    return port(batch.indexed())
        .send(operations)
        .thenCompose(
            sent -> {
              for (int i = 0; i < sent.length; i++) {
                int place = ready.get(i);
                Plan plan = batch.plans().get(place);
                answers[place] = sent[i];
                List<Obsolete> obsolete = found.get(place);
                if (needsMore(plan, obsolete, sent[i])) {
                  awaited.add(
                      into(
                          answers,
                          place,
                          settle(plan, announced.versions(place), obsolete, sent[i])));
                }
              }
              return CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new));
            })
        .thenApply(done -> answers);
  }

  private static CompletableFuture<?> into(
      Object[] answers, int place, CompletableFuture<Object> answer) {
    return answer.handle(
        (result, error) -> answers[place] = error == null ? result : Failures.plain(error));
  }

  private CompletableFuture<Object> write(Row operation, TableIndexes known) {
    return write(operation, known, error -> writeAfterDrop(operation));
  }

  private CompletableFuture<Object> write(
      Row operation, TableIndexes known, Function<Throwable, CompletableFuture<Object>> onDrop) {
    Planner current = planner(known);
    Plan plan;
    try {
      plan = current.plan(operation);
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    Port base = port(current.isIndexed());
    Call.Single call = new Call.Single(plan.base());
    Answers.then(
        plan.announces() ? meter.entries(() -> announcer.announce(plan)) : announcer.announce(plan),
        (versions, error) ->
            Answers.then(
                error == null ? carryOut(base, plan, versions) : unannounced(error, onDrop),
                (answer, failure) -> answer(call, plan, answer, failure)));
    return call.answer();
  }

  /** A write that failed may have reached the base table, and is not to be half visible there. */
  private void answer(Call call, Plan plan, Object answer, Throwable failure) {
    if (failure == null || !isOutdated(plan.known())) {
      call.answered(answer, failure);
    } else {
      Answers.then(
          overlooked.settle(plan.known(), plan.base()),
          (done, error) -> call.answered(null, failure));
    }
  }

  private CompletableFuture<Object> carryOut(Port base, Plan plan, List<IndexedVersion> versions) {
    if (plan.victims().isEmpty()) {
      return base.send(plan.base())
          .thenCompose(answer -> settle(plan, versions, List.of(), answer));
    }
    return predecessors
        .find(plan)
        .thenCompose(
            found ->
                (isLate(plan)
                        ? announcer.announceAgain(plan)
                        : CompletableFuture.completedFuture(versions))
                    .thenCompose(
                        announced ->
                            base.send(plan.base())
                                .thenCompose(answer -> settle(plan, announced, found, answer))));
  }

  private static CompletableFuture<Object> unannounced(
      Throwable error, Function<Throwable, CompletableFuture<Object>> onDrop) {
    Throwable plain = Failures.plain(error);
    return IndexTableTrouble.caused(plain)
        ? onDrop.apply(plain)
        : CompletableFuture.failedFuture(plain);
  }

  /** An index table is gone: its index may have been dropped since the definitions were read. */
  private CompletableFuture<Object> writeAfterDrop(Row operation) {
    return definitions
        .refresh(table)
        .thenCompose(
            known ->
                write(
                    operation,
                    known,
                    error ->
                        CompletableFuture.failedFuture(
                            IndexTableTrouble.error(table, error.getMessage(), error))));
  }

  private boolean needsMore(Plan plan, List<Obsolete> obsolete, Object answer) {
    return isOutdated(plan.known())
        || (!(answer instanceof Throwable)
            && (plan.wasVoid(answer) || isLate(plan) || plan.looksAgain() || !obsolete.isEmpty()));
  }

  /** Asked when the answer is there. */
  private boolean isOutdated(TableIndexes known) {
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
    if (plan.wasVoid(answer)) {
      if (isOfOnlyRequest(plan)) {
        announcer.withdraw(versions);
        return CompletableFuture.completedFuture(answer);
      }
      return current(plan, answer);
    }
    CompletableFuture<Object> settled =
        isLate(plan)
            ? announcer.announceAgain(plan).thenCompose(done -> current(plan, answer))
            : current(plan, answer);
    return obsolete.isEmpty() && !plan.looksAgain()
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

  private Port port(boolean indexed) {
    return indexed ? ports.base(table) : ports.plain(table);
  }

  private Planner planner(TableIndexes known) {
    Planner current = planner;
    if (current == null || !current.follows(known)) {
      current = new Planner(known, identities, rules.puts());
      planner = current;
    }
    return current;
  }
}
