package io.deli.client.internal.write;

import io.deli.client.internal.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * One request with the operations of many callers. Their answers are delivered together. If some
 * are late, as those to a region in transition, the others are delivered without them and the lane
 * goes on.
 */
final class CombinedRequest {
  private static final Executor LATE =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

  private final Lane lane;
  private List<Runnable> answers;
  private int missing;

  CombinedRequest(Lane lane, int operations) {
    this.lane = lane;
    this.answers = new ArrayList<>(operations);
    this.missing = operations;
  }

  void send(List<Call> calls, Port wire) {
    List<CompletableFuture<Object>> sent =
        calls.size() == 1
            ? List.of(wire.send(calls.get(0).operation()))
            : wire.send(calls.stream().map(Call::operation).toList());
    for (int i = 0; i < sent.size(); i++) {
      Call call = calls.get(i);
      Answers.then(sent.get(i), (result, error) -> arrived(call, result, error));
    }
    LATE.execute(this::goOn);
  }

  private void arrived(Call call, Object result, Throwable error) {
    Throwable plain = error == null ? null : Failures.plain(error);
    Runnable answer = () -> call.answered(result, plain);
    boolean last;
    synchronized (this) {
      missing--;
      last = missing == 0;
      if (answers != null) {
        answers.add(answer);
        answer = null;
      }
    }
    if (answer != null) {
      lane.answered(1);
      answer.run();
    } else if (last) {
      goOn();
    }
  }

  /** Delivers what has arrived and lets the lane send its next request; only once. */
  private void goOn() {
    List<Runnable> arrived;
    synchronized (this) {
      arrived = answers;
      answers = null;
    }
    if (arrived != null) {
      lane.answered(arrived.size());
      lane.requestDone();
      Cork.during(() -> arrived.forEach(Runnable::run));
      lane.drain();
    }
  }
}
