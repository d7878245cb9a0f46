package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.collect.DeleteBatch.Owed;
import io.deli.coprocessor.internal.send.IndexDelete;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;

/**
 * The requests of one compaction to index tables. No more than a few are under way at a time, and
 * each answer admits the next one; so indexes, not the compaction, set the pace. A table that
 * acknowledges nothing for the time-out, refuses several requests in a row, or is waited for too
 * long in all, is given up. Not thread-safe.
 */
final class IndexRequests {
  private record Request(
      Window window,
      IndexPace pace,
      DeleteBatch batch,
      CompletableFuture<Void> answered,
      long sentAt) {}

  private final IndexDelete.Sender sender;
  private final GcSettings settings;
  private final BiConsumer<TableName, Throwable> givenUp;
  private final LongSupplier ticker;
  private final Map<TableName, IndexPace> paces = new HashMap<>();
  private final List<Request> underWay = new ArrayList<>();

  /**
   * @param givenUp is told of tables, with the last failure or null
   * @param ticker elapsed time in nanoseconds from any origin
   */
  IndexRequests(
      IndexDelete.Sender sender,
      GcSettings settings,
      BiConsumer<TableName, Throwable> givenUp,
      LongSupplier ticker) {
    this.sender = sender;
    this.settings = settings;
    this.givenUp = givenUp;
    this.ticker = ticker;
  }

  private IndexPace pace(TableName table) {
    return paces.computeIfAbsent(
        table, t -> new IndexPace(TimeUnit.MILLISECONDS.toNanos(settings.timeoutMillis())));
  }

  boolean isGivenUp(TableName table) {
    IndexPace pace = paces.get(table);
    return pace != null && pace.isGivenUp();
  }

  /** Sends as many requests as there may be windows, the oldest window first. */
  void advance(Iterable<Window> windows) {
    long now = ticker.getAsLong();
    harvest(now);
    for (Window window : windows) {
      window.skip(this::isGivenUp);
      while (window.nextTable() != null && underWay.size() < settings.windows()) {
        send(window, now);
        window.skip(this::isGivenUp);
      }
    }
  }

  private void send(Window window, long now) {
    IndexPace pace = pace(window.nextTable());
    DeleteBatch batch = window.next(pace.size());
    pace.sent(now);
    window.sent();
    underWay.add(
        new Request(
            window,
            pace,
            batch,
            sender.send(
                batch.table(),
                batch.deletes(),
                settings.timeoutMillis(),
                () -> pace.acknowledged(ticker.getAsLong())),
            now));
  }

  void waited(long nanos) {
    paces.values().forEach(pace -> pace.waited(nanos));
  }

  private void harvest(long now) {
    for (Iterator<Request> each = underWay.iterator(); each.hasNext(); ) {
      Request request = each.next();
      if (request.answered().isDone()) {
        each.remove();
        request.window().answered();
        note(request, now - request.sentAt());
      }
    }
    paces.forEach(
        (table, pace) -> {
          if (!pace.isGivenUp() && pace.isVain(now)) {
            pace.giveUp();
            forget(pace);
            givenUp.accept(table, pace.failure());
          }
        });
  }

  private void note(Request request, long nanos) {
    List<Owed> left = request.batch().settle();
    Throwable failure = null;
    for (IndexDelete delete : request.batch().deletes()) {
      failure = delete.isAcknowledged() ? failure : delete.failure().orElse(failure);
    }
    int asked = request.batch().owed().size();
    request.pace().answered(asked, asked - left.size(), nanos, failure);
    if (isOutOfTime(nanos)) {
      // It waited behind others, perhaps; if none of them is acknowledged, the table is given up.
      request.window().again(request.batch().table(), left);
    } else {
      left.forEach(owed -> owed.unit().refuse());
    }
  }

  /** HBase's client and this clock may differ a little. */
  private boolean isOutOfTime(long nanos) {
    return nanos > TimeUnit.MILLISECONDS.toNanos(settings.timeoutMillis()) * 9 / 10;
  }

  private void forget(IndexPace pace) {
    for (Iterator<Request> each = underWay.iterator(); each.hasNext(); ) {
      Request request = each.next();
      if (request.pace() == pace) {
        each.remove();
        request.batch().settle();
        request.window().answered();
      }
    }
  }

  /** Completes when some request is answered. */
  CompletableFuture<?> someAnswer() {
    return CompletableFuture.anyOf(
        underWay.stream().map(Request::answered).toArray(CompletableFuture<?>[]::new));
  }

  /** Nanoseconds after which some table will be given up that acknowledges nothing until then. */
  long patience() {
    long now = ticker.getAsLong();
    return underWay.stream().mapToLong(request -> request.pace().patience(now)).min().orElse(0);
  }
}
