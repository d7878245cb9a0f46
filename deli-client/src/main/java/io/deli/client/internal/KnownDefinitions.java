package io.deli.client.internal;

import io.deli.client.IndexUnavailableException;
import io.deli.index.InvalidIndexException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definitions of one table, as last read. Thread-safe.
 *
 * <p>They are read again at half their life, so that a table in use does not wait for them. While
 * they cannot be read, the last known ones serve on: changing them takes the same master.
 */
final class KnownDefinitions {
  private static final Logger LOG = LoggerFactory.getLogger(KnownDefinitions.class);

  private final Supplier<CompletableFuture<TableDescriptor>> source;
  private final long lifeMillis;
  private final InstantSource clock;
  private volatile Reading last;
  private CompletableFuture<TableIndexes> underWay;

  /** A completed reading and when it was asked for. */
  private record Reading(long since, CompletableFuture<TableIndexes> indexes) {}

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
    CompletableFuture<TableIndexes> reading =
        source.get().handle((table, error) -> resolve(since, table, error));
    underWay = reading;
    return reading.whenComplete((indexes, error) -> settle(reading, since, error == null));
  }

  private TableIndexes resolve(long since, TableDescriptor table, Throwable error) {
    if (error == null) {
      return resolve(table);
    }
    Reading known = last;
    if (known == null || Failures.plain(error) instanceof DoNotRetryIOException) {
      throw error instanceof CompletionException wrapped ? wrapped : new CompletionException(error);
    }
    LOG.warn(
        "Index definitions could not be read; the ones known before {} serve on", since, error);
    return known.indexes().join();
  }

  private static TableIndexes resolve(TableDescriptor table) {
    try {
      return TableIndexes.of(table);
    } catch (InvalidIndexException e) {
      throw new CompletionException(new IndexUnavailableException(e.getMessage(), e));
    }
  }

  private synchronized void settle(
      CompletableFuture<TableIndexes> reading, long since, boolean succeeded) {
    if (underWay == reading) {
      underWay = null;
    }
    if (succeeded) {
      last = new Reading(since, reading);
    } else {
      last = null;
    }
  }
}
