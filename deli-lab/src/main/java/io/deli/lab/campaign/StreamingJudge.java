package io.deli.lab.campaign;

import io.deli.lab.campaign.HistoryFile.HistoryTail;
import io.deli.lab.fault.Outages;
import io.deli.lab.judge.HistoryJudge;
import io.deli.lab.judge.HistoryRecord;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.RowQuery;
import io.deli.lab.judge.Ruling;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.SharedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Follows the histories of client processes and judges them up to the oldest call in flight; what
 * was judged is forgotten, but for the last files. A thread of its own reads and judges; the other
 * methods are thread-safe.
 *
 * <p>If too much waits to be judged, clients are told to pause.
 */
final class StreamingJudge implements AutoCloseable {
  /** Calls and returns that wait; beyond the first, clients pause until there are fewer. */
  private static final int MOST_HELD = 600_000;

  private static final int FEW_HELD = 150_000;

  /** Requests that HBase's client makes of one call, at most, which all may take effect. */
  private static final int REQUESTS = 2;

  private static final int KEPT_FILES = 2;
  private static final long GLANCE_MILLIS = 20;
  private static final long RULING_NANOS = 5_000_000_000L;

  private final HistoryJudge judge;
  private final SharedState shared;
  private final Outages outages = new Outages();
  private final Tally tally = new Tally();
  private final Queue<Source> added = new ConcurrentLinkedQueue<>();
  private final Queue<Span> calms = new ConcurrentLinkedQueue<>();
  private final Thread thread = new Thread(this::follow, "judge");

  // Of the thread alone.
  private final List<Source> sources = new ArrayList<>();
  private final List<Consumer<Outages.State>> waiting = new ArrayList<>();
  private long waitingSince = Span.NEVER;
  private long ruled;

  private volatile boolean ending;
  private volatile long clientsHorizon;
  private volatile CellReport.Outcomes outcomes = tally.outcomes();
  private volatile Ruling ruling;
  private volatile Throwable failure;

  /**
   * @param versions that the family keeps
   */
  StreamingJudge(int versions, SharedState shared) {
    this.judge =
        new HistoryJudge(
            versions,
            ContendedRows::isUncovering,
            Set.of(ContendedRows.A.toString(), ContendedRows.B.toString()));
    this.shared = shared;
    this.ruling = judge.ruling();
    thread.setDaemon(true);
    thread.start();
  }

  /** The history of one client process. */
  final class Source {
    private final HistoryTail tail;
    private final Map<Long, HistoryRecord.Begin> open = new HashMap<>();

    /** By file, the oldest first, when the last that began in it did. */
    private final Map<Path, Long> files = new LinkedHashMap<>();

    private volatile boolean dead;
    private volatile long horizon = System.nanoTime();

    private Source(HistoryTail tail) {
      this.tail = tail;
    }

    /** The process is gone: what it has written is all. */
    void end() {
      dead = true;
    }

    private boolean poll() throws IOException {
      boolean over = dead;
      boolean more = tail.poll(this::take);
      tail.file().ifPresent(file -> files.put(file, horizon));
      if (over && !more) {
        open.values().forEach(begin -> failed(begin, REQUESTS, "client died"));
        open.clear();
        horizon = Span.NEVER;
        tail.close();
      }
      return more;
    }

    private void take(HistoryRecord record) {
      if (record instanceof HistoryRecord.Beat beat) {
        horizon = beat.time();
      } else if (record instanceof HistoryRecord.Begin begin) {
        horizon = begin.time();
        open.put(begin.call(), begin);
      } else if (record instanceof HistoryRecord.Told told) {
        open.remove(told.call());
        told(told);
      } else if (record instanceof HistoryRecord.Answered answered) {
        open.remove(answered.call());
        answered(answered.query());
      } else {
        HistoryRecord.Failed failed = (HistoryRecord.Failed) record;
        failed(open.remove(failed.call()), failed.times(), failed.why());
      }
    }

    private long horizon() {
      long least = horizon;
      for (HistoryRecord.Begin begin : open.values()) {
        least = Math.min(least, begin.time());
      }
      return least;
    }

    private void deleteJudged(long before) throws IOException {
      for (Path file : List.copyOf(files.keySet())) {
        if (files.size() <= KEPT_FILES || files.get(file) >= before) {
          return;
        }
        Files.deleteIfExists(file);
        files.remove(file);
      }
    }
  }

  /** Follows another client process, which is about to be started. */
  Source follow(Path directory, String client) {
    Source source = new Source(new HistoryTail(directory, client));
    added.add(source);
    return source;
  }

  Outages outages() {
    return outages;
  }

  /** As {@link HistoryJudge#settled}. */
  void settled(Span calm) {
    calms.add(calm);
  }

  /** Nothing that began earlier is in flight. */
  long clientsHorizon() {
    return clientsHorizon;
  }

  CellReport.Outcomes outcomes() {
    return outcomes;
  }

