package io.deli.client.internal.write;

import io.deli.service.DrawnTimestamp;
import io.deli.service.TimestampRefusal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Operations of many callers, in one request to a server or a few side by side. Their answers are
 * delivered together. If some are late, such as those to a region in transition, the others are
 * delivered without them and the queue sends its next request.
 *
 * <p>What a coprocessor refuses of a region's share, such as a Put that its writer has no right to
 * or whose value is too large, HBase fails as a whole. So what was refused for good in company is
 * sent once more by itself, and its answer then is its own; unless one before it in its row was
 * refused for its timestamp, for the region then refused this one, too: sent by itself, it would
 * overtake that. As it does where HBase's client sends it again: of conditions and RowMutations,
 * all that failed in a region whose last failure is for the moment.
 */
final class CombinedRequest {
  private static final long LATE_MILLIS = 100;

  private final ServerQueue queue;
  private final List<List<Call>> parts;
  private final RowQueues alone = new RowQueues();
  private final Map<ByteBuffer, Throwable> refused = new ConcurrentHashMap<>(0);
  private final CompletableFuture<Void> complete = new CompletableFuture<>();
  private List<Answer> arrived;
  private int missing;

  /** An answer not yet delivered to its caller. */
  private record Answer(Call call, Object result, Throwable error) {
    void deliver() {
      call.answered(result, error);
    }
  }

  /**
   * @param parts what is sent together, each by itself
   */
  CombinedRequest(ServerQueue queue, List<List<Call>> parts) {
    this.queue = queue;
    this.parts = parts;
    this.missing = parts.stream().mapToInt(List::size).sum();
    this.arrived = new ArrayList<>(missing);
  }

  void send(Consumer<List<Call>> client) {
    parts.forEach(calls -> sendPart(calls, client));
    FutureUtils.addListener(
        queue.scheduler().bounded(complete, LATE_MILLIS),
        (done, late) -> {
          // A task may take a thread: for what is late only, and with it what callers do then.
          if (late != null) {
            queue.scheduler().after(0).execute(this::goOn);
          }
        });
  }

  private void sendPart(List<Call> calls, Consumer<List<Call>> client) {
    List<Call> members = new ArrayList<>(calls.size());
    for (Call call : calls) {
      members.add(
          new Call(
              call.operation(),
              (result, error) -> {
                if (mayBeOfAnother(call.operation(), error, calls)) {
                  sendAlone(call, client);
                } else {
                  arrived(new Answer(call, result, error));
                }
              }));
    }
    client.accept(members);
  }

  /** Sends it behind those of its row, which keep their order so. */
  private void sendAlone(Call call, Consumer<List<Call>> client) {
    ByteBuffer row = row(call);
    CompletableFuture<Void> unused =
        alone.enqueue(
            row,
            () -> {
              CompletableFuture<Void> answered = new CompletableFuture<>();
              Throwable earlier = refused.get(row);
              if (earlier != null) {
                arrived(new Answer(call, null, earlier));
                answered.complete(null);
                return answered;
              }
              Call own =
                  new Call(
                      call.operation(),
                      (result, error) -> {
                        arrived(new Answer(call, result, error));
                        answered.complete(null);
                      });
              client.accept(List.of(own));
              return answered;
            });
  }

  private static boolean mayBeOfAnother(Row operation, Throwable error, List<Call> calls) {
    if (error instanceof IllegalArgumentException) {
      // HBase's client sends nothing of a list with a Put that it refuses.
      return calls.size() > 1;
    }
    if (!(error instanceof DoNotRetryIOException)
        || error instanceof TableNotFoundException
        || error instanceof TableNotEnabledException) {
      return false;
    }
    if (TimestampRefusal.of(error).isPresent() && !isStamped(operation)) {
      return calls.size() > 1;
    }
    if (operation instanceof Put || operation instanceof Delete) {
      return calls.size() > 1
          && !(error instanceof FailedSanityCheckException)
          && !(error instanceof NoSuchColumnFamilyException);
    }
    // Of these HBase's client gives all that fail in a region the failure of the last.
    return isWhole(operation)
        && calls.stream().filter(call -> isWhole(call.operation())).count() > 1;
  }

  /** Whether a region may refuse its timestamp. */
  private static boolean isStamped(Row operation) {
    return Call.mutations(operation).anyMatch(each -> DrawnTimestamp.of(each).isPresent());
  }

  /** Whether HBase answers the operation as a whole request within the request. */
  private static boolean isWhole(Row operation) {
    return operation instanceof CheckAndMutate || operation instanceof RowMutations;
  }

  private static ByteBuffer row(Call call) {
    return ByteBuffer.wrap(call.operation().getRow());
  }

  private void arrived(Answer answer) {
    if (TimestampRefusal.of(answer.error()).isPresent()) {
      refused.putIfAbsent(row(answer.call()), answer.error());
    }
    boolean late;
    boolean last;
    synchronized (this) {
      missing--;
      last = missing == 0;
      late = arrived == null;
      if (!late) {
        arrived.add(answer);
      }
    }
    if (late) {
      queue.answered(1);
      answer.deliver();
    } else if (last) {
      complete.complete(null);
      goOn();
    }
  }

  /** Delivers the answers so far and lets the queue send its next request; only once. */
  private void goOn() {
    List<Answer> delivered;
    synchronized (this) {
      delivered = arrived;
      arrived = null;
    }
    if (delivered != null) {
      queue.deliver(delivered.size(), () -> delivered.forEach(Answer::deliver));
    }
  }
}
