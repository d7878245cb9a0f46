package io.deli.client.internal.read;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** Executes the reads of a query. Thread-safe; never blocks. */
interface TableReader {
  /** Reads the rows of a scan. */
  default CompletableFuture<List<Result>> scanAll(TableName table, Scan scan) {
    ScanCollector all = ScanCollector.all();
    scan(table, scan, all);
    return all.results();
  }

  /**
   * Reads the rows of a scan that goes forwards, by one request to each region server where that is
   * to be had.
   */
  default CompletableFuture<List<Result>> scanServers(TableName table, Scan scan) {
    return scanAll(table, scan);
  }

  void scan(TableName table, Scan scan, ScanCollector collector);

  /** Reads rows in the order of the Gets, by one request per region server. */
  CompletableFuture<List<Result>> get(TableName table, List<Get> gets);
}
