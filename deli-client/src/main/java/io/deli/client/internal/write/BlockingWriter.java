package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.Futures;
import io.deli.client.internal.KnownIndexes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/** Writes to one table for blocking callers. Thread-safe. */
public record BlockingWriter(IndexedTableWriter writer, InFlightLimiter limiter) {
  /**
   * A call of HBase's own table, for operations that concern no index.
   *
   * @param <X> what it throws beside its failures
   */
  public interface Past<T, X extends Exception> {
    T run() throws IOException, X;
  }

  /**
   * Carries out one operation.
   *
   * @param past does it if there is no index to maintain
   * @throws IllegalArgumentException for a Put that HBase's client refuses
   */
  @SuppressWarnings("unchecked") // the type is that of HBase's answer
  public <T, X extends Exception> T write(Row operation, Past<T, X> past) throws IOException, X {
    if (isOfSeveral(operation)) {
      PutRules.OF_SEVERAL.check(operation);
    } else {
      writer.requireValid(operation);
    }
    KnownIndexes known = Futures.await(writer.known());
    if (writer.isIndexed(known)) {
      return (T) write(operation);
    }
    // A server that maintains indexes may have to refuse all of a request for one operation.
    boolean shared = SharedRequests.take(operation) && !known.hasServerMaintained();
    return past(known, List.of(operation), shared ? () -> share(operation, past) : past);
  }

  /** Of Puts, which answer nothing. */
  private <T, X extends Exception> T share(Row operation, Past<T, X> past) throws IOException, X {
    writer.shared().write(operation, past);
    return null;
  }

  /**
   * Carries out many and waits for all.
   *
   * @param results takes each answer, or the failure; may be null
   * @param past does it if there is no index to maintain, or nothing is written
   * @throws InterruptedIOException if the caller was interrupted; anything may have been written
   * @throws IOException if one operation would leave an index wrong; nothing was written then. Or
   *     as HBase's, of those that failed
   * @throws IllegalArgumentException for a Put without cells, as HBase's; nothing was written then
   */
  public void write(List<? extends Row> operations, Object[] results, PastAll past)
      throws IOException, InterruptedException {
    // They may read replicas, which HBase's asynchronous batches do not.
    if (IndexedTableWriter.areReads(operations)) {
      past.run(results);
      return;
    }
    requirePlaces(operations, results);
    if (results != null) {
      // What a caller left there is no answer.
      Arrays.fill(results, null);
    }
    KnownIndexes known = Futures.await(writer.known());
    if (writer.isIndexed(known)) {
      write(operations, results == null ? new Object[operations.size()] : results).throwIfAny();
    } else {
      past(known, operations, results, past);
    }
  }

  /**
   * Requires a place for each answer, if there is to be any.
   *
   * @throws AssertionError otherwise, as HBase's
   */
  public static void requirePlaces(List<? extends Row> operations, Object[] results) {
    if (results != null && results.length != operations.size()) {
      throw new AssertionError("results.length");
    }
  }

  /**
   * Carries out many operations and returns their answers.
   *
   * @throws IllegalArgumentException for a Put that HBase's client refuses; what conditions have it
   *     leaves to the servers
   */
  public <T> List<T> write(
      List<? extends Row> operations, Class<T> type, Past<List<T>, IOException> past)
      throws IOException {
    operations.stream().filter(Put.class::isInstance).forEach(writer::requireValid);
    KnownIndexes known = Futures.await(writer.known());
    if (!writer.isIndexed(known)) {
      return past(known, operations, past);
    }
    Object[] results = new Object[operations.size()];
    write(operations, results).throwIfAny();
    return Arrays.stream(results).map(type::cast).toList();
  }

  /**
   * Runs an Append or Increment on HBase's own table; refused on a column whose entries clients
   * write.
   *
   * @param operation what it will be
   */
  public <T> T compute(Row operation, Past<T, IOException> call) throws IOException {
    KnownIndexes known = Futures.await(writer.known());
    Futures.await(writer.check(List.of(operation)));
    return past(known, List.of(operation), call);
  }

