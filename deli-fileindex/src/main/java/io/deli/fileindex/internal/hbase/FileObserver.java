package io.deli.fileindex.internal.hbase;

import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/** Sees the files that flushes and compactions of a store write. Must be thread-safe. */
public interface FileObserver {
  /** Where to write the cells of a file instead of to its writer. */
  CellSink observe(CellSink writer);

  /** Called before the writer is closed, to which blocks may be appended yet. */
  void finish(StoreFileWriter writer);
}
