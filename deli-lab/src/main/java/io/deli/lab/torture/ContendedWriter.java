package io.deli.lab.torture;

import io.deli.index.Column;
import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.Span;
import io.deli.lab.judge.Step;
import io.deli.lab.judge.Step.Scope;
import io.deli.lab.torture.ContendedRows.Place;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One thread that writes {@link ContendedRows}, and enters each call into the history with its
 * begin, its end and what it was told.
 */
public final class ContendedWriter {
  private static final int VERSIONS = 3;

  private final Table table;
  private final ContendedRows rows;
  private final CallLog log;
  private final Random random;
  private final long retryNanos;

  /**
   * @param retryNanos after which HBase's client sends a request again whose answer was lost;
   *     {@link Long#MAX_VALUE} if none is lost
   */
  public ContendedWriter(
      Table table, ContendedRows rows, CallLog log, Random random, long retryNanos) {
    this.table = table;
    this.rows = rows;
    this.log = log;
    this.random = random;
    this.retryNanos = retryNanos;
  }

  @FunctionalInterface
  private interface Call<T> {
    T run() throws IOException;
  }

  /** Puts what a client was told in the terms of the history. */
  @FunctionalInterface
  private interface Telling<T> {
    RowOperation told(RowOperation operation, T answer);
  }

  /** Makes one write, or reads and writes; returns whether all were acknowledged. */
  public boolean step() {
    Place place = rows.any(random);
    try {
      switch (place.kind()) {
        case ANYTHING -> anything(place);
        case SAME_VALUE -> put(place, Map.of(ContendedRows.A, ContendedRows.SAME));
        case OTHER_SIDE ->
            put(
                place,
                random.nextInt(4) == 0
                    ? Map.of(ContendedRows.A, oneOrTwo(), ContendedRows.B, ContendedRows.SIDE)
                    : Map.of(ContendedRows.A, oneOrTwo()));
        case MOVING -> put(place, Map.of(ContendedRows.A, "m" + (2 + random.nextInt(7))));
        default -> versions(place);
      }
      return true;
    } catch (IOException | RuntimeException e) {
      rows.retire(place);
      return false;
    }
  }

  private String oneOrTwo() {
    return random.nextBoolean() ? "m1" : "m2";
  }

  private void anything(Place place) throws IOException {
    String value = place.value(random);
    switch (random.nextInt(14)) {
      case 0, 1, 2, 3 -> conditional(place, value);
      case 4, 5, 6 -> increment(place);
      case 7 -> append(place);
      case 8 -> delete(place, new Delete(Bytes.toBytes(place.row())), Scope.ALL, "");
      case 9 ->
          delete(
              place,
              new Delete(Bytes.toBytes(place.row())).addFamily(ContendedRows.A.family()),
              Scope.ALL,
              "");
      case 10 ->
          delete(
              place,
              new Delete(Bytes.toBytes(place.row()))
                  .addColumns(ContendedRows.A.family(), ContendedRows.A.qualifier()),
              Scope.ALL,
              "",
              ContendedRows.A);
      case 11 -> mutate(place, value);
      case 12 -> put(place, Map.of(ContendedRows.A, value, ContendedRows.B, place.side(random)));
      default -> put(place, Map.of(ContendedRows.A, value));
    }
  }

