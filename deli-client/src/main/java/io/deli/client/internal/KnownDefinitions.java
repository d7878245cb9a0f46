package io.deli.client.internal;

import io.deli.client.IndexUnavailableException;
import io.deli.index.InvalidIndexException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definitions of one table, as last read. Thread-safe.
 *
 * <p>They are read again at half their life, so that a table in use does not wait for them. While
 * they cannot be read, or the master does not answer, the last known ones serve on: changing them
 * takes the same master.
 */
final class KnownDefinitions {
  private static final Logger LOG = LoggerFactory.getLogger(KnownDefinitions.class);

  /** For which writers wait for an answer that they can do without. */
  private static final long PATIENCE_MILLIS = 5_000;

  private final Supplier<CompletableFuture<TableDescriptor>> source;
  private final long lifeMillis;
  private final InstantSource clock;
  private volatile Reading last;
  private CompletableFuture<TableIndexes> underWay;

  /** A completed reading and when it was asked for. */
  private record Reading(long since, TableIndexes table, CompletableFuture<TableIndexes> indexes) {
    Reading(long since, TableIndexes table) {
      this(since, table, CompletableFuture.completedFuture(table));
    }
  }

  KnownDefinitions(
      Supplier<CompletableFuture<TableDescriptor>> source, long lifeMillis, InstantSource clock) {
    this.source = source;
    this.lifeMillis = lifeMillis;
    this.clock = clock;
  }

  CompletableFuture<TableIndexes> get() {
    Reading reading = last;
    if (reading == null) {
      return join();
    }
    long age = Math.abs(clock.millis() - reading.since());
    if (age < lifeMillis / 2) {
      return reading.indexes();
    }
    CompletableFuture<TableIndexes> next = join();
    return age < lifeMillis ? reading.indexes() : next;
  }

  private synchronized CompletableFuture<TableIndexes> join() {
    return underWay == null ? read() : underWay;
  }

  /** Reads now, even if another reading is under way: that one may have begun too early. */
  synchronized CompletableFuture<TableIndexes> read() {
    long since = clock.millis();
    Reading known = last;
    CompletableFuture<Reading> reading =
        known == null
            ? source.get().thenApply(table -> new Reading(since, resolve(table)))
            : source
                .get()
                .copy()
                .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .thenApply(table -> new Reading(since, resolve(table)))
                .exceptionally(error -> stillGood(known, error));
    CompletableFuture<TableIndexes> indexes = reading.thenApply(Reading::table);
    underWay = indexes;
    return reading
        .whenComplete((result, error) -> settle(indexes, result))
        .thenApply(Reading::table);
  }

  private Reading stillGood(Reading known, Throwable error) {
    if (Failures.plain(error) instanceof DoNotRetryIOException) {
      throw error instanceof CompletionException wrapped ? wrapped : new CompletionException(error);
    }
    LOG.warn(
        "Index definitions of {} could not be read; the last known serve on",
        known.table().base(),
        error);
    return new Reading(clock.millis(), known.table());
  }

  private static TableIndexes resolve(TableDescriptor table) {
    try {
      return TableIndexes.of(table);
    } catch (InvalidIndexException e) {
      throw new CompletionException(new IndexUnavailableException(e.getMessage(), e));
    }
  }

  private synchronized void settle(CompletableFuture<TableIndexes> reading, Reading result) {
    if (underWay == reading) {
      underWay = null;
    }
    if (result == null || last == null || result.since() >= last.since()) {
      last = result;
    }
  }
}
