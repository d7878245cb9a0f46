package io.deli.client.internal.connect;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.Futures;
import io.deli.client.internal.write.BatchFailures;
import io.deli.client.internal.write.InFlightLimiter;
import io.deli.client.internal.write.IndexedTableWriter;
import io.deli.client.internal.write.Pipeline;
import io.deli.client.internal.write.PutRules;
import io.deli.client.internal.write.WriteBatch;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A buffered mutator that keeps indexes. Thread-safe; callers exclude each other.
 *
 * <p>A full buffer leaves as a batch without being waited for: its entries are written while the
 * batch before it goes to the base table. Two batches are under way at most, so that memory stays
 * bounded by three buffers. A mutation that would leave an index wrong is refused when it is given;
 * other failures come out of a later call, through the listener. The timer of the periodic flush
 * tells it, too; what it throws there is told again by the next call, as is what it finds failed
 * where the application has set no listener. Timestamps are those of the moment when a batch
 * leaves, as without DELI.
 *
 * <p>A call that is interrupted leaves what is not yet sent in the buffer, with what it was given,
 * and what is under way to the next call. A close that is interrupted has closed nothing: call it
 * again.
 *
 * <p>Not honoured: a pool of threads, since none is needed, and a class name of another mutator.
 */
final class PipelinedMutator implements BufferedMutator {
  private static final Logger LOG = LoggerFactory.getLogger(PipelinedMutator.class);

  private final Configuration configuration;
  private final MutatorOptions options;
  private final Function<MutatorOptions.Timeouts, IndexedTableWriter> writers;
  private final InFlightLimiter limiter;
  private final PutRules rules;
  private final MutatorBuffer buffer;
  private final PeriodicFlush periodic = new PeriodicFlush(this::flushIfOld);
  private final Deque<Sent> sent = new ArrayDeque<>();
  private final List<Row> failed = new ArrayList<>();
  private final List<Throwable> causes = new ArrayList<>();
  private MutatorOptions.Timeouts timeouts;
  private IndexedTableWriter writer;
  private Pipeline pipeline;
  private long flushMillis;
  private long tickMillis;
  private boolean closed;

  /** A batch in flight. */
  private record Sent(List<Mutation> mutations, CompletableFuture<Object[]> answers) {}

  PipelinedMutator(
      Configuration configuration,
      MutatorOptions options,
      Function<MutatorOptions.Timeouts, IndexedTableWriter> writers,
      InFlightLimiter limiter) {
    this.configuration = configuration;
    this.options = options;
    this.writers = writers;
    this.limiter = limiter;
    this.rules = new PutRules(options.maxKeyValueSize());
    this.buffer = new MutatorBuffer(options.bufferBytes(), options.maxMutations());
    use(options.timeouts());
    setWriteBufferPeriodicFlush(options.flushMillis(), options.tickMillis());
  }

  private void use(MutatorOptions.Timeouts changed) {
    timeouts = changed;
    writer = writers.apply(changed);
    pipeline = pipeline == null ? new Pipeline(writer, limiter, () -> 0) : pipeline.by(writer);
  }

  @Override
  public TableName getName() {
    return options.table();
  }

  @Override
  public Configuration getConfiguration() {
    return configuration;
  }

  @Override
  public void mutate(Mutation mutation) throws IOException {
    mutate(List.of(mutation));
  }

  @Override
  public void mutate(List<? extends Mutation> mutations) throws IOException {
    tell(call(() -> take(mutations)));
  }

  @Override
  public void flush() throws IOException {
    tell(call(this::sendAll));
  }

  @Override
  public void close() throws IOException {
    tell(call(this::end));
  }

  /** Leaves the flag of an interrupted thread clear, as HBase does: it may close this next. */
  private static BatchFailures call(CallableRaisingIOE<BatchFailures> call) throws IOException {
    try {
      return call.apply();
    } catch (InterruptedIOException e) {
      boolean unused = Thread.interrupted();
      throw e;
    }
  }

  /** Buffers mutations, and returns the failures noted so far, as the others do. */
  private synchronized BatchFailures take(List<? extends Mutation> mutations) throws IOException {
    requireOpen();
    mutations.forEach(rules::check);
    CompletableFuture<Void> checked = writer.check(mutations);
    try {
      Futures.awaitEnd(checked);
    } catch (InterruptedIOException e) {
      buffer.add(mutations, System.nanoTime());
      throw e;
    }
    try {
      Futures.await(checked);
      buffer.add(mutations, System.nanoTime());
    } catch (WriteRefusedException e) {
      throw e;
    } catch (IOException e) {
      // The definitions cannot be read; to buffer it would have each that follows wait for them.
      note(mutations, e);
    }
    if (buffer.isFull()) {
      send();
    }
    collect(false);
    return taken();
  }

  private synchronized BatchFailures sendAll() throws IOException {
    requireOpen();
    send();
    collect(true);
    return taken();
  }

