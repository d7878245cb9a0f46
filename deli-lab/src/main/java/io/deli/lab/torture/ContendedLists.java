package io.deli.lab.torture;

import io.deli.client.DeliConnection;
import io.deli.index.Column;
import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.Span;
import io.deli.lab.judge.Step;
import io.deli.lab.torture.ContendedRows.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;

/**
 * One thread that writes and reads {@link ContendedRows} that are not hot by lists, each of many
 * rows, and enters into the history what it was told of each row.
 */
public record ContendedLists(
    DeliConnection connection,
    Table table,
    ContendedRows rows,
    CallLog log,
    Random random,
    long retryNanos) {
  private static final int LEAST = 40;
  private static final int MOST = 120;

  /** Makes one call; returns whether all of it was acknowledged. */
  public boolean step() throws InterruptedException {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> gets();
      case 3 -> batch();
      case 4 -> puts(this::mutate);
      default -> puts(table::put);
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
      List<String> names = places().stream().map(Place::row).toList();
      List<Get> gets = new ArrayList<>();
      for (String name : names) {
        gets.add(ContendedReader.get(name, 1));
      }
      Result[] results = table.get(gets);
      Span span = entry.untilNow();
      List<RowOperation> told = new ArrayList<>();
      for (int i = 0; i < results.length; i++) {
        told.add(RowOperation.get(names.get(i), span, ContendedReader.seen(results[i])));
      }
      entry.returned(told);
      return true;
    } catch (IOException | UncheckedIOException e) {
      entry.failed(1, e);
      return false;
    }
  }

  /** A write to a row, of a list in which each row is once. */
  private record Write(Place place, Mutation mutation, RowOperation operation) {
    private Write(Place place, Mutation mutation, Step step) {
      this(place, mutation, RowOperation.write(place.row(), Span.UNKNOWN, step));
    }
  }

  private Write put(Place place) {
    Map<Column, String> values =
        random.nextInt(3) == 0
            ? Map.of(ContendedRows.A, place.value(random), ContendedRows.B, place.side(random))
            : Map.of(ContendedRows.A, place.value(random));
    return new Write(
        place, ContendedWriter.put(place.row(), values), ContendedWriter.written(values));
  }

  private CallLog.Call begin(List<Write> writes) {
    return log.begin(writes.stream().map(Write::operation).toList());
  }

  private List<RowOperation> told(RowOperation write, Span span) {
    return ContendedWriter.told(write.during(span), retryNanos);
  }

  private void mutate(List<Put> puts) throws IOException {
    try (BufferedMutator mutator = connection.getBufferedMutator(table.getName())) {
      mutator.mutate(puts);
      mutator.flush();
    }
  }

  /** By a call that fails as a whole: which of its writes were acknowledged is not asked. */
  private boolean puts(ConsumerRaisingIOE<List<Put>> call) {
    List<Write> writes = places().stream().map(this::put).toList();
    CallLog.Call entry = begin(writes);
    try {
      call.accept(new ArrayList<>(writes.stream().map(each -> (Put) each.mutation()).toList()));
      Span span = entry.untilNow();
      entry.returned(
          writes.stream().flatMap(each -> told(each.operation(), span).stream()).toList());
      return true;
    } catch (IOException | UncheckedIOException e) {
      entry.failed(ContendedWriter.times(retryNanos), e);
      writes.forEach(each -> rows.retire(each.place()));
      return false;
    }
  }

  private Write putOrDelete(Place place) {
    return random.nextInt(8) > 0
        ? put(place)
        : new Write(place, new Delete(place.key()), new Step.Removal(Step.Scope.ALL, Set.of(), ""));
  }

  /** Puts and Deletes, of each of which the client is told by itself. */
  private boolean batch() throws InterruptedException {
    List<Write> writes = places().stream().map(this::putOrDelete).toList();
    CallLog.Call entry = begin(writes);
    Object[] results = new Object[writes.size()];
    boolean all = true;
    try {
      table.batch(writes.stream().map(Write::mutation).toList(), results);
    } catch (IOException | UncheckedIOException e) {
      // The results tell of which.
      all = false;
    }
    Span span = entry.untilNow();
    List<RowOperation> told = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      RowOperation operation = writes.get(i).operation();
      if (results[i] instanceof Result) {
        told.addAll(told(operation, span));
      } else {
        rows.retire(writes.get(i).place());
        told.addAll(
            Collections.nCopies(
                ContendedWriter.times(retryNanos), operation.failedSince(span.begun())));
      }
    }
    entry.returned(told);
    return all;
  }
}
