package io.deli.client.internal.connect;

import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;

/** Services of coprocessors that answer in parts, which HBase 2.5 knows nothing of. */
abstract class PartialResults<C extends ScanResultConsumerBase> implements AsyncTable<C> {
  /** The table that calls are passed on to. */
  final AsyncTable<C> table;

  PartialResults(AsyncTable<C> table) {
    this.table = table;
  }
}
