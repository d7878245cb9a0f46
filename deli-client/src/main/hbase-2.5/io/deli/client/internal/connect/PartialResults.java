package io.deli.client.internal.connect;

import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;

/** Services of coprocessors that answer in parts, which HBase 2.5 knows nothing of. */
abstract class PartialResults implements AsyncTable<AdvancedScanResultConsumer> {
  /** The table that calls are passed on to. */
  final AsyncTable<AdvancedScanResultConsumer> table;

  PartialResults(AsyncTable<AdvancedScanResultConsumer> table) {
    this.table = table;
  }
}
