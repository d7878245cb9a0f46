package io.deli.client.internal.write;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Clients that do what they are asked, and show a table that has certain rows.
 *
 * @param isReadable whether the user may read the table's only indexed column, and not just others
 */
record RecordedClients(
    List<Result> rows,
    List<Row> toIndexes,
    List<Row> toBase,
    boolean isReadable,
    long operationMillis)
    implements TableClients {
  RecordedClients(Result... rows) {
    this(List.of(rows), new ArrayList<>(), new ArrayList<>(), true, 0);
  }

  static RecordedClients unreadable() {
    return new RecordedClients(List.of(), new ArrayList<>(), new ArrayList<>(), false, 0);
  }

  static RecordedClients hasty(long operationMillis) {
    return new RecordedClients(
        List.of(), new ArrayList<>(), new ArrayList<>(), true, operationMillis);
  }

  private static TableClient recordedIn(List<Row> record) {
    return operations -> {
      record.addAll(operations);
      return CompletableFuture.completedFuture(
          Collections.nCopies(operations.size(), Result.EMPTY_RESULT).toArray());
    };
  }

  @Override
  public TableClient index(TableName table) {
    return recordedIn(toIndexes);
  }

  @Override
  public TableClient base(TableName table) {
    return recordedIn(toBase);
  }

  @Override
  public Optional<ColocatedWrites> colocated(TableName table) {
    return Optional.empty();
  }

  @Override
  public TableClient alone(TableName table) {
    return recordedIn(toBase);
  }

  @Override
  public TableClient plain(TableName table) {
    return recordedIn(toBase);
  }

  @Override
  public SharedRequests shared(TableName table) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CompletableFuture<Result>> get(TableName table, List<Get> gets) {
    return gets.stream()
        .map(
            get ->
                isReadable
                    ? CompletableFuture.completedFuture(Result.EMPTY_RESULT)
                    : CompletableFuture.<Result>failedFuture(
                        new AccessDeniedException("Insufficient permissions")))
        .toList();
  }

  /** Like HBase, hides the columns of a family that the user may not read. */
  @Override
  public CompletableFuture<List<Result>> scan(TableName table, Scan scan) {
    return CompletableFuture.completedFuture(isReadable ? rows : List.of());
  }

  @Override
  public long operationMillis(TableName table) {
    return operationMillis;
  }

  @Override
  public long ownOperationMillis(TableName table) {
    return 0;
  }
}
