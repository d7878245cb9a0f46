package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import io.deli.client.internal.KnownIndexes;
import io.deli.service.TimestampRefusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Retries operations of a batch on one row: plans them again and writes them together. */
final class RowRetry {
  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final BatchWriter writer;
  private final WriteContext context;
  private final TimestampRetries retries;
  private final WriteBatch batch;
  private final IndexWriter.Results written;
  private final Object[] answers;
  private final List<Integer> places;
  private final WritePlanner planner;
  private final long begun;
  private final Map<Integer, TimestampRefusal> refused = new TreeMap<>();
  private long last;
  private long delayMillis;

  /**
   * @param answers receives the new answers at these places
   * @param known the definitions to plan by
   */
  RowRetry(
      BatchWriter writer,
      WriteBatch batch,
      IndexWriter.Results written,
      Object[] answers,
      List<Integer> places,
      KnownIndexes known) {
    this.writer = writer;
    this.context = writer.context();
    this.retries = writer.retries();
    this.begun = context.ticks();
    this.batch = batch;
    this.written = written;
    this.answers = answers;
    this.places = new ArrayList<>(places);
    this.planner = writer.planner(known);
    for (int place : places) {
      if (answers[place] instanceof TimestampRefusal refusal
          && batch.plans().get(place).timestamp().isPresent()) {
        refused.put(place, refusal);
        retries.learn(batch.plans().get(place), refusal);
      }
    }
  }

  /**
   * Runs the retry; one after a refused timestamp waits for the earlier ones of its row, unless it
   * is a part of another, which would wait for it.
   */
  CompletableFuture<Void> run(ByteBuffer row) {
    return refused.isEmpty()
            || batch.replanned()
            || batch.plans().stream().anyMatch(WritePlan::wasRefused)
        ? write()
        : context.rowQueues().enqueue(List.of(writer.table(), row), this::write);
  }

  private CompletableFuture<Void> write() {
    long waited = TimeUnit.NANOSECONDS.toMillis(context.ticks() - begun);
    refused.replaceAll((place, refusal) -> refusal.after(waited));
    List<WritePlan> plans = new ArrayList<>(places.size());
    boolean replanned = places.stream().anyMatch(place -> answers[place] == BatchWriter.REPLANNED);
    places.removeIf(place -> !plan(place, plans));
    // Of another caller, whose requests these must not share again, for that may go on for ever.
    boolean ofOther = refused.isEmpty() && !replanned;
    Executor later =
        delayMillis <= 0 ? Runnable::run : context.environment().scheduler().after(delayMillis);
    return CompletableFuture.supplyAsync(
            () -> new WriteBatch(planner.isIndexed(), ofOther, plans, replanned, batch.caller()),
            later)
        .thenCompose(again -> writer.write(again, NOW))
        .handle(
            (results, error) -> {
              for (int i = 0; i < places.size(); i++) {
                answers[places.get(i)] = error == null ? results[i] : Futures.unwrap(error);
              }
              refused.forEach(
                  (place, refusal) ->
                      retries.deleteEntries(
                          batch.plans().get(place),
                          refusal,
                          written.versions(place),
                          isApplied(place)));
              return null;
            });
  }

  /** A condition that did not hold leaves the row open to the refused timestamp. */
  private boolean isApplied(int place) {
    return !(answers[place] instanceof Throwable)
        && !batch.plans().get(place).wasVoid(answers[place]);
  }

  private boolean plan(int place, List<WritePlan> plans) {
    try {
      WritePlan plan = batch.plans().get(place);
      Optional<ClientTimestamp> timestamp = plan.timestamp();
      TimestampRefusal refusal = refused.get(place);
      if (refusal != null) {
        timestamp = Optional.of(retries.next(plan, refusal, last));
        last = timestamp.get().timestamp();
        delayMillis = Math.max(delayMillis, TimestampRetries.delay(timestamp.get(), refusal));
      }
      return plans.add(planner.plan(plan.requested(), timestamp));
    } catch (IOException | RuntimeException e) {
      answers[place] = e;
      return false;
    }
  }
}
