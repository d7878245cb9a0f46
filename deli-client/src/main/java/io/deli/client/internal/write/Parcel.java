package io.deli.client.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Row;

/** Operations that are given together and answered together, whatever ways they take. */
final class Parcel {
  private final List<? extends Row> operations;
  private final Object[] answers;
  private final AtomicInteger missing;
  private final CompletableFuture<Object[]> done = new CompletableFuture<>();

  /** One of them. */
  private record Member(Parcel parcel, int place) implements Call {
    @Override
    public Row operation() {
      return parcel.operations.get(place);
    }

    @Override
    public void answered(Object result, Throwable error) {
      parcel.answered(place, error == null ? result : error);
    }
  }

  Parcel(List<? extends Row> operations) {
    this.operations = operations;
    this.answers = new Object[operations.size()];
    this.missing = new AtomicInteger(operations.size());
    if (operations.isEmpty()) {
      done.complete(answers);
    }
  }

  List<Call> calls() {
    List<Call> calls = new ArrayList<>(answers.length);
    for (int place = 0; place < answers.length; place++) {
      calls.add(new Member(this, place));
    }
    return calls;
  }

  private void answered(int place, Object answer) {
    answers[place] = answer;
    if (missing.decrementAndGet() == 0) {
      done.complete(answers);
    }
  }

  /** All answers, in the order of the operations; that of a failed one is its error. */
  CompletableFuture<Object[]> done() {
    return done;
  }
}
