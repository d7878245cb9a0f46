package io.deli.coprocessor.internal.blocks;

import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;

/**
 * What HBase gives no coprocessor a hook for: to add a block to a file that it writes, to know
 * where its own blocks begin, and to see all that comes into memory before readers do.
 *
 * <p>There are settings for the classes that write files and keep memory, but HBase loads them from
 * its own class path only, and a region whose class it does not find never opens. So they are
 * exchanged here, in an open store. Where that fails, HBase works as ever.
 */
final class HBaseInternals {
  private HBaseInternals() {}

  /**
   * Has a store write its files by others than HBase's own.
   *
   * @return whether it does; not if it has some of its own already
   */
  static boolean exchange(HStore store, DefaultStoreFlusher flusher, DefaultCompactor compactor)
      throws ReflectiveOperationException {
    StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
    Field ofFlusher = accessible(StoreEngine.class.getDeclaredField("storeFlusher"));
    Field ofCompactor = accessible(StoreEngine.class.getDeclaredField("compactor"));
    if (engine.getClass() != DefaultStoreEngine.class
        || ofFlusher.get(engine).getClass() != DefaultStoreFlusher.class
        || ofCompactor.get(engine).getClass() != DefaultCompactor.class
        || StoreFileWriter.shouldEnableHistoricalCompactionFiles(
            store.getReadOnlyConfiguration())) {
      return false;
    }
    ofFlusher.set(engine, flusher);
    ofCompactor.set(engine, compactor);
    return true;
  }

  /**
   * Has a store keep in another memory what is written to it.
   *
   * @param other what is to be used instead of the one it has
   * @return what it uses now
   * @throws ReflectiveOperationException if HBase's memory does more than the other was made for
   */
  static <T extends MemStore> T exchange(HStore store, Class<T> type, Function<MemStore, T> other)
      throws ReflectiveOperationException {
    for (Method method : MemStore.class.getMethods()) {
      Class<?> by =
          type.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass();
      if (by != type) {
        throw new NoSuchMethodException(type + " leaves out " + method);
      }
    }
    Field memory = accessible(HStore.class.getDeclaredField("memstore"));
    // Nothing is written meanwhile, and who writes next sees it.
    store.getStoreEngine().writeLock();
    try {
      T exchanged = other.apply((MemStore) memory.get(store));
      memory.set(store, exchanged);
      return exchanged;
    } finally {
      store.getStoreEngine().writeUnlock();
    }
  }

  private static <T extends AccessibleObject> T accessible(T member) {
    member.setAccessible(true);
    return member;
  }

  /** The file that a store's writer writes to. */
  static HFile.Writer file(StoreFileWriter writer) throws IOException {
    try {
      Method method = accessible(StoreFileWriter.class.getDeclaredMethod("getLiveFileWriter"));
      return (HFile.Writer) method.invoke(writer);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this HBase has another writer of files", e);
    }
  }

  /**
   * The keys of the root of a file's own index, in order: with each of them begins a block, or
   * several together. If they cannot be told, only the first.
   */
  static List<Cell> blockKeys(HFile.Reader file) {
    Object root = file.getDataBlockIndexReader();
    try {
      Method count = accessible(root.getClass().getMethod("getRootBlockCount"));
      Method key = accessible(root.getClass().getMethod("getRootBlockKey", int.class));
      List<Cell> keys = new ArrayList<>();
      for (int i = 0; i < (int) count.invoke(root); i++) {
        keys.add((Cell) key.invoke(root, i));
      }
      return keys;
    } catch (ReflectiveOperationException e) {
      return file.getFirstKey().map(List::of).orElse(List.of());
    }
  }
}
