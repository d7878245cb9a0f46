package io.deli.client.internal.write;

import io.deli.client.IndexUnavailableException;
import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.Failures;
import io.deli.client.internal.TableIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Row;

/**
 * Writes to one table and its indexes. Thread-safe; never blocks.
 *
 * <p>Of every operation the entries are acknowledged before it is sent to the base table. A write
 * that fails leaves its entries: it may have reached the base table nevertheless. One that took
 * longer than half the grace period has its entries written again before it succeeds, for read
 * repair may have taken the first ones while the base version was not there to justify them. They
 * get a write id of their own, which no delete that repair has under way can name.
 */
public final class Writer {
  private final TableName table;
  private final DefinitionCache definitions;
  private final Ports ports;
  private final Identities identities;
  private final WriteRules rules;
  private final Announcer announcer;
  private volatile Planner planner;

  public Writer(
      TableName table,
      DefinitionCache definitions,
      Ports ports,
      Identities identities,
      WriteRules rules) {
    this.table = table;
    this.definitions = definitions;
    this.ports = ports;
    this.identities = identities;
    this.rules = rules;
    this.announcer = new Announcer(ports, identities);
  }

  /** Whether the table has an index to maintain. */
  public CompletableFuture<Boolean> isIndexed() {
    return definitions.get(table).thenApply(known -> planner(known).isIndexed());
  }

  /** Carries out any operation that HBase's batch takes; the answer is as HBase's. */
  public CompletableFuture<Object> write(Row operation) {
    return definitions
        .get(table)
        .thenCompose(known -> write(operation, known, error -> writeAfterDrop(operation)));
  }

  /**
   * Carries out operations together. Each has its own answer; but if one would leave an index
   * wrong, all fail and nothing is written.
   */
  public List<CompletableFuture<Object>> write(List<? extends Row> operations) {
    List<Call> calls = operations.stream().<Call>map(Call::new).toList();
    Answers.then(
        plan(operations),
        (batch, error) -> {
          if (error == null) {
            Call.link(run(batch, CompletableFuture.completedFuture(null)), calls);
          } else {
            calls.forEach(call -> call.answered(null, Failures.plain(error)));
          }
        });
    return calls.stream().map(Call::answer).toList();
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
   * Carries out a batch; each operation has its own answer.
   *
   * @param turn when it may go to the base table; its entries do not wait for that
   */
  public List<CompletableFuture<Object>> run(Batch batch, CompletableFuture<?> turn) {
    List<CompletableFuture<List<IndexedVersion>>> announced = announcer.announce(batch.plans());
    List<Call> calls = batch.plans().stream().map(plan -> new Call(plan.base())).toList();
    Answers.then(
        Answers.all(announced).thenCompose(done -> turn),
        (done, error) -> finish(batch, announced, calls));
    return calls.stream().map(Call::answer).toList();
  }

  private void finish(
      Batch batch, List<CompletableFuture<List<IndexedVersion>>> announced, List<Call> calls) {
    List<Integer> ready = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      if (announced.get(i).isCompletedExceptionally()) {
        Row operation = batch.plans().get(i).requested();
        Answers.then(
            unannounced(Answers.failure(announced.get(i)), cause -> writeAfterDrop(operation)),
            calls.get(i)::answered);
      } else {
        ready.add(i);
      }
    }
    List<Row> operations = ready.stream().map(i -> calls.get(i).operation()).toList();
    List<CompletableFuture<Object>> sent = port(batch.indexed()).send(operations);
    for (int i = 0; i < sent.size(); i++) {
      int origin = ready.get(i);
      Plan plan = batch.plans().get(origin);
      List<IndexedVersion> versions = announced.get(origin).join();
      Answers.then(
          sent.get(i).thenCompose(answer -> settle(plan, versions, answer)),
          calls.get(origin)::answered);
    }
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
    Call call = new Call(plan.base());
    Answers.then(
        announcer.announce(plan),
        (versions, error) ->
            Answers.then(
                error == null
                    ? base.send(plan.base()).thenCompose(answer -> settle(plan, versions, answer))
                    : unannounced(error, onDrop),
                call::answered));
    return call.answer();
  }

  private static CompletableFuture<Object> unannounced(
      Throwable error, Function<Throwable, CompletableFuture<Object>> onDrop) {
    Throwable plain = Failures.plain(error);
    return plain instanceof TableNotFoundException
        ? onDrop.apply(plain)
        : CompletableFuture.failedFuture(plain);
  }

  /** An index table is missing: its index may have been dropped since the definitions were read. */
  private CompletableFuture<Object> writeAfterDrop(Row operation) {
    return definitions
        .refresh(table)
        .thenCompose(
            known ->
                write(operation, known, error -> CompletableFuture.failedFuture(missing(error))));
  }

  private IndexUnavailableException missing(Throwable error) {
    return new IndexUnavailableException(
        "table %s has an index whose table is missing (%s); drop that index, or disable it"
            .formatted(table, error.getMessage()),
        error);
  }

  private CompletableFuture<Object> settle(
      Plan plan, List<IndexedVersion> versions, Object answer) {
    if (plan.wasVoid(answer)) {
      announcer.withdraw(versions);
      return CompletableFuture.completedFuture(answer);
    }
    boolean late =
        !plan.versions().isEmpty() && identities.ticks() - plan.begun() > rules.lateNanos();
    return late
        ? announcer.announceAgain(plan).thenApply(done -> answer)
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