  /** The ruling until a few seconds ago. */
  Ruling ruling() {
    if (failure != null) {
      throw new IllegalStateException("the judge failed: " + failure, failure);
    }
    return ruling;
  }

  /** Judges all there is, once all clients are gone. */
  Ruling end() throws InterruptedException {
    ending = true;
    thread.join();
    return ruling();
  }

  private void follow() {
    try {
      boolean isLast = false;
      while (!isLast) {
        // Asked ahead of the round, which then reads all that was written before the end.
        boolean atEnd = ending;
        boolean more = round();
        isLast = atEnd && !more;
        if (!more && !isLast) {
          Thread.sleep(GLANCE_MILLIS);
        }
      }
      judge.advance(Span.NEVER);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ruling = judge.ruling();
      outcomes = tally.outcomes();
    }
  }

  private boolean round() throws IOException {
    for (Source each = added.poll(); each != null; each = added.poll()) {
      sources.add(each);
    }
    takeWaiting();
    boolean more = false;
    long least = System.nanoTime();
    for (Source each : sources) {
      more |= each.poll();
      least = Math.min(least, each.horizon());
    }
    sources.removeIf(each -> each.horizon() == Span.NEVER);
    clientsHorizon = least;
    for (Span calm = calms.poll(); calm != null; calm = calms.poll()) {
      judge.settled(calm);
    }
    if (waitingSince == Span.NEVER) {
      outages.forget(least);
    }
    long horizon = Math.min(Math.min(least, waitingSince), outages.now().limit());
    judge.advance(horizon);
    for (Source each : sources) {
      if (ruling.violations().isEmpty()) {
        each.deleteJudged(horizon);
      }
    }
    relieve();
    tell();
    return more;
  }

  /** Judges the calls that waited until it was known which servers had an outage. */
  private void takeWaiting() {
    Outages.State known = outages.now();
    if (!known.isOpen()) {
      waiting.forEach(each -> each.accept(known));
      waiting.clear();
      waitingSince = Span.NEVER;
    }
  }

  /** Has something judged by what is known of outages, if need be when all that go on are over. */
  private void explain(Span span, boolean mayWait, Consumer<Outages.State> judged) {
    Outages.State known = outages.now();
    if (mayWait && known.isOpen()) {
      waiting.add(judged);
      waitingSince = Math.min(waitingSince, span.begun());
    } else {
      judged.accept(known);
    }
  }

  private void told(HistoryRecord.Told told) {
    Set<String> failed = new HashSet<>();
    for (RowOperation operation : told.operations()) {
      tally.told(operation);
      if (!operation.span().hasEnd()) {
        failed.add(operation.row());
      }
      explain(
          operation.span(),
          Outages.mayExplain(operation),
          known -> known.explaining(operation).forEach(judge::add));
    }
    if (!failed.isEmpty()) {
      tally.failed(failed.size(), "in part");
    }
  }

  private void answered(RowQuery query) {
    tally.queries++;
    explain(query.span(), true, known -> judge.add(query.during(known.explaining(query.span()))));
  }

  private void failed(HistoryRecord.Begin begin, int times, String why) {
    tally.failed(begin.writes().size(), why);
    begin.failed(times).forEach(judge::add);
  }

  private void relieve() {
    int held = judge.held() + waiting.size();
    if (held > MOST_HELD && shared.order() == SharedState.Order.WORK) {
      shared.change(SharedState.Order.WORK, SharedState.Order.PAUSE);
    } else if (held < FEW_HELD && shared.order() == SharedState.Order.PAUSE) {
      shared.change(SharedState.Order.PAUSE, SharedState.Order.WORK);
      // Clients were told to pause: that they write nothing is no fault.
      tally.lastWrite = 0;
    }
  }

  private void tell() {
    outcomes = tally.outcomes();
    if (System.nanoTime() - ruled > RULING_NANOS) {
      ruled = System.nanoTime();
      ruling = judge.ruling();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  /** Counts the outcomes that clients were told. Not thread-safe. */
  private static final class Tally {
    private long writes;
    private long reads;
    private long queries;
    private long failed;
    private final Map<String, Long> failures = new TreeMap<>();
    private long lastWrite;
    private long longestGap;

    void told(RowOperation operation) {
      if (!operation.span().hasEnd() || operation.optional()) {
        return;
      }
      if (operation.isRead()) {
        reads++;
      } else {
        writes++;
        long time = operation.span().ended();
        longestGap = lastWrite == 0 ? longestGap : Math.max(longestGap, time - lastWrite);
        lastWrite = Math.max(lastWrite, time);
      }
    }

    /**
     * @param writesOfCall 0 of a read
     */
    void failed(int writesOfCall, String why) {
      failed += writesOfCall;
      failures.merge(why, 1L, Long::sum);
    }

    CellReport.Outcomes outcomes() {
      return new CellReport.Outcomes(
          writes, reads, queries, failed, new TreeMap<>(failures), longestGap / 1_000_000);
    }
  }
}
