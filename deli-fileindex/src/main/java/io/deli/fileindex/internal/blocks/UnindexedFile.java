package io.deli.fileindex.internal.blocks;

import io.deli.coprocessor.spi.BlockKeys;
import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Stands for the index that a file lacks: all blocks may hold anything. They are those of the root
 * of HBase's own index of the file: where that has more levels, hundreds together.
 */
record UnindexedFile(Blocks blocks) implements FileIndex {
  private static final List<Zone> EVERYTHING =
      List.of(new Zone(TokenRange.of(HConstants.EMPTY_BYTE_ARRAY, Optional.empty()), 0));

  static UnindexedFile of(StoreFileReader file) {
    List<Blocks.Part> parts = new ArrayList<>();
    for (Cell key : BlockKeys.of(file.getHFileReader())) {
      byte[] row = CellUtil.cloneRow(key);
      // A long row begins in the first of its blocks.
      if (parts.isEmpty() || Bytes.compareTo(parts.get(parts.size() - 1).firstRow(), row) < 0) {
        parts.add(new Blocks.Part(row, Blocks.Part.UNKNOWN));
      }
    }
    return new UnindexedFile(new Blocks(parts));
  }

  @Override
  public List<Zone> zones() {
    return EVERYTHING;
  }

  @Override
  public Shortlist search(Wanted wanted, BitSet parts, Source source) {
    return Shortlist.all(blocks);
  }

  @Override
  public long weight() {
    return blocks.weight();
  }
}
