package io.deli.lab.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliTable;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.History.Write;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * One writing thread of a client. A family in which each write leaves its number, as a column, and
 * which keeps all versions, tells in the end the timestamps that writes were applied with: a client
 * may draw several for one.
 */
final class Writer {
  private static final byte[] FAMILY = TortureWorkload.COLUMN.family();
  private static final byte[] QUALIFIER = TortureWorkload.COLUMN.qualifier();
  private static final byte[] NUMBERS = Bytes.toBytes("i");
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
    this.retryNanos = ContendedWriter.retryNanos(client.connection());
  }

  /** The family of the writes' numbers. */
  static ColumnFamilyDescriptor numbers() {
    return ColumnFamilyDescriptorBuilder.newBuilder(NUMBERS)
        .setMaxVersions(Integer.MAX_VALUE)
        .setKeepDeletedCells(KeepDeletedCells.TRUE)
        .build();
  }

  /** The timestamps of the writes that took effect, by number. */
  static Map<Long, Set<Long>> timestamps(Connection plain, TableName name) throws IOException {
    Map<Long, Set<Long>> timestamps = new HashMap<>();
    Scan scan = new Scan().addFamily(NUMBERS).readAllVersions().setRaw(true).setBatch(1_000);
    try (Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          if (cell.getType() == Cell.Type.Put) {
            long number = Bytes.toLong(CellUtil.cloneQualifier(cell));
            timestamps.computeIfAbsent(number, n -> new TreeSet<>()).add(cell.getTimestamp());
          }
        }
      }
    }
    return timestamps;
  }

  private static CallableRaisingIOE<Boolean> always(InvocationRaisingIOE action) {
    return () -> {
      action.apply();
      return true;
    };
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
    long around =
        (client.clock().millis() / STEP_MILLIS + random.nextInt(-STEPS, STEPS)) * STEP_MILLIS;
    Delete delete = new Delete(Bytes.toBytes(row));
    return switch (random.nextInt(12)) {
      case 0 -> put(row, value, () -> conditional(row, value));
      case 1 -> put(row, value, always(() -> FutureUtils.get(async.put(put(row, value)))));
      case 2, 3 -> {
        // With a timestamp of the application's, which others may have, too.
        Put put = new Put(delete.getRow());
        put.addColumn(FAMILY, QUALIFIER, around, Bytes.toBytes(value));
        Map<String, Optional<String>> written = Map.of(row, Optional.of(value));
        yield run(written, Optional.of(around), always(() -> table.put(put)));
      }
      case 4 -> {
        // Together with its number, of which a Delete alone has none.
        delete.addFamily(FAMILY);
        InvocationRaisingIOE mutate =
            () -> table.mutateRow(RowMutations.of(List.of(delete, numbered(row))));
        yield run(Map.of(row, Optional.empty()), Optional.empty(), always(mutate));
      }
      case 5 -> {
        delete.addColumns(FAMILY, QUALIFIER, around);
        Map<String, Optional<String>> written = Map.of(row, Optional.empty());
        yield run(written, Optional.of(around), always(() -> table.delete(delete)));
      }
      default -> put(row, value, always(() -> table.put(put(row, value))));
    };
  }

  private boolean put(String row, String value, CallableRaisingIOE<Boolean> call) {
    return run(Map.of(row, Optional.of(value)), Optional.empty(), call);
  }

  private boolean putAll(List<String> rows) {
    Map<String, Optional<String>> values = new LinkedHashMap<>();
    List<Put> puts = new ArrayList<>();
    for (String row : rows) {
      String value = TortureWorkload.value(random);
      values.put(row, Optional.of(value));
      puts.add(put(row, value));
    }
    return run(values, Optional.empty(), always(() -> table.put(puts)));
  }

  private boolean conditional(String row, String value) throws IOException {
    byte[] expected = Bytes.toBytes(TortureWorkload.value(random));
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(Bytes.toBytes(row))
                .ifEquals(FAMILY, QUALIFIER, expected)
                .build(put(row, value)))
        .isSuccess();
  }

  private Put put(String row, String value) {
    return numbered(row).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value));
  }

  private Put numbered(String row) {
    long number = history.number();
    numbers.put(row, number);
    return new Put(Bytes.toBytes(row)).addColumn(NUMBERS, Bytes.toBytes(number), new byte[0]);
  }

  /**
   * Runs a call and enters what it wrote, by row, at the given timestamp or the one drawn, if any.
   *
   * @param values none of a delete
   * @param call returns whether something was written: a condition may not hold
   */
  private boolean run(
      Map<String, Optional<String>> values,
      Optional<Long> given,
      CallableRaisingIOE<Boolean> call) {
    values.keySet().forEach(client.clock()::take);
    long begun = System.nanoTime();
    long ended = Span.NEVER;
    boolean wrote = true;
    try {
      wrote = call.apply();
      ended = System.nanoTime();
    } catch (IOException | UncheckedIOException e) {
      // It may have been applied, or be applied later; the history says so.
    }
    if (wrote || ended - begun >= retryNanos) {
      // Of a condition asked twice, the first request may have been what made it false.
      Span span = new Span(begun, wrote ? ended : Span.NEVER);
      values.forEach((row, value) -> enter(row, value, given, span));
    }
    return ended != Span.NEVER;
  }

  private void enter(String row, Optional<String> value, Optional<Long> given, Span span) {
    if (given.isPresent()) {
      history.add(new Write(row, value, given.get(), span));
    } else {
      // A conditional write that concerns no index of the client's gets its timestamp from HBase.
      long drawn = client.clock().take(row).orElse(0L);
      history.add(numbers.get(row), new Write(row, value, drawn, span));
    }
  }
}
