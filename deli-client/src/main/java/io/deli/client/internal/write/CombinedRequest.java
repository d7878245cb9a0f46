package io.deli.client.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Row;

/**
 * One request with the operations of many callers. Their answers are delivered together. If some
 * are late, as those to a region in transition, the others are delivered without them and the lane
 * goes on.
 */
final class CombinedRequest {
  private static final Executor LATE =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

  private final Lane lane;
  private List<Answer> arrived;
  private int missing;

  /** One of the operations. */
  private record Member(CombinedRequest request, Call call) implements Call {
    @Override
    public Row operation() {
      return call.operation();
    }

    @Override
    public void answered(Object result, Throwable error) {
      request.arrived(new Answer(call, result, error));
    }
  }

  /** An answer on its way to its caller. */
  private record Answer(Call call, Object result, Throwable error) {
    void deliver() {
      call.answered(result, error);
    }
  }

  CombinedRequest(Lane lane, int operations) {
    this.lane = lane;
    this.arrived = new ArrayList<>(operations);
    this.missing = operations;
  }

  void send(List<Call> calls, Wire wire) {
    if (calls.size() == 1) {
      wire.send(new Member(this, calls.get(0)));
    } else {
      List<Call> members = new ArrayList<>(calls.size());
      calls.forEach(call -> members.add(new Member(this, call)));
      wire.send(members);
    }
    LATE.execute(this::goOn);
  }

  private void arrived(Answer answer) {
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
      lane.answered(1);
      answer.deliver();
    } else if (last) {
      goOn();
    }
  }

  /** Delivers what has arrived and lets the lane send its next request; only once. */
  private void goOn() {
    List<Answer> delivered;
    synchronized (this) {
      delivered = arrived;
      arrived = null;
    }
    if (delivered != null) {
      lane.answered(delivered.size());
      lane.requestDone();
      Cork.during(() -> delivered.forEach(Answer::deliver));
      lane.drain();
    }
  }
}
