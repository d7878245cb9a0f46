package io.deli.coprocessor.spi;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.HFile;

/** The keys with which the blocks of HBase's files begin. */
public final class BlockKeys {
  private static final String ROUGH_BLOCKS =
      "files without an index count as one block, and the estimate of garbage reads large files at"
          + " their beginning only";

  // Public methods of a class that is not.
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

  private BlockKeys() {}

  /** The members of HBase that it finds by their names. */
  public static List<Internal> internals() {
    return List.of(ROOT_COUNT, ROOT_KEY);
  }

  /**
   * The keys of the root of a file's own index, in order: with each of them begins a block, or
   * several together. If they cannot be told, only the first.
   */
  public static List<Cell> of(HFile.Reader file) {
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
}