  private void put(Place place, Map<Column, String> values) throws IOException {
    Put put = put(place.row(), values);
    Step written = written(values);
    call(
        place,
        () -> {
          table.put(put);
          return put;
        },
        (operation, answer) -> operation,
        written);
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

  private void delete(Place place, Delete delete, Scope scope, String mark, Column... columns)
      throws IOException {
    Set<String> names = new java.util.TreeSet<>();
    for (Column column : columns) {
      names.add(column.toString());
    }
    call(
        place,
        () -> {
          table.delete(delete);
          return delete;
        },
        (operation, answer) -> operation,
        new Step.Removal(scope, names, mark));
  }

  /** Puts a value if the row still has what a Get has just seen. */
  private void conditional(Place place, String value) throws IOException {
    Optional<String> seen =
        Optional.ofNullable(get(place, 1).getValue(family(), ContendedRows.A.qualifier()))
            .map(Bytes::toString);
    Map<Column, String> values = Map.of(ContendedRows.A, value);
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(Bytes.toBytes(place.row()));
    byte[] qualifier = ContendedRows.A.qualifier();
    CheckAndMutate call =
        seen.map(v -> builder.ifEquals(family(), qualifier, Bytes.toBytes(v)))
            .orElseGet(() -> builder.ifNotExists(family(), qualifier))
            .build(put(place.row(), values));
    RowOperation.Test test = new RowOperation.Test(ContendedRows.A.toString(), seen);
    call(
        place,
        () -> table.checkAndMutate(call).isSuccess(),
        (operation, held) -> operation.provided(test, held == null || held),
        written(values));
  }

  private static byte[] family() {
    return ContendedRows.A.family();
  }

  private void increment(Place place) throws IOException {
    Increment increment =
        new Increment(Bytes.toBytes(place.row()))
            .addColumn(family(), ContendedRows.N.qualifier(), 1);
    call(
        place,
        () -> table.increment(increment),
        (operation, answer) -> telling(operation, answer, ContendedRows.N),
        new Step.Addition(ContendedRows.N.toString(), 1));
  }

  private void append(Place place) throws IOException {
    String text = Character.toString('a' + random.nextInt(26));
    Append append =
        new Append(Bytes.toBytes(place.row()))
            .addColumn(family(), ContendedRows.S.qualifier(), Bytes.toBytes(text));
    call(
        place,
        () -> table.append(append),
        (operation, answer) -> telling(operation, answer, ContendedRows.S),
        new Step.Extension(ContendedRows.S.toString(), text));
  }

  private static RowOperation telling(RowOperation operation, Result answer, Column column) {
    return answer == null || answer.isEmpty()
        ? operation
        : operation.telling(Map.of(column.toString(), ContendedReader.text(answer, column)));
  }

  private void mutate(Place place, String value) throws IOException {
    Map<Column, String> values = Map.of(ContendedRows.A, value);
    RowMutations mutations =
        RowMutations.of(
            List.of(
                put(place.row(), values),
                new Delete(Bytes.toBytes(place.row()))
                    .addColumns(family(), ContendedRows.B.qualifier())));
    call(
        place,
        () -> table.mutateRow(mutations),
        (operation, answer) -> operation,
        written(values),
        new Step.Removal(Scope.ALL, Set.of(ContendedRows.B.toString()), ""));
  }

  /** Puts what no other write puts, or deletes a version of it. */
  private void versions(Place place) throws IOException {
    byte[] row = Bytes.toBytes(place.row());
    int choice = random.nextInt(10);
    if (choice < 6) {
      String mark = "#" + rows.number();
      put(
          place,
          Map.of(
              ContendedRows.A,
              place.value(random) + mark,
              ContendedRows.B,
              place.side(random) + mark));
    } else if (choice == 6) {
      delete(place, new Delete(row), Scope.ALL, "");
    } else if (choice == 7) {
      Delete latest = new Delete(row).addColumn(family(), ContendedRows.A.qualifier());
      delete(place, latest, Scope.LATEST, "", ContendedRows.A);
    } else {
      List<Cell> seen = get(place, VERSIONS).getColumnCells(family(), ContendedRows.A.qualifier());
      if (seen.isEmpty()) {
        return;
      }
      Cell cell = seen.get(random.nextInt(seen.size()));
      String value = Bytes.toString(CellUtil.cloneValue(cell));
      String mark = value.substring(value.indexOf('#') + 1);
      long timestamp = cell.getTimestamp();
      if (choice == 8) {
        Delete one = new Delete(row).addColumn(family(), ContendedRows.A.qualifier(), timestamp);
        delete(place, one, Scope.MARKED, mark, ContendedRows.A);
      } else {
        Delete one = new Delete(row).addFamilyVersion(family(), timestamp);
        delete(place, one, Scope.MARKED, mark);
      }
    }
  }

  private Result get(Place place, int versions) throws IOException {
    return ContendedReader.get(table, place.row(), versions, log);
  }

  private <T> void call(Place place, Call<T> call, Telling<T> telling, Step... steps)
      throws IOException {
    RowOperation write = telling.told(RowOperation.write(place.row(), Span.UNKNOWN, steps), null);
    CallLog.Call entry = log.begin(List.of(write));
    T answer;
    try {
      answer = call.run();
    } catch (IOException | RuntimeException e) {
      entry.failed(times(retryNanos), e);
      throw e;
    }
    Span span = entry.untilNow();
    RowOperation told = telling.told(write.during(span), answer);
    entry.returned(mayBeSentTwice(span, retryNanos) ? told.sentTwice() : List.of(told));
  }

  static boolean mayBeSentTwice(Span span, long retryNanos) {
    return span.ended() - span.begun() >= retryNanos;
  }

  /**
   * The number of times that a failed write may take effect: the first of several requests may
   * have, too.
   */
  static int times(long retryNanos) {
    return retryNanos == Long.MAX_VALUE ? 1 : 2;
  }
}
