package io.deli.lab.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;

/** One way to write and to look up; a session belongs to one thread. */
interface Arm {
  String name();

  Session open() throws IOException;

  /** What one thread does. */
  interface Session extends Closeable {
    /** Writes one put by {@code Table.put(Put)}, several by {@code Table.put(List)}. */
    void write(List<Put> puts) throws IOException;

    /** How many rows have the value now. */
    int lookup(byte[] value) throws IOException;

    @Override
    void close() throws IOException;
  }
}
