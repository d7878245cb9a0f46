package io.deli.client.internal.connect;

import com.google.protobuf.RpcChannel;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.ServiceCaller;

/**
 * Passes on calls of coprocessors' services that answer in parts.
 *
 * <p>Apart from the table's other methods, because HBase 2.5 lacks the type of the parameter, which
 * neither a compiler nor reflection gets around. A Java virtual machine does: what is compiled here
 * runs there, too.
 */
abstract class PartialResults<C extends ScanResultConsumerBase> implements AsyncTable<C> {
  /** The table that calls are passed on to. */
  final AsyncTable<C> table;

  PartialResults(AsyncTable<C> table) {
    this.table = table;
  }

  @Override
  public <S, R> CoprocessorServiceBuilder<S, R> coprocessorService(
      Function<RpcChannel, S> stubMaker,
      ServiceCaller<S, R> callable,
      PartialResultCoprocessorCallback<S, R> callback) {
    return table.coprocessorService(stubMaker, callable, callback);
  }
}
