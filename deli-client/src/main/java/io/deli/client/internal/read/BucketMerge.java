package io.deli.client.internal.read;

import io.deli.client.internal.Futures;
import io.deli.entry.Buckets;
import io.deli.strategy.Lookup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads the rows of a salted index table in the order that they have without salt.
 *
 * <p>All buckets are asked at once. A hash divides the rows evenly, so each is asked for its share
 * of those that are wanted and as many more as chance may have put there; in the rare case that one
 * has still more, all are asked again. A row is given once every bucket has shown what is next in
 * it, or that it has ended. What is left over is kept for the call that goes on there, at most some
 * rows of each bucket.
 *
 * <p>So a row may be read earlier than the call that gives it, as by one large scan. One call after
 * the other; not thread-safe.
 */
final class BucketMerge {
  private final TableReader requests;
  private final Comparator<Bucket> order;
  private final Scans scans;
  private List<Bucket> buckets = List.of();
  private Optional<Position> at = Optional.empty();

  /** Makes the scan of some rows of a lookup behind a position. */
  interface Scans {
    Scan of(Lookup lookup, Position from, int rows);
  }

  BucketMerge(TableReader requests, boolean reversed, Scans scans) {
    this.requests = requests;
    this.scans = scans;
    Comparator<Bucket> byRow =
        (a, b) -> Buckets.compareUnsalted(a.rows.peek().rawCells()[0], b.rows.peek().rawCells()[0]);
    this.order = reversed ? byRow.reversed() : byRow;
  }

  /** The rows of one bucket that were read and not given. */
  private final class Bucket {
    private final Lookup lookup;
    private final Deque<Result> rows = new ArrayDeque<>();
    private Position end;
    private boolean ended;

    Bucket(Lookup lookup, Position from) {
      this.lookup = lookup;
      this.end = from;
    }

    /** Reads until there are so many rows, or no more. */
    private CompletableFuture<Void> fill(int share) {
      int missing = share - rows.size();
      if (ended || missing <= 0) {
        return CompletableFuture.completedFuture(null);
      }
      return requests
          .scanAll(lookup.table(), scans.of(lookup, end, missing))
          .thenAccept(
              read -> {
                rows.addAll(read);
                ended = read.size() < missing;
                if (!ended) {
                  end = Position.behindRow(end.conjunction(), rows.getLast().getRow());
                }
              });
    }
  }

  /** Reads the rows behind a position; fewer than asked for if there are no more. */
  CompletableFuture<List<Result>> read(Lookup lookup, Position from, int most) {
    if (at.filter(from::isAt).isEmpty()) {
      buckets =
          IntStream.range(0, lookup.buckets().count())
              .mapToObj(i -> new Bucket(lookup.in(i), from.in(i, lookup.buckets())))
              .toList();
    }
    // Whoever fails leaves some buckets ahead of others.
    at = Optional.empty();
    return merge(new ArrayList<>(), most)
        .thenApply(
            rows -> {
              if (rows.size() == most) {
                byte[] last = lookup.buckets().unsalted(rows.get(most - 1).getRow());
                at = Optional.of(Position.behindRow(from.conjunction(), last));
              }
              return rows;
            });
  }

  private CompletableFuture<List<Result>> merge(List<Result> rows, int most) {
    int share = share(most - rows.size());
    return Futures.all(buckets.stream().map(bucket -> bucket.fill(share)).toList())
        .thenCompose(
            done -> take(rows, most) ? CompletableFuture.completedFuture(rows) : merge(rows, most));
  }

  /**
   * More than three standard deviations above the mean of rows that fall into buckets at random.
   */
  private int share(int rows) {
    double mean = (double) rows / buckets.size();
    return (int) Math.min(rows, Math.ceil(1 + mean + 3 * Math.sqrt(mean)));
  }

  /** Takes rows in order; returns false if a bucket must be read on for that. */
  private boolean take(List<Result> rows, int most) {
    PriorityQueue<Bucket> heads = new PriorityQueue<>(buckets.size(), order);
    buckets.stream().filter(bucket -> !bucket.rows.isEmpty()).forEach(heads::add);
    while (rows.size() < most && !heads.isEmpty()) {
      Bucket least = heads.poll();
      rows.add(least.rows.poll());
      if (!least.rows.isEmpty()) {
        heads.add(least);
      } else if (!least.ended) {
        return rows.size() == most;
      }
    }
    return true;
  }
}
