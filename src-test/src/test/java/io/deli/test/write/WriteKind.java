package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/** The kinds of writes that an application makes, and what they make of a row. */
enum WriteKind {
  PUT(1, 1, Attempt.NEW, Attempt.old(1)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      return attempt.one(() -> table.put(attempt.put(attempt.row(0))));
    }
  },

  PUT_WITH_TIMESTAMP(1, 1, Attempt.NEW, Attempt.old(1)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      Put put =
          new Put(Bytes.toBytes(attempt.row(0)))
              .addColumn(
                  FAMILY, QUALIFIER, attempt.timeOf(9), Bytes.toBytes(attempt.value(Attempt.NEW)));
      return attempt.one(() -> table.put(put));
    }
  },

  ASYNCHRONOUS_PUT(1, 1, Attempt.NEW, Attempt.old(1)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      return attempt.one(
          () ->
              FutureUtils.get(
                  attempt
                      .connection()
                      .getAsyncTable(table.getName())
                      .put(attempt.put(attempt.row(0)))));
    }
  },

  PUT_LIST(4, 1, Attempt.NEW, Attempt.old(1)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      try {
        table.put(attempt.rows().stream().map(attempt::put).toList());
        return Set.copyOf(attempt.rows());
      } catch (RetriesExhaustedWithDetailsException e) {
        return without(attempt, e);
      }
    }
  },

  /** Puts to some rows, deletes of others. */
  BATCH(4, 1, Attempt.NEW, Attempt.old(1)) {
    @Override
    List<String> after(int row) {
      return isPut(row) ? super.after(row) : List.of();
    }

    private static boolean isPut(int row) {
      return row < 2;
    }

    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      List<Row> batch = new ArrayList<>();
      for (int i = 0; i < rows(); i++) {
        String row = attempt.row(i);
        batch.add(isPut(i) ? attempt.put(row) : new Delete(Bytes.toBytes(row)));
      }
      Object[] results = new Object[batch.size()];
      try {
        table.batch(batch, results);
      } catch (RetriesExhaustedWithDetailsException e) {
        // The results say which.
        assertThat(results).hasAtLeastOneElementOfType(Throwable.class);
      }
      Set<String> acknowledged = new HashSet<>();
      for (int i = 0; i < rows(); i++) {
        if (!(results[i] instanceof Throwable)) {
          acknowledged.add(attempt.row(i));
        }
      }
      return acknowledged;
    }
  },

  BUFFERED_MUTATOR(4, 1, Attempt.NEW, Attempt.old(1)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      Set<String> acknowledged = new HashSet<>(attempt.rows());
      BufferedMutatorParams params =
          new BufferedMutatorParams(table.getName())
              .listener((failure, mutator) -> acknowledged.retainAll(without(attempt, failure)));
      try (BufferedMutator mutator = attempt.connection().getBufferedMutator(params)) {
        mutator.mutate(attempt.rows().stream().map(attempt::put).toList());
      }
      return acknowledged;
    }
  },

  DELETE_OF_ROW(1, 1) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      return attempt.one(() -> table.delete(attempt.delete()));
    }
  },

  DELETE_OF_COLUMN_UP_TO(1, 2, Attempt.old(2)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      Delete delete = attempt.delete().addColumns(FAMILY, QUALIFIER, attempt.timeOf(1));
      return attempt.one(() -> table.delete(delete));
    }
  },

  /** Which makes an older version current whose entry is gone. */
  DELETE_OF_EXACT_VERSION(1, 3, Attempt.old(2), Attempt.old(1)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      Delete delete = attempt.delete().addColumn(FAMILY, QUALIFIER, attempt.timeOf(3));
      return attempt.one(() -> table.delete(delete));
    }
  },

  ROW_MUTATIONS(1, 1, Attempt.NEW) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      byte[] row = Bytes.toBytes(attempt.row(0));
      return attempt.one(
          () ->
              table.mutateRow(
                  RowMutations.of(
                      List.of(
                          new Delete(row).addColumns(FAMILY, QUALIFIER, attempt.timeOf(1)),
                          attempt.put(attempt.row(0))))));
    }
  },

  CHECK_AND_PUT(1, 1, Attempt.NEW, Attempt.old(1)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      // Of a repeated one HBase itself says that the condition was false.
      boolean[] success = new boolean[1];
      Set<String> answered =
          attempt.one(() -> success[0] = putIfEquals(attempt, table, Attempt.old(1)));
      return success[0] ? answered : Set.of();
    }
  },

  /** Whose success is to change nothing. */
  CHECK_THAT_FAILS(1, 1, Attempt.old(1)) {
    @Override
    Set<String> write(Attempt attempt, DeliTable table) throws Exception {
      return attempt.one(
          () -> assertThat(putIfEquals(attempt, table, "another")).as("condition").isFalse());
    }
  };

  private final int rows;
  private final int old;

  @SuppressWarnings("ImmutableEnumChecker") // it is
  private final List<String> after;

  /**
   * @param rows that it writes
   * @param old versions that each has before
   * @param after names of values that each row shows afterwards, newest first
   */
  WriteKind(int rows, int old, String... after) {
    this.rows = rows;
    this.old = old;
    this.after = List.of(after);
  }

  int rows() {
    return rows;
  }

  int old() {
    return old;
  }

  /** Names of the values that a row shows before, newest first. */
  List<String> before() {
    return IntStream.range(0, Math.min(old, FaultTableTest.VERSIONS))
        .mapToObj(newer -> Attempt.old(old - newer))
        .toList();
  }

  List<String> after(int row) {
    return after;
  }

  /** Makes the write; returns the rows of which it was told a success. */
  abstract Set<String> write(Attempt attempt, DeliTable table) throws Exception;

  private static boolean putIfEquals(Attempt attempt, DeliTable table, String expected)
      throws Exception {
    String row = attempt.row(0);
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(Bytes.toBytes(row))
                .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes(attempt.value(expected)))
                .build(attempt.put(row)))
        .isSuccess();
  }

  private static Set<String> without(
      Attempt attempt, RetriesExhaustedWithDetailsException failure) {
    Set<String> rows = new HashSet<>(attempt.rows());
    for (int i = 0; i < failure.getNumExceptions(); i++) {
      rows.remove(Bytes.toString(failure.getRow(i).getRow()));
    }
    return rows;
  }
}
