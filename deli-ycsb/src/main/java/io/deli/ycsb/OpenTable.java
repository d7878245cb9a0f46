package io.deli.ycsb;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
import site.ycsb.Status;

/** A table as one binding has it open, and Puts that wait until their batch is full. */
record OpenTable(Table table, Optional<BufferedMutator> buffer, int batch, List<Put> waiting)
    implements Closeable {
  static OpenTable of(Connection connection, TableName name, OptionalLong bufferSize, int batch)
      throws IOException {
    Optional<BufferedMutator> buffer = Optional.empty();
    if (bufferSize.isPresent()) {
      buffer =
          Optional.of(
              connection.getBufferedMutator(
                  new BufferedMutatorParams(name).writeBufferSize(bufferSize.getAsLong())));
    }
    return new OpenTable(connection.getTable(name), buffer, batch, new ArrayList<>());
  }

  /** Writes, or has wait what fills no batch or buffer yet; a Delete waits for no Put. */
  Status write(Mutation mutation) throws IOException {
    if (buffer.isPresent()) {
      buffer.get().mutate(mutation);
      return Status.BATCHED_OK;
    }
    if (mutation instanceof Put put && batch > 1) {
      waiting.add(put);
      if (waiting.size() < batch) {
        return Status.BATCHED_OK;
      }
      send();
    } else if (mutation instanceof Put put) {
      table.put(put);
    } else {
      // Its key may be one of theirs.
      send();
      table.delete((Delete) mutation);
    }
    return Status.OK;
  }

  private void send() throws IOException {
    if (waiting.isEmpty()) {
      return;
    }
    List<Put> puts = List.copyOf(waiting);
    waiting.clear();
    table.put(puts);
  }

  @Override
  public void close() throws IOException {
    try {
      send();
      if (buffer.isPresent()) {
        buffer.get().close();
      }
    } finally {
      table.close();
    }
  }
}
