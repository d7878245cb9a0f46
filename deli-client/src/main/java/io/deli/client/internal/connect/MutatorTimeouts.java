package io.deli.client.internal.connect;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;

/** Time-outs of a buffered mutator in milliseconds; negative for the connection's own. */
record MutatorTimeouts(int rpcMillis, int operationMillis) {
  static MutatorTimeouts of(BufferedMutatorParams params) {
    return new MutatorTimeouts(params.getRpcTimeout(), params.getOperationTimeout());
  }

  /** Makes these settings on a table. */
  void applyTo(AsyncTableBuilder<?> table) {
    if (rpcMillis >= 0) {
      table.setRpcTimeout(rpcMillis, TimeUnit.MILLISECONDS);
      table.setWriteRpcTimeout(rpcMillis, TimeUnit.MILLISECONDS);
    }
    if (operationMillis >= 0) {
      table.setOperationTimeout(operationMillis, TimeUnit.MILLISECONDS);
    }
  }
}