  private synchronized BatchFailures end() throws IOException {
    if (!closed) {
      send();
      collect(true);
      closed = true;
      periodic.every(0);
    }
    return taken();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the buffered mutator of " + getName() + " is closed");
    }
  }

  /**
   * Sends what the buffer holds.
   *
   * @throws InterruptedIOException if the caller was interrupted; the rest is in the buffer then
   */
  private void send() throws InterruptedIOException {
    List<Mutation> all = buffer.take();
    int sent = 0;
    try {
      for (List<Mutation> part : Lists.partition(all, limiter.maxBatchSize())) {
        send(part);
        sent += part.size();
      }
    } finally {
      if (sent < all.size()) {
        buffer.putBack(all.subList(sent, all.size()));
      }
    }
  }

  private void send(List<Mutation> mutations) throws InterruptedIOException {
    CompletableFuture<WriteBatch> plan = writer.plan(mutations);
    Futures.awaitEnd(plan);
    WriteBatch batch;
    try {
      batch = Futures.await(plan);
    } catch (WriteRefusedException | RuntimeException e) {
      List<Mutation> others = withoutRefused(mutations, e);
      if (!others.isEmpty()) {
        send(others);
      }
      return;
    } catch (IOException e) {
      // The definitions cannot be read, and each mutation would wait for them as long as all.
      note(mutations, e);
      return;
    }
    sent.addLast(new Sent(mutations, pipeline.submit(batch)));
  }

  /**
   * Notes those for which a plan of all failed, such as of an index that was created meanwhile; if
   * it is for none, all.
   */
  private List<Mutation> withoutRefused(List<Mutation> mutations, Exception ofAll)
      throws InterruptedIOException {
    List<Mutation> others = new ArrayList<>();
    for (Mutation mutation : mutations) {
      CompletableFuture<Void> checked = writer.check(List.of(mutation));
      Futures.awaitEnd(checked);
      try {
        Futures.await(checked);
        others.add(mutation);
      } catch (IOException | RuntimeException e) {
        note(List.of(mutation), e);
      }
    }
    if (others.size() < mutations.size()) {
      return others;
    }
    note(mutations, ofAll);
    return List.of();
  }

  private void note(List<? extends Mutation> mutations, Exception ofAll) {
    note(new BatchFailures(List.copyOf(mutations), Collections.nCopies(mutations.size(), ofAll)));
  }

  /**
   * Notes the failures of batches that are done, or of all.
   *
   * @throws InterruptedIOException if the caller was interrupted; the others are still to be noted
   */
  private void collect(boolean all) throws InterruptedIOException {
    while (!sent.isEmpty() && (all || sent.getFirst().answers().isDone())) {
      Sent batch = sent.getFirst();
      Futures.awaitEnd(batch.answers());
      note(BatchFailures.of(batch.mutations(), batch.answers().join()));
      sent.removeFirst();
    }
  }

  private synchronized void note(BatchFailures failures) {
    failed.addAll(failures.operations());
    causes.addAll(failures.causes());
  }

  /** Removes and returns the failures noted so far. */
  private BatchFailures taken() {
    BatchFailures taken = new BatchFailures(List.copyOf(failed), List.copyOf(causes));
    failed.clear();
    causes.clear();
    return taken;
  }

  /** Not while callers are excluded: the application's listener may wait for one. */
  private void tell(BatchFailures failures) throws RetriesExhaustedWithDetailsException {
    if (failures.isEmpty()) {
      return;
    }
    if (options.listener() == null) {
      throw failures.toException();
    }
    options.listener().onException(failures.toException(), this);
  }

  private void flushIfOld() {
    BatchFailures failures = sendIfOld();
    try {
      tell(failures);
    } catch (RetriesExhaustedWithDetailsException | RuntimeException e) {
      // Nobody hears it on this thread.
      note(failures);
      LOG.warn("Periodic flush of {} failed; the next call reports it", getName(), e);
    }
  }

  /** Returns the failures that there is a listener for; no call may miss the others meanwhile. */
  private synchronized BatchFailures sendIfOld() {
    if (closed
        || !buffer.isOlderThan(TimeUnit.MILLISECONDS.toNanos(flushMillis), System.nanoTime())) {
      return BatchFailures.NONE;
    }
    try {
      send();
      collect(true);
    } catch (InterruptedIOException | RuntimeException e) {
      LOG.error("Periodic flush of {} did not finish; the next call resumes it", getName(), e);
    }
    if (options.listener() != null) {
      return taken();
    }
    if (!failed.isEmpty()) {
      LOG.warn("Periodic flush of {} failed; the next call reports it", getName(), causes.get(0));
    }
    return BatchFailures.NONE;
  }

  @Override
  public synchronized void setWriteBufferPeriodicFlush(long timeoutMs, long timerTickMs) {
    flushMillis = Math.max(0, timeoutMs);
    tickMillis = Math.max(MIN_WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS, timerTickMs);
    periodic.every(flushMillis > 0 ? tickMillis : 0);
  }

  @Override
  public synchronized long getWriteBufferPeriodicFlushTimeoutMs() {
    return flushMillis;
  }

  @Override
  public synchronized long getWriteBufferPeriodicFlushTimerTickMs() {
    return tickMillis;
  }

  @Override
  public long getWriteBufferSize() {
    return options.bufferBytes();
  }

  @Override
  public int getMaxMutations() {
    return options.maxMutations();
  }

  @SuppressWarnings("MissingOverride") // of HBase 2.6
  public Map<String, byte[]> getRequestAttributes() {
    return Collections.unmodifiableMap(options.attributes());
  }

  /** Applies to batches that leave from now on. */
  @Override
  public synchronized void setRpcTimeout(int timeout) {
    use(new MutatorOptions.Timeouts(timeout, timeouts.operationMillis()));
  }

  /** Applies to batches that leave from now on. */
  @Override
  public synchronized void setOperationTimeout(int timeout) {
    use(new MutatorOptions.Timeouts(timeouts.rpcMillis(), timeout));
  }
}
