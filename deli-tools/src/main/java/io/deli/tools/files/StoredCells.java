package io.deli.tools.files;

import io.deli.entry.WriteId;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** The cells of Puts as region servers keep them. */
public final class StoredCells {
  private StoredCells() {}

  public static List<KeyValue> of(Put put) {
    List<KeyValue> stored = new ArrayList<>(put.size());
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        stored.add(withTimeToLive(cell, put.getTTL()));
      }
    }
    return stored;
  }

  /** A cell with the identity of its write; without one for none. */
  public static KeyValue identified(Cell cell, WriteId id) {
    return KeyValueUtil.copyToNewKeyValue(PrivateCellUtil.createCell(cell, id.toTags()));
  }

  private static KeyValue withTimeToLive(Cell cell, long millis) {
    if (millis != Long.MAX_VALUE) {
      List<Tag> tags = List.of(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(millis)));
      return KeyValueUtil.copyToNewKeyValue(PrivateCellUtil.createCell(cell, tags));
    }
    return cell.getClass() == KeyValue.class
        ? (KeyValue) cell
        : KeyValueUtil.copyToNewKeyValue(cell);
  }
}
