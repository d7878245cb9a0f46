package io.deli.client.internal.write;

import org.apache.hadoop.hbase.client.Row;

/** A call that goes in a request of its own. */
record Alone(Lane lane, Call call) implements Call {
  @Override
  public Row operation() {
    return call.operation();
  }

  @Override
  public void answered(Object result, Throwable error) {
    lane.answered(1);
    call.answered(result, error);
  }
}
