package io.deli.client.internal;

import io.deli.client.IndexUnavailableException;
import io.deli.index.InvalidIndexException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The definitions of one table, as last read, and the reads of them. Thread-safe.
 *
 * <p>They are read again at half their life, so that a table in use never waits for them. Expired
 * definitions are never returned, even if no newer ones can be read: a builder may already have
 * waited for the lease to end.
 */
final class CachedDefinitions {
  private final Supplier<CompletableFuture<TableDescriptor>> source;
  private final long lifeNanos;
  private final LongSupplier ticker;
  private volatile Reading last;
  private CompletableFuture<KnownIndexes> underWay;
  private long underWaySince;
  private CompletableFuture<KnownIndexes> next;

  /** The definitions last read, and a completed future of them. */
  private record Reading(KnownIndexes table, CompletableFuture<KnownIndexes> indexes) {
    Reading(KnownIndexes table) {
      this(table, CompletableFuture.completedFuture(table));
    }
  }

  CachedDefinitions(
      Supplier<CompletableFuture<TableDescriptor>> source, long lifeNanos, LongSupplier ticker) {
    this.source = source;
    this.lifeNanos = lifeNanos;
    this.ticker = ticker;
  }

  CompletableFuture<KnownIndexes> get() {
    Reading reading = last;
    if (reading == null) {
      return join();
    }
    long age = ticker.getAsLong() - reading.table().asOf();
    if (age < lifeNanos / 2) {
      return reading.indexes();
    }
    CompletableFuture<KnownIndexes> next = join();
    return age < lifeNanos ? reading.indexes() : next;
  }

  /** Joins a read under way, unless it began so long ago that its result will be too old. */
  private synchronized CompletableFuture<KnownIndexes> join() {
    return underWay == null || ticker.getAsLong() - underWaySince >= lifeNanos ? read() : underWay;
  }

  /**
   * Returns definitions read after this call. A read under way may have begun too early, so another
   * follows it, shared by all who ask meanwhile.
   */
  synchronized CompletableFuture<KnownIndexes> readAnew() {
    if (underWay == null || ticker.getAsLong() - underWaySince >= lifeNanos) {
      return read();
    }
    if (next == null) {
      CompletableFuture<KnownIndexes> following = new CompletableFuture<>();
      next = following;
      Futures.onComplete(underWay, (table, error) -> follow(following));
      // One that is done, and is not settled yet, is followed at once.
      return following;
    }
    return next;
  }

  private void follow(CompletableFuture<KnownIndexes> waiting) {
    CompletableFuture<KnownIndexes> reading;
    synchronized (this) {
      next = null;
      try {
        reading = read();
      } catch (RuntimeException e) {
        reading = CompletableFuture.failedFuture(e);
      }
    }
    Futures.onComplete(reading, (table, error) -> Futures.complete(waiting, table, error));
  }

  private synchronized CompletableFuture<KnownIndexes> read() {
    long since = ticker.getAsLong();
    CompletableFuture<KnownIndexes> reading =
        source
            .get()
            .thenApply(table -> resolve(table, since))
            .exceptionally(
                error -> {
                  throw new CompletionException(explained(Futures.unwrap(error)));
                });
    underWay = reading;
    underWaySince = since;
    return reading.whenComplete((table, error) -> settle(reading, table, error));
  }

  private KnownIndexes resolve(TableDescriptor table, long since) {
    Reading known = last;
    try {
      return known == null ? KnownIndexes.of(table, since) : known.table().readAgain(table, since);
    } catch (InvalidIndexException e) {
      throw new CompletionException(new IndexUnavailableException(e.getMessage(), e));
    }
  }

  private Throwable explained(Throwable error) {
    Reading known = last;
    if (known == null || error instanceof DoNotRetryIOException) {
      return error;
    }
    return new IOException(
        ("the index definitions of table %s, read %d ms ago, could not be read again (%s); without"
                + " them no write is acknowledged, since it may lack entries in a new index")
            .formatted(
                known.table().base(),
                TimeUnit.NANOSECONDS.toMillis(ticker.getAsLong() - known.table().asOf()),
                error),
        error);
  }

  private synchronized void settle(
      CompletableFuture<KnownIndexes> reading, KnownIndexes table, Throwable error) {
    if (underWay == reading) {
      underWay = null;
    }
    if (table != null) {
      if (last == null || table.asOf() - last.table().asOf() >= 0) {
        last = new Reading(table);
      }
    } else if (Futures.unwrap(error) instanceof DoNotRetryIOException) {
      last = null;
    }
  }
}
