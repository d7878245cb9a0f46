package io.deli.fileindex.internal.hbase;

import io.deli.coprocessor.spi.Internal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;

/**
 * Does what HBase gives no coprocessor a hook for: adds a block to a file that it writes, and sees
 * all that comes into memory before readers do.
 *
 * <p>There are settings for the classes that write files and keep memory, but HBase loads them from
 * its own class path only, and a region whose class it does not find never opens. So they are
 * exchanged here, in an open store. Where that fails, HBase works as ever.
 */
public final class StoreInternals {
  private static final String NO_INDEXES =
      "files are written without indexes, so that lookups of `embedded` read them for theirs, and"
          + " those of `next` search them whole";

  private static final Internal FLUSHER =
      Internal.field("regionserver.StoreEngine", "storeFlusher", "StoreFlusher", NO_INDEXES);
  private static final Internal COMPACTOR =
      Internal.field("regionserver.StoreEngine", "compactor", "Compactor", NO_INDEXES);
  private static final Internal FILE =
      Internal.method("regionserver.StoreFileWriter", "getLiveFileWriter", "Writer", NO_INDEXES);
  private static final Internal MEMORY =
      Internal.field(
          "regionserver.HStore",
          "memstore",
          "MemStore",
          "lookups of `embedded` and `next` search memory whole");

  private StoreInternals() {}

  /** Sees the files that flushes and compactions of a store write. Must be thread-safe. */
  public interface FileObserver {
    /** Returns the sink that takes the cells of a file in its writer's place. */
    CellSink observe(CellSink writer);

    /**
     * Called before the writer is closed, to which blocks may be appended yet.
     *
     * @param wanted whether the file still is; asked again and again
     * @throws InterruptedIOException if it is not
     */
    void finish(StoreFileWriter writer, BooleanSupplier wanted) throws InterruptedIOException;

    /** Called in its place if the file is given up before. */
    void abandon(CellSink writer);
  }

  /** Everything that is found by its name. */
  static List<Internal> all() {
    return List.of(FLUSHER, COMPACTOR, FILE, MEMORY);
  }

  /**
   * Has an observer see the files that a store writes, in place of one that does.
   *
   * @return whether it does; not if the store's writers are neither HBase's own nor observed
   */
  public static boolean observeFiles(HStore store, FileObserver observer)
      throws ReflectiveOperationException {
    StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
    if (engine.getClass() != DefaultStoreEngine.class
        || !isOne(FLUSHER.get(engine), DefaultStoreFlusher.class, ObservedFlusher.class)
        || !isOne(COMPACTOR.get(engine), DefaultCompactor.class, ObservedCompactor.class)
        || StoreFileWriter.shouldEnableHistoricalCompactionFiles(
            store.getReadOnlyConfiguration())) {
      return false;
    }
    FLUSHER.set(engine, new ObservedFlusher(store, observer));
    COMPACTOR.set(engine, new ObservedCompactor(store, observer));
    return true;
  }

  private static boolean isOne(Object object, Class<?>... ofTypes) {
    return Arrays.asList(ofTypes).contains(object.getClass());
  }

  /**
   * Has a store keep in another memory what is written to it.
   *
   * @param other what is to be used instead of the one it has
   * @return what it uses now
   * @throws ReflectiveOperationException if HBase's memory does more than the other was made for
   */
  public static <T extends MemStore> T exchange(
      HStore store, Class<T> type, Function<MemStore, T> other)
      throws ReflectiveOperationException {
    requireWhole(type);
    // Nothing is written meanwhile, and who writes next sees it.
    store.getStoreEngine().writeLock();
    try {
      T exchanged = other.apply((MemStore) MEMORY.get(store));
      MEMORY.set(store, exchanged);
      return exchanged;
    } finally {
      store.getStoreEngine().writeUnlock();
    }
  }

  /**
   * @throws NoSuchMethodException if HBase's memory has a method that the type inherits
   */
  static void requireWhole(Class<? extends MemStore> type) throws NoSuchMethodException {
    for (Method method : MemStore.class.getMethods()) {
      Class<?> by =
          type.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass();
      if (by != type) {
        throw new NoSuchMethodException(type + " leaves out " + method);
      }
    }
  }

  /** The file that a store's writer writes to. */
  static HFile.Writer file(StoreFileWriter writer) throws IOException {
    try {
      return (HFile.Writer) FILE.call(writer);
    } catch (ReflectiveOperationException e) {
      throw new IOException(e.toString(), e);
    }
  }
}
