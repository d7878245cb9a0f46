package io.deli.client.internal.connect;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.Futures;
import io.deli.client.internal.write.PutRules;
import io.deli.client.internal.write.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * HBase's asynchronous buffered mutator, with indexes kept. Thread-safe; never blocks, so that it
 * is the caller who bounds how much is under way.
 *
 * <p>A buffer leaves when it is full, when its first mutation has waited for the time of the
 * periodic flush, or by {@link #flush}. Of a row that several have, each goes to the base table
 * when those before it have their answers: the last value that was given is the one that stays, and
 * a mutator does not contend with itself. Rows that wait for different buffers, or for none, leave
 * as batches of their own, and so other rows wait for nobody. Each mutation has an answer of its
 * own: one that would leave an index wrong fails alone. A close sends what is left, and does not
 * wait for the answers either.
 */
final class AsyncMutator implements AsyncBufferedMutator {
  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final IndexingAsyncTable<?> table;
  private final long bufferBytes;
  private final long flushNanos;
  private final PutRules rules;
  private final int maxMutations;

  /** The last batch in flight with each row. */
  private final ConcurrentMap<ByteBuffer, Batch> rows = new ConcurrentHashMap<>();

  private Buffer buffer = new Buffer();
  private boolean closed;

  /** Mutations that leave together. */
  private static final class Buffer {
    final List<Mutation> mutations = new ArrayList<>();
    final List<CompletableFuture<Object>> answers = new ArrayList<>();
    long bytes;
    CompletableFuture<Void> timer = NOW;
  }

  /** The mutations of a buffer whose rows wait for the same batch, or for none. */
  private static final class Batch {
    final List<Mutation> mutations = new ArrayList<>();
    final List<CompletableFuture<Object>> answers = new ArrayList<>();

    /** Completes when the last batch with these rows is done. */
    final CompletableFuture<Void> turn;

    final CompletableFuture<Void> done = new CompletableFuture<>();

    Batch(Optional<Batch> last) {
      this.turn = last.map(before -> before.done).orElse(NOW);
    }
  }

  /**
   * @param table through which it writes
   */
  AsyncMutator(IndexingAsyncTable<?> table, AsyncMutatorBuilder settings) {
    this.table = table;
    bufferBytes = settings.bufferBytes;
    flushNanos = settings.flushNanos;
    rules = new PutRules(settings.maxKeyValueSize);
    maxMutations = settings.maxMutations;
  }

  @Override
  public TableName getName() {
    return table.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return table.getConfiguration();
  }

  @Override
  public List<CompletableFuture<Void>> mutate(List<? extends Mutation> mutations) {
    mutations.forEach(rules::check);
    List<CompletableFuture<Object>> answers = new ArrayList<>(mutations.size());
    mutations.forEach(mutation -> answers.add(new CompletableFuture<>()));
    List<CompletableFuture<Void>> given = answers.stream().map(table::doneInList).toList();
    if (!add(mutations, answers)) {
      IOException error = new IOException("Already closed");
      answers.forEach(answer -> answer.completeExceptionally(error));
    }
    return given;
  }

  /** Adds mutations to the buffer, and sends that if it is full; false if this is closed. */
  private boolean add(List<? extends Mutation> mutations, List<CompletableFuture<Object>> answers) {
    Collection<Batch> full;
    synchronized (this) {
      if (closed) {
        return false;
      }
      if (buffer.mutations.isEmpty() && !mutations.isEmpty() && flushNanos > 0) {
        buffer.timer = timer(buffer);
      }
      buffer.mutations.addAll(mutations);
      buffer.answers.addAll(answers);
      for (Mutation mutation : mutations) {
        buffer.bytes += mutation.heapSize();
      }
      boolean isFull =
          buffer.bytes >= bufferBytes
              || (maxMutations > 0 && buffer.mutations.size() >= maxMutations);
      if (!isFull) {
        return true;
      }
      full = take();
    }
    full.forEach(this::send);
    return true;
  }

  private CompletableFuture<Void> timer(Buffer waiting) {
    CompletableFuture<Void> timer =
        new CompletableFuture<Void>().completeOnTimeout(null, flushNanos, TimeUnit.NANOSECONDS);
    CompletableFuture<Void> unused = timer.thenRunAsync(() -> flush(waiting));
    return timer;
  }

  private void flush(Buffer waiting) {
    Collection<Batch> taken;
    synchronized (this) {
      if (buffer != waiting) {
        return;
      }
      taken = take();
    }
    taken.forEach(this::send);
  }

  private Collection<Batch> take() {
    Buffer taken = buffer;
    buffer = new Buffer();
    taken.timer.cancel(false);
    Map<Optional<Batch>, Batch> byLast = new LinkedHashMap<>();
    Set<Batch> own = new HashSet<>();
    for (int i = 0; i < taken.mutations.size(); i++) {
      Mutation mutation = taken.mutations.get(i);
      ByteBuffer row = row(mutation);
      Batch last = rows.get(row);
      Batch batch =
          own.contains(last) ? last : byLast.computeIfAbsent(Optional.ofNullable(last), Batch::new);
      batch.mutations.add(mutation);
      batch.answers.add(taken.answers.get(i));
      own.add(batch);
      rows.put(row, batch);
    }
    return byLast.values();
  }

  private static ByteBuffer row(Mutation mutation) {
    return ByteBuffer.wrap(mutation.getRow());
  }

  /** Outside of any lock, since answers may be told at once. */
  @SuppressWarnings("FutureReturnValueIgnored") // what is nested is composed at once
  private void send(Batch taken) {
    CompletableFuture<Void> unused =
        table
            .writer()
            .plan(taken.mutations)
            .handle(
                (batch, failure) ->
                    failure == null ? together(batch, taken) : unplanned(failure, taken))
            .thenCompose(sent -> sent)
            .exceptionally(
                error -> {
                  taken.answers.forEach(answer -> answer.completeExceptionally(error));
                  return null;
                })
            .thenRun(() -> end(taken));
  }

  private void end(Batch sent) {
    sent.mutations.forEach(mutation -> rows.remove(row(mutation), sent));
    sent.done.complete(null);
  }

  private CompletableFuture<Void> together(WriteBatch batch, Batch taken) {
    return table
        .writer()
        .run(batch, taken.turn)
        .thenAccept(
            results -> {
              for (int i = 0; i < results.length; i++) {
                Throwable error = results[i] instanceof Throwable failure ? failure : null;
                Futures.complete(taken.answers.get(i), results[i], error);
              }
            });
  }

  /** Of definitions that cannot be read each mutation would wait as long as all. */
  private CompletableFuture<Void> unplanned(Throwable failure, Batch taken) {
    Throwable reason = Futures.unwrap(failure);
    return reason instanceof WriteRefusedException || reason instanceof RuntimeException
        ? alone(taken)
        : CompletableFuture.failedFuture(reason);
  }

  /**
   * Writes the mutations one by one after the batch was refused, so that only those at fault fail.
   */
  private CompletableFuture<Void> alone(Batch taken) {
    Map<ByteBuffer, CompletableFuture<Void>> last = new HashMap<>();
    for (int i = 0; i < taken.answers.size(); i++) {
      Mutation mutation = taken.mutations.get(i);
      CompletableFuture<Object> answer = taken.answers.get(i);
      CompletableFuture<Void> before = last.getOrDefault(row(mutation), taken.turn);
      last.put(
          row(mutation), before.thenCompose(now -> tell(table.writer().write(mutation), answer)));
    }
    return Futures.all(last.values());
  }

  /** Tells an answer, and ends well in either case. */
  private static CompletableFuture<Void> tell(
      CompletableFuture<Object> from, CompletableFuture<Object> to) {
    return from.handle(
        (result, error) -> {
          Futures.complete(to, result, error);
          return null;
        });
  }

  @Override
  public void flush() {
    Collection<Batch> taken;
    synchronized (this) {
      if (buffer.mutations.isEmpty()) {
        return;
      }
      taken = take();
    }
    taken.forEach(this::send);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    flush();
  }

  @Override
  public long getWriteBufferSize() {
    return bufferBytes;
  }

  @Override
  public int getMaxMutations() {
    return maxMutations;
  }

  @Override
  public long getPeriodicalFlushTimeout(TimeUnit unit) {
    return unit.convert(flushNanos, TimeUnit.NANOSECONDS);
  }

  @SuppressWarnings("MissingOverride") // of HBase 2.6
  public Map<String, byte[]> getRequestAttributes() {
    return table.getRequestAttributes();
  }
}
