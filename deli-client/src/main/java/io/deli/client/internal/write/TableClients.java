package io.deli.client.internal.write;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** The ways to all tables. A test that injects faults wraps them. */
public interface TableClients {
  /** To an index table. */
  TableClient index(TableName table);

  /** To a base table that has indexes. */
  TableClient base(TableName table);

  /** To a table without indexes: operations go as HBase's own client sends them. */
  TableClient plain(TableName table);

  /** Reads rows of a base table, in one request to each region server; each has its own answer. */
  List<CompletableFuture<Result>> get(TableName table, List<Get> gets);

  /** Reads what a scan finds, whole. */
  CompletableFuture<List<Result>> scan(TableName table, Scan scan);
}
