package io.deli.client.internal.write;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Row;

/** Sends every operation, and every list, as it comes. */
final class DirectPort implements Port {
  private final Wire wire;

  DirectPort(Wire wire) {
    this.wire = wire;
  }

  @Override
  public CompletableFuture<Object> send(Row operation) {
    Call.Single call = new Call.Single(operation);
    wire.send(call);
    return call.answer();
  }

  @Override
  public CompletableFuture<Object[]> send(List<? extends Row> operations) {
    Parcel parcel = new Parcel(operations);
    wire.send(parcel.calls());
    return parcel.done();
  }
}
