package io.deli.test.gc;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.hadoop.hbase.regionserver.CompactingMemStore;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;

/** Compaction of what a region holds in memory; HBase has no public way to ask for it. */
final class InMemory {
  private InMemory() {}

  /** Compacts now, in this thread; does nothing to a family without in-memory compaction. */
  static void compact(HRegion region) throws ReflectiveOperationException {
    for (HStore store : region.getStores()) {
      Field field = HStore.class.getDeclaredField("memstore");
      field.setAccessible(true);
      if (field.get(store) instanceof CompactingMemStore memory) {
        Method flush = CompactingMemStore.class.getDeclaredMethod("flushInMemory");
        flush.setAccessible(true);
        flush.invoke(memory);
      }
    }
  }
}
