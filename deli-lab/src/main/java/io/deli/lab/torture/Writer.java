package io.deli.lab.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliTable;
import io.deli.lab.judge.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/** One writing thread of a client. */
final class Writer {
  private static final int BATCH = 3;

  /** Given timestamps are this far apart, so that some meet. */
  private static final long STEP_MILLIS = 50;

  private static final int STEPS = 20;

  private final DeliTable table;
  private final AsyncDeliTable async;
  private final Client client;
  private final History history;
  private final Random random;

  /** Of the write that each row is given now. */
  private final Map<String, Long> numbers = new HashMap<>();

  private final long retryNanos;

  Writer(Client client, History history, Random random) throws IOException {
    this.table = client.table();
    this.async = client.asyncTable();
    this.client = client;
    this.history = history;
    this.random = random;
    this.retryNanos = client.retryNanos();
  }

  private interface Call {
    boolean run() throws IOException;
  }

  /** Makes one write and enters it into the history; returns whether it was acknowledged. */
  boolean step() throws InterruptedException {
    List<String> rows = client.take(random.nextInt(6) == 0 ? BATCH : 1, random);
    try {
      return rows.size() > 1 ? putAll(rows) : write(rows.get(0));
    } finally {
      client.release(rows);
    }
  }

  private boolean write(String row) {
    String value = TortureWorkload.value(random);
    return switch (random.nextInt(12)) {
      case 0 -> run(Map.of(row, value), () -> conditional(row, value));
      case 1 ->
          run(Map.of(row, value), () -> done(() -> FutureUtils.get(async.put(put(row, value)))));
      case 2, 3 -> putAt(row, value);
      case 4 -> deleteRow(row);
      case 5 -> deleteColumn(row);
      default -> run(Map.of(row, value), () -> done(() -> table.put(put(row, value))));
    };
  }

  private boolean putAll(List<String> rows) {
    Map<String, String> values = new LinkedHashMap<>();
    rows.forEach(row -> values.put(row, TortureWorkload.value(random)));
    List<Put> puts = new ArrayList<>();
    values.forEach((row, value) -> puts.add(put(row, value)));
    return run(values, () -> done(() -> table.put(puts)));
  }

  /** With a timestamp of the application's, which others may have, too. */
  private boolean putAt(String row, String value) {
    long timestamp = around();
    Put put =
        new Put(Bytes.toBytes(row))
            .addColumn(
                TortureWorkload.COLUMN.family(),
                TortureWorkload.COLUMN.qualifier(),
                timestamp,
                Bytes.toBytes(value));
    return run(Map.of(row, value), Optional.of(timestamp), false, () -> done(() -> table.put(put)));
  }

  /** Together with its number, of which a Delete alone has none. */
  private boolean deleteRow(String row) {
    Delete delete = new Delete(Bytes.toBytes(row)).addFamily(TortureWorkload.COLUMN.family());
    return run(
        Map.of(row, ""),
        Optional.empty(),
        true,
        () -> done(() -> table.mutateRow(RowMutations.of(List.of(delete, numbered(row))))));
  }

  private boolean deleteColumn(String row) {
    long timestamp = around();
    Delete delete =
        new Delete(Bytes.toBytes(row))
            .addColumns(
                TortureWorkload.COLUMN.family(), TortureWorkload.COLUMN.qualifier(), timestamp);
    return run(
        Map.of(row, ""), Optional.of(timestamp), true, () -> done(() -> table.delete(delete)));
  }

  private long around() {
    return (client.clock().millis() / STEP_MILLIS + random.nextInt(-STEPS, STEPS)) * STEP_MILLIS;
  }

  private boolean conditional(String row, String value) throws IOException {
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(Bytes.toBytes(row))
                .ifEquals(
                    TortureWorkload.COLUMN.family(),
                    TortureWorkload.COLUMN.qualifier(),
                    Bytes.toBytes(TortureWorkload.value(random)))
                .build(put(row, value)))
        .isSuccess();
  }

  private interface Action {
    void run() throws IOException;
  }

  private static boolean done(Action action) throws IOException {
    action.run();
    return true;
  }

  private Put put(String row, String value) {
    return numbered(row)
        .addColumn(
            TortureWorkload.COLUMN.family(),
            TortureWorkload.COLUMN.qualifier(),
            Bytes.toBytes(value));
  }

  private Put numbered(String row) {
    long number = history.number();
    numbers.put(row, number);
    Put put = new Put(Bytes.toBytes(row));
    WriteNumbers.leave(number, put);
    return put;
  }

  private boolean run(Map<String, String> values, Call call) {
    return run(values, Optional.empty(), false, call);
  }

  /** Runs a call and enters what it wrote, by row, at the given timestamp or the one drawn. */
  private boolean run(
      Map<String, String> values, Optional<Long> given, boolean deletes, Call call) {
    values.keySet().forEach(client.clock()::take);
    long begun = System.nanoTime();
    long ended = Span.NEVER;
    boolean wrote = true;
    try {
      wrote = call.run();
      ended = System.nanoTime();
    } catch (IOException | RuntimeException e) {
      // It may have been applied, or be applied later; the history says so.
    }
    if (wrote || ended - begun >= retryNanos) {
      // Of a condition asked twice, the first request may have been what made it false.
      Span span = new Span(begun, wrote ? ended : Span.NEVER);
      values.forEach(
          (row, value) -> enter(row, deletes ? Optional.empty() : Optional.of(value), given, span));
    }
    return ended != Span.NEVER;
  }

  private void enter(String row, Optional<String> value, Optional<Long> given, Span span) {
    if (given.isPresent()) {
      history.add(new Write(row, value, given.get(), span));
    } else {
      client
          .clock()
          .take(row)
          .ifPresent(drawn -> history.add(numbers.get(row), new Write(row, value, drawn, span)));
    }
  }
}
