package io.deli.lab.torture;

import io.deli.client.DeliConnection;
import io.deli.index.Column;
import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.Span;
import io.deli.lab.judge.Step;
import io.deli.lab.torture.ContendedRows.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One thread that writes and reads {@link ContendedRows} that are not hot by lists, each of many
 * rows, and enters into the history what it was told of each row.
 */
public final class ContendedLists {
  private static final int LEAST = 40;
  private static final int MOST = 120;

  private final DeliConnection connection;
  private final Table table;
  private final ContendedRows rows;
  private final CallLog log;
  private final Random random;
  private final long retryNanos;

  public ContendedLists(
      DeliConnection connection,
      TableName table,
      ContendedRows rows,
      CallLog log,
      Random random,
      long retryNanos)
      throws IOException {
    this.connection = connection;
    this.table = connection.getTable(table);
    this.rows = rows;
    this.log = log;
    this.random = random;
    this.retryNanos = retryNanos;
  }

  /** Makes one call; returns whether all of it was acknowledged. */
  public boolean step() throws InterruptedException {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> gets();
      case 3 -> batch();
      case 4 -> mutator();
      default -> puts();
    };
  }

  private Collection<Place> places() {
    Map<Integer, Place> places = new LinkedHashMap<>();
    int count = LEAST + random.nextInt(MOST - LEAST + 1);
    for (int i = 0; i < count; i++) {
      Place place = rows.anyWide(random);
      if (place.kind() == ContendedRows.Kind.ANYTHING) {
        places.put(place.index(), place);
      }
    }
    return places.values();
  }

  private boolean gets() {
    CallLog.Call entry = log.begin(List.of());
    try {
      List<String> names = new ArrayList<>();
      List<Get> gets = new ArrayList<>();
      for (Place place : places()) {
        names.add(place.row());
        gets.add(ContendedReader.get(place.row(), 1));
      }
      Result[] results = table.get(gets);
      Span span = entry.untilNow();
      List<RowOperation> told = new ArrayList<>();
      for (int i = 0; i < results.length; i++) {
        told.add(RowOperation.get(names.get(i), span, ContendedReader.seen(results[i])));
      }
      entry.returned(told);
      return true;
    } catch (IOException | RuntimeException e) {
      entry.failed(1, e);
      return false;
    }
  }

  /** A list of writes, each to a row of its own. */
  private record Writes(List<Place> places, List<Row> mutations, List<RowOperation> operations) {
    private Writes() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    private void add(Place place, Row mutation, Step step) {
      places.add(place);
      mutations.add(mutation);
      operations.add(RowOperation.write(place.row(), Span.UNKNOWN, step));
    }

    private List<Put> puts() {
      return mutations.stream().map(Put.class::cast).toList();
    }
  }

  private Writes ofPuts() {
    Writes writes = new Writes();
    places().forEach(place -> addPut(writes, place));
    return writes;
  }

  private void addPut(Writes writes, Place place) {
    Map<Column, String> values =
        random.nextInt(3) == 0
            ? Map.of(ContendedRows.A, place.value(random), ContendedRows.B, place.side(random))
            : Map.of(ContendedRows.A, place.value(random));
    writes.add(place, ContendedWriter.put(place.row(), values), ContendedWriter.written(values));
  }

  private boolean puts() {
    Writes writes = ofPuts();
    return whole(writes, () -> table.put(writes.puts()));
  }

  private boolean mutator() {
    Writes writes = ofPuts();
    return whole(
        writes,
        () -> {
          try (BufferedMutator mutator = connection.getBufferedMutator(table.getName())) {
            mutator.mutate(writes.puts());
            mutator.flush();
          }
        });
  }

  private interface Call {
    void run() throws IOException;
  }

  /** Of a call that fails as a whole: which of its writes were acknowledged is not asked. */
  private boolean whole(Writes writes, Call call) {
    CallLog.Call entry = log.begin(writes.operations());
    try {
      call.run();
      entry.returned(told(writes.operations(), entry.untilNow()));
      return true;
    } catch (IOException | RuntimeException e) {
      entry.failed(ContendedWriter.times(retryNanos), e);
      writes.places().forEach(rows::retire);
      return false;
    }
  }

  private List<RowOperation> told(List<RowOperation> operations, Span span) {
    boolean twice = ContendedWriter.mayBeSentTwice(span, retryNanos);
    List<RowOperation> told = new ArrayList<>();
    for (RowOperation each : operations) {
      RowOperation done = each.during(span);
      told.addAll(twice ? done.sentTwice() : List.of(done));
    }
    return told;
  }

  /** Puts and Deletes, of each of which the client is told by itself. */
  private boolean batch() throws InterruptedException {
    Writes writes = new Writes();
    for (Place place : places()) {
      if (random.nextInt(8) == 0) {
        Step step = new Step.Removal(Step.Scope.ALL, Set.of(), "");
        writes.add(place, new Delete(Bytes.toBytes(place.row())), step);
      } else {
        addPut(writes, place);
      }
    }
    CallLog.Call entry = log.begin(writes.operations());
    Object[] results = new Object[writes.mutations().size()];
    boolean all = true;
    try {
      table.batch(writes.mutations(), results);
    } catch (IOException | RuntimeException e) {
      // The results tell of which.
      all = false;
    }
    Span span = entry.untilNow();
    List<RowOperation> told = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      RowOperation operation = writes.operations().get(i);
      if (results[i] instanceof Result) {
        told.addAll(told(List.of(operation), span));
      } else {
        rows.retire(writes.places().get(i));
        for (int time = 0; time < ContendedWriter.times(retryNanos); time++) {
          told.add(operation.failedSince(span.begun()));
        }
      }
    }
    entry.returned(told);
    return all;
  }
}
