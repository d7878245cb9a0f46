package io.deli.ycsb;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** A table as one binding has it open. */
record OpenTable(Table table, Optional<BufferedMutator> buffer) implements Closeable {
  static OpenTable of(Connection connection, TableName name, OptionalLong bufferSize)
      throws IOException {
    if (bufferSize.isEmpty()) {
      return new OpenTable(connection.getTable(name), Optional.empty());
    }
    BufferedMutatorParams params =
        new BufferedMutatorParams(name).writeBufferSize(bufferSize.getAsLong());
    return new OpenTable(
        connection.getTable(name), Optional.of(connection.getBufferedMutator(params)));
  }

  void write(Mutation mutation) throws IOException {
    if (buffer.isPresent()) {
      buffer.get().mutate(mutation);
    } else if (mutation instanceof Put put) {
      table.put(put);
    } else {
      table.delete((Delete) mutation);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (buffer.isPresent()) {
        buffer.get().close();
      }
    } finally {
      table.close();
    }
  }
}
