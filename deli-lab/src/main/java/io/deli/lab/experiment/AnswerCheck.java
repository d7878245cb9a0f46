package io.deli.lab.experiment;

import io.deli.ycsb.ValueRead;
import io.deli.ycsb.ValueReads;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * Compares what a driver finds in a table with what it wrote there.
 *
 * <p>Each row is updated by one thread, so that its writes are in order. While one is under way the
 * row may have either value. Of writes in batches this is known only when all are sent, so nobody
 * reads meanwhile.
 */
final class AnswerCheck {
  static final String CHECKED = "checked";
  static final String WRONG = "wrong";

  private static final Logger LOG = LoggerFactory.getLogger(AnswerCheck.class);

  /** A prime, so that rows written one after the other are neighbours nowhere. */
  private static final long STRIDE = 2_654_435_761L;

  private static final int SHARE_SHIFT = 20;
  private static final int SHARES = 1 << 12;

  /** Of rows that are not just being written. */
  private final Map<String, String> values = new ConcurrentHashMap<>();

  /** The rows that have a value, or may have it. */
  private final NavigableMap<String, Set<String>> rows = new ConcurrentSkipListMap<>();

  private final LongAdder checked = new LongAdder();
  private final LongAdder wrong = new LongAdder();

  void clear() {
    values.clear();
    rows.clear();
  }

  /** How many answers there were, and how many of them were wrong, since it was last asked. */
  Map<String, Double> takeCounts() {
    return Map.of(CHECKED, (double) checked.sumThenReset(), WRONG, (double) wrong.sumThenReset());
  }

  /**
   * One thread's part of the rows, which it updates one after the other.
   *
   * @param share of the values of which rows are remembered and answers compared: of tables that
   *     are larger than the driver's memory a part
   */
  Own own(int thread, int threads, long all, double share) {
    return new Own(thread, threads, Math.max(1, all / threads), share);
  }

  /**
   * The rows that an answer must have, and those that it may have.
   *
   * @param must those that are not just being written
   */
  private record Having(Set<String> must, Set<String> may) {
    void add(String row, boolean settled) {
      may.add(row);
      if (settled) {
        must.add(row);
      }
    }
  }

  final class Own {
    private final int first;
    private final int step;
    private final long rowsOfThread;
    private final double share;
    private long turn;

    private Own(int first, int step, long rowsOfThread, double share) {
      this.first = first;
      this.step = step;
      this.rowsOfThread = rowsOfThread;
      this.share = share;
      this.turn = ThreadLocalRandom.current().nextLong(rowsOfThread);
    }

    String next() {
      return Workloads.key(first + step * (turn++ * STRIDE % rowsOfThread));
    }

    private boolean remembers(String value) {
      // The upper bits of the product: of values that are numbers hashes are not even.
      return ((value.hashCode() * STRIDE) >>> SHARE_SHIFT) % SHARES < share * SHARES;
    }

    /** Writes a value to a row, either of this thread or new. */
    Status write(String row, String value, Supplier<Status> write) {
      boolean remembered = remembers(value);
      if (remembered) {
        rows.computeIfAbsent(value, each -> ConcurrentHashMap.newKeySet()).add(row);
      }
      String before = values.remove(row);
      Status status = write.get();
      if (remembered) {
        values.put(row, value);
      }
      if (before != null && !before.equals(value)) {
        rows.get(before).remove(row);
      }
      return status;
    }

    /**
     * Reads by value and compares: what had the value all the while must be found, what never had
     * it must not. Of the most recent ones only their number is known. Where only a share of the
     * values is remembered, ranges are not compared.
     */
    Status find(
        ValueRead read, List<? extends Map<String, ByteIterator>> result, Supplier<Status> lookup) {
      if (share < 1 && (read.operands().size() > 1 || !remembers(read.operands().get(0)))) {
        return lookup.get();
      }
      Having before = having(read);
      Set<String> must = before.must();
      Set<String> may = before.may();
      Status status = lookup.get();
      Set<String> found = new HashSet<>();
      result.forEach(record -> found.add(record.get(ValueReads.KEY).toString()));
      if (!found.containsAll(must)) {
        must.retainAll(having(read).must());
      }
      if (!may.containsAll(found)) {
        may.addAll(having(read).may());
      }
      boolean complete =
          read.limit() == 0
              ? found.containsAll(must)
              : found.size() >= Math.min(read.limit(), must.size());
      checked.increment();
      if (!complete || found.size() < result.size() || !may.containsAll(found)) {
        wrong.increment();
        LOG.debug("{}: found {}, not {}", read, found, must);
      }
      return status;
    }

    /** Looks for both at once: to find them takes as much CPU as a fair part of a lookup. */
    private Having having(ValueRead read) {
      List<String> operands = read.operands();
      Having all = new Having(new HashSet<>(), new HashSet<>());
      rows.subMap(operands.get(0), true, operands.get(operands.size() - 1), true)
          .forEach(
              (value, keys) -> keys.forEach(key -> all.add(key, value.equals(values.get(key)))));
      return all;
    }
  }
}
