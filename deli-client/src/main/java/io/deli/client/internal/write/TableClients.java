package io.deli.client.internal.write;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** Supplies the clients of all tables. Tests wrap it to inject faults. */
public interface TableClients {
  TableClient index(TableName table);

  TableClient base(TableName table);

  /** Returns one for a base table, too, that shares no request among callers. */
  TableClient alone(TableName table);

  /** Returns what writes rows of a base table together with their entries, if anything may. */
  Optional<ColocatedWrites> colocated(TableName table);

  /**
   * Returns a client that sends operations as HBase's own client does, for a table without indexes.
   */
  TableClient plain(TableName table);

  /** Returns what combines single writes of many blocking callers to such a table. */
  SharedRequests shared(TableName table);

  /** Reads rows of a base table, in one request to each region server; each has its own answer. */
  List<CompletableFuture<Result>> get(TableName table, List<Get> gets);

  /** Reads what a scan finds, whole. */
  CompletableFuture<List<Result>> scan(TableName table, Scan scan);

  /** Returns the time in milliseconds that an operation on a table has, or 0 if it has no end. */
  long operationMillis(TableName table);

  /**
   * Returns the time in milliseconds that an operation on a table has, if that is less than the
   * connection's own; else 0.
   */
  long ownOperationMillis(TableName table);
}
