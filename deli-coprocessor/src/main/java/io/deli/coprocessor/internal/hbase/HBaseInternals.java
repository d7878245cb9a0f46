package io.deli.coprocessor.internal.hbase;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;

/**
 * What HBase gives no coprocessor a hook for: to add a block to a file that it writes, to know
 * where its own blocks begin, to see all that comes into memory before readers do, and to know of
 * which rows a compaction reads all files.
 *
 * <p>There are settings for the classes that write files and keep memory, but HBase loads them from
 * its own class path only, and a region whose class it does not find never opens. So they are
 * exchanged here, in an open store. Where that fails, HBase works as ever.
 */
public final class HBaseInternals {
  private static final String NO_INDEXES =
      "files are written without indexes, so that lookups of `embedded` read them for theirs, and"
          + " those of `next` search them whole";
  private static final String ROUGH_BLOCKS =
      "files without an index count as one block, and the estimate of garbage reads large files at"
          + " their beginning only";
  private static final String MARKERS_STAY = "compactions of striped stores keep delete markers";

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
  private static final Internal ROOT_COUNT =
      Internal.method(
          "io.hfile.HFileBlockIndex$BlockIndexReader", "getRootBlockCount", "int", ROUGH_BLOCKS);
  private static final Internal ROOT_KEY =
      Internal.method(
          "io.hfile.HFileBlockIndex$CellBasedKeyBlockIndexReader",
          "getRootBlockKey",
          "Cell",
          ROUGH_BLOCKS,
          int.class);
  private static final Internal MATCHER =
      Internal.field("regionserver.StoreScanner", "matcher", "ScanQueryMatcher", MARKERS_STAY);
  private static final Internal STRIPE_START = ofStripe("dropDeletesFromRow");
  private static final Internal STRIPE_STOP = ofStripe("dropDeletesToRow");

  private HBaseInternals() {}

  private static Internal ofStripe(String name) {
    return Internal.field(
        "regionserver.querymatcher.StripeCompactionScanQueryMatcher", name, "byte[]", MARKERS_STAY);
  }

  /** Everything that is found by its name. */
  static List<Internal> all() {
    return List.of(
        FLUSHER, COMPACTOR, FILE, MEMORY, ROOT_COUNT, ROOT_KEY, MATCHER, STRIPE_START, STRIPE_STOP);
  }

  /**
   * Has an observer see the files that a store writes.
   *
   * @return whether it does; not if the store's writers are not HBase's own
   */
  public static boolean observeFiles(HStore store, FileObserver observer)
      throws ReflectiveOperationException {
    StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
    if (engine.getClass() != DefaultStoreEngine.class
        || FLUSHER.get(engine).getClass() != DefaultStoreFlusher.class
        || COMPACTOR.get(engine).getClass() != DefaultCompactor.class
        || StoreFileWriter.shouldEnableHistoricalCompactionFiles(
            store.getReadOnlyConfiguration())) {
      return false;
    }
    FLUSHER.set(engine, new ObservedFlusher(store, observer));
    COMPACTOR.set(engine, new ObservedCompactor(store, observer));
    return true;
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

  /**
   * The keys of the root of a file's own index, in order: with each of them begins a block, or
   * several together. If they cannot be told, only the first.
   */
  public static List<Cell> blockKeys(HFile.Reader file) {
    Object root = file.getDataBlockIndexReader();
    try {
      List<Cell> keys = new ArrayList<>();
      for (int i = 0; i < (int) ROOT_COUNT.call(root); i++) {
        keys.add((Cell) ROOT_KEY.call(root, i));
      }
      return keys;
    } catch (ReflectiveOperationException e) {
      return file.getFirstKey().map(List::of).orElse(List.of());
    }
  }

  /** Rows, the second behind the range; either may be empty for no bound. */
  public record RowRange(byte[] start, byte[] stop) {}

  /**
   * The rows of which a striped store's compaction reads all files, as only its scanner knows;
   * empty if there are none, or that cannot be told.
   */
  public static Optional<RowRange> wholeStripes(StoreScanner scanner) {
    try {
      Object matcher = MATCHER.get(scanner);
      return STRIPE_START.isOf(matcher) && STRIPE_STOP.isOf(matcher)
          ? Optional.of(
              new RowRange((byte[]) STRIPE_START.get(matcher), (byte[]) STRIPE_STOP.get(matcher)))
          : Optional.empty();
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }
}