  /** Runs operations on HBase's own table, since there is no index to maintain. */
  private <T, X extends Exception> T past(
      KnownIndexes known, List<? extends Row> operations, Past<T, X> call) throws IOException, X {
    T answer;
    try {
      answer = call.run();
    } catch (IOException e) {
      List<CompletableFuture<Void>> confirming = writer.confirmEach(known, operations);
      // An interrupted caller is told of nothing that has succeeded, and is not to wait.
      ExceptionUtil.rethrowIfInterrupt(e);
      // Those of a list that it does not name have succeeded, and those that it names may have.
      Object[] unconfirmed = new Object[operations.size()];
      confirm(confirming, unconfirmed);
      throw BatchFailures.of(operations, unconfirmed).beside(e);
    }
    Futures.await(writer.confirm(known, operations));
    return answer;
  }

  /** A call of HBase's own table for a list, with a place for each answer. */
  public interface PastAll {
    void run(Object[] answers) throws IOException, InterruptedException;
  }

  /** Runs a list on HBase's own table. An operation that cannot be confirmed counts as failed. */
  private void past(
      KnownIndexes known, List<? extends Row> operations, Object[] results, PastAll call)
      throws IOException, InterruptedException {
    Object[] answers = new Object[results == null ? operations.size() : results.length];
    Optional<IOException> failure = Optional.empty();
    try {
      call.run(answers);
    } catch (IOException e) {
      failure = Optional.of(e);
    }
    List<CompletableFuture<Void>> confirming = writer.confirmEach(known, operations);
    if (!confirming.isEmpty()) {
      ExceptionUtil.rethrowIfInterrupt(failure.orElse(null));
    }
    boolean confirmed = confirm(confirming, answers);
    if (results != null) {
      System.arraycopy(answers, 0, results, 0, answers.length);
    }
    if (confirmed) {
      if (failure.isPresent()) {
        throw failure.get();
      }
    } else {
      IOException ofEach = BatchFailures.of(operations, answers).toException();
      failure.ifPresent(ofEach::addSuppressed);
      throw ofEach;
    }
  }

  /**
   * Waits for all, and puts failures in the place of answers.
   *
   * @return whether there were none
   */
  private static boolean confirm(List<CompletableFuture<Void>> each, Object[] answers)
      throws InterruptedIOException {
    boolean all = true;
    for (int i = 0; i < each.size(); i++) {
      try {
        Futures.await(each.get(i));
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        all = false;
        answers[i] = e;
      }
    }
    return all;
  }

  /**
   * Carries out one operation. A failure of several mutations is thrown as that of a list, as HBase
   * does.
   */
  private Object write(Row operation) throws IOException {
    CompletableFuture<?> gone = new CompletableFuture<>();
    CompletableFuture<Object> answer =
        limiter.send(1, writer::operationMillis, () -> writer.write(operation, gone));
    try {
      return Futures.await(answer);
    } catch (InterruptedIOException e) {
      gone.complete(null);
      throw e;
    } catch (WriteRefusedException e) {
      throw e;
    } catch (IOException e) {
      throw isOfSeveral(operation)
          ? BatchFailures.of(List.of(operation), new Object[] {e}).toException()
          : e;
    }
  }

  /** The time of an operation that begins now: what is left of it, or 0 if it has no end. */
  private LongSupplier timeLeft() {
    long begun = System.nanoTime();
    return () -> {
      long millis = writer.operationMillis();
      return millis == 0
          ? 0
          : Math.max(1, millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    };
  }

  private static boolean isOfSeveral(Row operation) {
    return operation instanceof RowMutations
        || (operation instanceof CheckAndMutate conditional
            && conditional.getAction() instanceof RowMutations);
  }

  private BatchFailures write(List<? extends Row> operations, Object[] results) throws IOException {
    operations.forEach(PutRules::requireEncodable);
    operations.stream().filter(Put.class::isInstance).forEach(PutRules.OF_SEVERAL::check);
    Pipeline pipeline = new Pipeline(writer, limiter, timeLeft());
    List<CompletableFuture<Object[]>> answers = new ArrayList<>();
    // All of it first: a part that is refused when others have been written is no refusal.
    CompletableFuture<?> gone = new CompletableFuture<>();
    WriteBatch whole = Futures.await(writer.plan(operations)).awaitedBy(gone);
    try {
      for (WriteBatch part : whole.parts(limiter.maxBatchSize())) {
        answers.add(pipeline.submit(part));
      }
      int from = 0;
      for (CompletableFuture<Object[]> part : answers) {
        Object[] answered = Futures.await(part);
        System.arraycopy(answered, 0, results, from, answered.length);
        from += answered.length;
      }
    } catch (InterruptedIOException e) {
      gone.complete(null);
      throw e;
    }
    return BatchFailures.of(operations, results);
  }
}
