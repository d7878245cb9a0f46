package io.deli.fileindex.internal.hbase;

import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/** Sees the files that flushes and compactions of a store write. Must be thread-safe. */
public interface FileObserver {
  /** Returns the sink that takes the cells of a file in its writer's place. */
  CellSink observe(CellSink writer);

  /** Called before the writer is closed, to which blocks may be appended yet. */
  void finish(StoreFileWriter writer);
}
