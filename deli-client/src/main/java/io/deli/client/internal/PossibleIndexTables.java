package io.deli.client.internal;

import io.deli.entry.EntryCodec;
import io.deli.index.IndexTableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Finds tables that may hold an index, by their names, for users who cannot read definitions. Every
 * user may read {@code hbase:meta}, and a region server answers for it, not the master.
 */
public record PossibleIndexTables(Function<TableName, AsyncTable<?>> tables) {
  private static final byte[] ANY_ROW = {0};

  /** Whether there is a table that has the name of one, whatever this user may see of it. */
  public static boolean isAnyNamed(Connection connection, TableName base) throws IOException {
    try (Table catalog = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner rows = catalog.getScanner(states(base))) {
      return !named(base, rows).isEmpty();
    }
  }

  /** The tables whose names go on behind that of the base table. */
  private static Scan states(TableName base) {
    byte[] prefix = Bytes.toBytes(base.getNameAsString() + ".");
    return new Scan().addFamily(HConstants.TABLE_FAMILY).setStartStopRowForPrefixScan(prefix);
  }

  /**
   * A table that may hold an index of the base table, in whatever state; empty if there is none.
   * What has the name of one, but is seen to be none, does not count; what this user may not look
   * into does.
   */
  CompletableFuture<Optional<TableName>> find(TableName base) {
    return tables
        .apply(TableName.META_TABLE_NAME)
        .scanAll(states(base))
        .thenCompose(rows -> firstOf(named(base, rows)));
  }

  private static List<TableName> named(TableName base, Iterable<Result> rows) {
    List<TableName> named = new ArrayList<>();
    for (Result row : rows) {
      TableName table = TableName.valueOf(row.getRow());
      if (IndexTableName.readings(table).stream().anyMatch(name -> name.base().equals(base))) {
        named.add(table);
      }
    }
    return named;
  }

  private CompletableFuture<Optional<TableName>> firstOf(List<TableName> named) {
    if (named.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return mayHoldEntries(named.get(0))
        .thenCompose(
            may ->
                may
                    ? CompletableFuture.completedFuture(Optional.of(named.get(0)))
                    : firstOf(named.subList(1, named.size())));
  }

  private CompletableFuture<Boolean> mayHoldEntries(TableName table) {
    return tables
        .apply(table)
        .exists(new Get(ANY_ROW).addFamily(EntryCodec.family()))
        .handle(
            (exists, error) ->
                error == null || !(Futures.unwrap(error) instanceof NoSuchColumnFamilyException));
  }
}
