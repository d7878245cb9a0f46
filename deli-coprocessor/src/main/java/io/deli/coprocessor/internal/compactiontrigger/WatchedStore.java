package io.deli.coprocessor.internal.compactiontrigger;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/** A store with indexes that is compacted when it has much garbage. */
public record WatchedStore(HStore store, FamilyIndexes indexes, TriggerSettings settings) {

  /** A name that no other store of the server has. */
  static String name(Store store) {
    return store.getRegionInfo().getEncodedName() + "/" + store.getColumnFamilyName();
  }

  String name() {
    return name(store);
  }

  List<HStoreFile> files() {
    return files(store);
  }

  private static List<HStoreFile> files(HStore store) {
    return List.copyOf(store.getStorefiles());
  }

  /** The time at which the oldest cells of a store were compacted with all others; 0 if never. */
  public static long compactedWhole(HStore store) throws IOException {
    long time = 0;
    for (HStoreFile file : files(store)) {
      // Files to be loaded are written as if a compaction had made them.
      if (file.isMajorCompactionResult() && !file.isBulkLoadResult()) {
        time = Math.max(time, reader(file).getHFileReader().getFileContext().getFileCreateTime());
      }
    }
    return time;
  }

  static long cells(Collection<HStoreFile> files) throws IOException {
    long cells = 0;
    for (HStoreFile file : files) {
      cells += reader(file).getEntries();
    }
    return cells;
  }

  static StoreFileReader reader(HStoreFile file) throws IOException {
    StoreFileReader reader = file.getReader();
    if (reader == null) {
      throw new IOException(file.getPath() + " was closed meanwhile");
    }
    return reader;
  }
}
