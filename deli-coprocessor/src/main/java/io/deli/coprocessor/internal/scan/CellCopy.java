package io.deli.coprocessor.internal.scan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.util.Bytes;

/** Copies of cells that outlive the block they were read from. */
final class CellCopy {
  private CellCopy() {}

  /** A copy with tags and sequence id. */
  static Cell of(Cell cell) {
    return KeyValueUtil.copyToNewKeyValue(cell);
  }

  /** A copy whose own time to live is over, whatever the clock says; other tags are kept. */
  static Cell expired(Cell cell) {
    List<Tag> tags = new ArrayList<>();
    for (Tag tag : PrivateCellUtil.getTags(cell)) {
      if (tag.getType() != TagType.TTL_TAG_TYPE) {
        tags.add(tag);
      }
    }
    tags.add(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(-1 - cell.getTimestamp())));
    return of(PrivateCellUtil.createCell(of(cell), tags));
  }

  /** Copies of all, in order; the collection is empty afterwards. */
  static List<Cell> takeAll(Collection<Cell> cells) {
    List<Cell> copies = cells.stream().map(CellCopy::of).toList();
    cells.clear();
    return copies;
  }
}
