package io.deli.lab.torture;

import io.deli.index.Column;
import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.Span;
import io.deli.lab.judge.Step;
import io.deli.lab.judge.Step.Scope;
import io.deli.lab.torture.ContendedRows.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * One thread that writes {@link ContendedRows}, and enters each call into the history with its
 * begin, its end and what it was told.
 *
 * @param retryNanos after which HBase's client sends a request again whose answer was lost; {@link
 *     Long#MAX_VALUE} if none is lost
 */
public record ContendedWriter(
    Table table, ContendedRows rows, CallLog log, Random random, long retryNanos) {
  private static final int VERSIONS = 3;
  private static final byte[] FAMILY = ContendedRows.A.family();
  private static final byte[] A = ContendedRows.A.qualifier();
  private static final Set<String> OF_A = Set.of(ContendedRows.A.toString());

  /** After so long HBase's client sends a request again whose answer was lost. */
  public static long retryNanos(Connection connection) {
    return TimeUnit.MILLISECONDS.toNanos(
        connection
            .getConfiguration()
            .getLong(HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE));
  }

  /** Makes one write, or reads and writes; returns whether all were acknowledged. */
  public boolean step() {
    Place place = rows.any(random);
    try {
      switch (place.kind()) {
        case ANYTHING -> anything(place);
        case SAME_VALUE -> put(place, Map.of(ContendedRows.A, ContendedRows.SAME));
        case OTHER_SIDE -> {
          String oneOrTwo = random.nextBoolean() ? "m1" : "m2";
          put(
              place,
              random.nextInt(4) == 0
                  ? Map.of(ContendedRows.A, oneOrTwo, ContendedRows.B, ContendedRows.SIDE)
                  : Map.of(ContendedRows.A, oneOrTwo));
        }
        case MOVING -> put(place, Map.of(ContendedRows.A, "m" + (2 + random.nextInt(7))));
        case VERSIONS -> versions(place);
      }
      return true;
    } catch (IOException | UncheckedIOException e) {
      rows.retire(place);
      return false;
    }
  }

  private void anything(Place place) throws IOException {
    String value = place.value(random);
    Delete delete = new Delete(place.key());
    switch (random.nextInt(15)) {
      case 0, 1, 2, 3 -> conditional(place, value);
      case 4, 5, 6 -> increment(place);
      case 7 -> append(place);
      case 8 -> delete(place, delete, Scope.ALL, Set.of(), "");
      case 9 -> delete(place, delete.addFamily(FAMILY), Scope.ALL, Set.of(), "");
      case 10 -> delete(place, delete.addColumns(FAMILY, A), Scope.ALL, OF_A, "");
      case 11 -> mutate(place, value);
      case 12 -> put(place, Map.of(ContendedRows.A, value, ContendedRows.B, place.side(random)));
      case 13 -> putTwice(place, List.of(value, place.value(random)));
      default -> put(place, Map.of(ContendedRows.A, value));
    }
  }

  private void put(Place place, Map<Column, String> values) throws IOException {
    Put put = put(place.row(), values);
    write(place, () -> table.put(put), written(values));
  }

  /** By one list, of whose order HBase promises nothing. */
  private void putTwice(Place place, List<String> valuesOfA) throws IOException {
    List<Put> puts = new ArrayList<>();
    List<RowOperation> writes = new ArrayList<>();
    for (String value : valuesOfA) {
      Map<Column, String> values = Map.of(ContendedRows.A, value);
      puts.add(put(place.row(), values));
      writes.add(operation(place, written(values)));
    }
    CallLog.Call entry = log.begin(writes);
    entry.run(
        times(retryNanos),
        () -> {
          table.put(puts);
          return puts;
        });
    Span span = entry.untilNow();
    entry.returned(
        writes.stream().flatMap(each -> told(each.during(span), retryNanos).stream()).toList());
  }

  static Put put(String row, Map<Column, String> values) {
    Put put = new Put(Bytes.toBytes(row));
    values.forEach((c, value) -> put.addColumn(c.family(), c.qualifier(), Bytes.toBytes(value)));
    return put;
  }

  static Step written(Map<Column, String> values) {
    Map<String, String> texts = new TreeMap<>();
    values.forEach((column, value) -> texts.put(column.toString(), value));
    return new Step.Write(texts);
  }

  private void delete(Place place, Delete delete, Scope scope, Set<String> columns, String mark)
      throws IOException {
    write(place, () -> table.delete(delete), new Step.Removal(scope, columns, mark));
  }

  /** Puts a value if the row still has what a Get has just seen. */
  private void conditional(Place place, String value) throws IOException {
    Optional<String> seen = ContendedReader.text(get(place, 1), ContendedRows.A);
    Map<Column, String> values = Map.of(ContendedRows.A, value);
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(place.key());
    CheckAndMutate call =
        seen.map(v -> builder.ifEquals(FAMILY, A, Bytes.toBytes(v)))
            .orElseGet(() -> builder.ifNotExists(FAMILY, A))
            .build(put(place.row(), values));
    RowOperation.Test test = new RowOperation.Test(ContendedRows.A.toString(), seen);
    call(
        operation(place, written(values)).provided(test, true),
        () -> table.checkAndMutate(call).isSuccess(),
        (operation, held) -> operation.provided(test, held));
  }

  private void increment(Place place) throws IOException {
    Column n = ContendedRows.N;
    Increment increment = new Increment(place.key()).addColumn(FAMILY, n.qualifier(), 1);
    compute(place, n, () -> table.increment(increment), new Step.Addition(n.toString(), 1));
  }

  private void append(Place place) throws IOException {
    Column s = ContendedRows.S;
    String text = Character.toString('a' + random.nextInt(26));
    Append append = new Append(place.key()).addColumn(FAMILY, s.qualifier(), Bytes.toBytes(text));
    compute(place, s, () -> table.append(append), new Step.Extension(s.toString(), text));
  }

  private void compute(Place place, Column column, CallableRaisingIOE<Result> call, Step step)
      throws IOException {
    call(
        operation(place, step),
        call,
        (operation, answer) ->
            answer == null || answer.isEmpty()
                ? operation
                : operation.telling(
                    Map.of(column.toString(), ContendedReader.text(answer, column))));
  }

  private void mutate(Place place, String value) throws IOException {
    Map<Column, String> values = Map.of(ContendedRows.A, value);
    Delete delete = new Delete(place.key()).addColumns(FAMILY, ContendedRows.B.qualifier());
    RowMutations both = RowMutations.of(List.of(put(place.row(), values), delete));
    write(
        place,
        () -> table.mutateRow(both),
        written(values),
        new Step.Removal(Scope.ALL, Set.of(ContendedRows.B.toString()), ""));
  }

  /** Puts what no other write puts, or deletes a version of it. */
  private void versions(Place place) throws IOException {
    Delete delete = new Delete(place.key());
    int choice = random.nextInt(10);
    if (choice < 6) {
      String mark = "#" + rows.number();
      String value = place.value(random) + mark;
      put(place, Map.of(ContendedRows.A, value, ContendedRows.B, place.side(random) + mark));
    } else if (choice == 6) {
      delete(place, delete, Scope.ALL, Set.of(), "");
    } else if (choice == 7) {
      delete(place, delete.addColumn(FAMILY, A), Scope.LATEST, OF_A, "");
    } else {
      List<Cell> seen = get(place, VERSIONS).getColumnCells(FAMILY, A);
      if (seen.isEmpty()) {
        return;
      }
      Cell cell = seen.get(random.nextInt(seen.size()));
      String value = Bytes.toString(CellUtil.cloneValue(cell));
      String mark = value.substring(value.indexOf('#') + 1);
      long timestamp = cell.getTimestamp();
      if (choice == 8) {
        delete(place, delete.addColumn(FAMILY, A, timestamp), Scope.MARKED, OF_A, mark);
      } else {
        delete(place, delete.addFamilyVersion(FAMILY, timestamp), Scope.MARKED, Set.of(), mark);
      }
    }
  }

  private Result get(Place place, int versions) throws IOException {
    return ContendedReader.get(table, place.row(), versions, log);
  }

  private static RowOperation operation(Place place, Step... steps) {
    return RowOperation.write(place.row(), Span.UNKNOWN, steps);
  }

  private void write(Place place, InvocationRaisingIOE action, Step... steps) throws IOException {
    CallableRaisingIOE<Boolean> call =
        () -> {
          action.apply();
          return true;
        };
    call(operation(place, steps), call, (operation, done) -> operation);
  }

  /**
   * @param telling puts what the client was told in the terms of the history
   */
  private <T> void call(
      RowOperation write,
      CallableRaisingIOE<T> call,
      BiFunction<RowOperation, T, RowOperation> telling)
      throws IOException {
    CallLog.Call entry = log.begin(List.of(write));
    T answer = entry.run(times(retryNanos), call);
    RowOperation told = telling.apply(write.during(entry.untilNow()), answer);
    entry.returned(told(told, retryNanos));
  }

  /** Returns what may have happened if the client was told that a write did. */
  static List<RowOperation> told(RowOperation write, long retryNanos) {
    Span span = write.span();
    return span.ended() - span.begun() >= retryNanos ? write.sentTwice() : List.of(write);
  }

  /**
   * The number of times that a failed write may take effect: the first of several requests may
   * have, too.
   */
  static int times(long retryNanos) {
    return retryNanos == Long.MAX_VALUE ? 1 : 2;
  }
}
