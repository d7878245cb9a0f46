package io.deli.client.internal;

import io.deli.client.IndexUnavailableException;
import io.deli.index.InvalidIndexException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.FutureUtils;

/** Caches the index definitions of the tables that a client writes and queries. Thread-safe. */
public final class DefinitionCache {
  private final Function<TableName, CompletableFuture<TableDescriptor>> source;
  private final long lifeNanos;
  private final LongSupplier ticker;
  private final ConcurrentMap<TableName, CachedDefinitions> tables = new ConcurrentHashMap<>();

  /**
   * An empty cache.
   *
   * @param lifeMillis no definitions older than this are given out
   * @param ticker elapsed time in nanoseconds from any origin
   */
  public DefinitionCache(
      Function<TableName, CompletableFuture<TableDescriptor>> source,
      long lifeMillis,
      LongSupplier ticker) {
    this.source = source;
    this.lifeNanos = TimeUnit.MILLISECONDS.toNanos(lifeMillis);
    this.ticker = ticker;
  }

  /**
   * Returns the indexes of a table.
   *
   * @return fails with {@link IndexUnavailableException} if a definition is unreadable, as HBase
   *     does if the table is missing, and with an {@link IOException} if what is known is too old
   *     and nobody tells anything newer
   */
  public CompletableFuture<KnownIndexes> get(TableName table) {
    return known(table).get();
  }

  /** Reads the definitions of a table again, after a sign that they have changed. */
  public CompletableFuture<KnownIndexes> refresh(TableName table) {
    return known(table).readAnew();
  }

  private CachedDefinitions known(TableName table) {
    return tables.computeIfAbsent(table, CachedDefinitions::new);
  }

  /**
   * The definitions of one table, as last read, and the reads of them. Thread-safe.
   *
   * <p>They are read again at half their life, so that a table in use never waits for them. Expired
   * definitions are never returned, even if no newer ones can be read: a builder may already have
   * waited for the lease to end.
   */
  final class CachedDefinitions {
    private final TableName name;

    /** Completed, as long as there is one. */
    private volatile CompletableFuture<KnownIndexes> last;

    private CompletableFuture<KnownIndexes> underWay;
    private long underWaySince;
    private CompletableFuture<KnownIndexes> next;

    CachedDefinitions(TableName name) {
      this.name = name;
    }

    CompletableFuture<KnownIndexes> get() {
      CompletableFuture<KnownIndexes> known = last;
      if (known == null) {
        return join();
      }
      long age = ticker.getAsLong() - known.join().asOf();
      if (age < lifeNanos / 2) {
        return known;
      }
      CompletableFuture<KnownIndexes> next = join();
      return age < lifeNanos ? known : next;
    }

    /** Joins a read under way, unless it began so long ago that its result will be too old. */
    private synchronized CompletableFuture<KnownIndexes> join() {
      return underWay == null || ticker.getAsLong() - underWaySince >= lifeNanos
          ? read()
          : underWay;
    }

    /**
     * Returns definitions read after this call. A read under way may have begun too early, so
     * another follows it, shared by all who ask meanwhile.
     */
    synchronized CompletableFuture<KnownIndexes> readAnew() {
      if (underWay == null || ticker.getAsLong() - underWaySince >= lifeNanos) {
        return read();
      }
      if (next == null) {
        CompletableFuture<KnownIndexes> following = new CompletableFuture<>();
        next = following;
        FutureUtils.addListener(underWay, (table, error) -> follow(following));
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
      FutureUtils.addListener(reading, (table, error) -> Futures.complete(waiting, table, error));
    }

    private synchronized CompletableFuture<KnownIndexes> read() {
      long since = ticker.getAsLong();
      CompletableFuture<KnownIndexes> reading =
          source
              .apply(name)
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
      CompletableFuture<KnownIndexes> known = last;
      try {
        return known == null ? KnownIndexes.of(table, since) : known.join().readAgain(table, since);
      } catch (InvalidIndexException e) {
        throw new CompletionException(new IndexUnavailableException(e.getMessage(), e));
      }
    }

    private Throwable explained(Throwable error) {
      CompletableFuture<KnownIndexes> known = last;
      if (known == null || error instanceof DoNotRetryIOException) {
        return error;
      }
      return new IOException(
          ("the index definitions of table %s, read %d ms ago, could not be read again (%s);"
                  + " without them no write is acknowledged, since it may lack entries in a new"
                  + " index")
              .formatted(
                  known.join().base(),
                  TimeUnit.NANOSECONDS.toMillis(ticker.getAsLong() - known.join().asOf()),
                  error),
          error);
    }

    private synchronized void settle(
        CompletableFuture<KnownIndexes> reading, KnownIndexes table, Throwable error) {
      if (underWay == reading) {
        underWay = null;
      }
      if (table != null) {
        if (last == null || table.asOf() - last.join().asOf() >= 0) {
          last = CompletableFuture.completedFuture(table);
        }
      } else if (Futures.unwrap(error) instanceof DoNotRetryIOException) {
        last = null;
      }
    }
  }
}
