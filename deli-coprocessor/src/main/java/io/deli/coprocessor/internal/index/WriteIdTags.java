package io.deli.coprocessor.internal.index;

import io.deli.entry.WriteId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Keeps the identity of a write with the cells it wrote. */
public final class WriteIdTags {
  /**
   * Type of the tag of a version that was put again. Its value is the version's timestamp, for
   * HBase hands tags down to what Increments and Appends make of a version.
   */
  private static final byte RESTORED = 69;

  private WriteIdTags() {}

  /**
   * The identity that a put carries, by its client; empty if it carries none.
   *
   * @param isUntimely whether a write that was begun then is to be refused
   * @throws IllegalArgumentException if the attribute is no identity, or that of an untimely write
   */
  public static Optional<WriteId> named(Put put, LongPredicate isUntimely) {
    Optional<WriteId> id =
        Optional.ofNullable(put.getAttribute(WriteId.ATTRIBUTE)).map(WriteId::from);
    OptionalLong begun = id.map(WriteId::writtenAt).orElse(OptionalLong.empty());
    if (begun.isPresent() && isUntimely.test(begun.getAsLong())) {
      throw new IllegalArgumentException(
          "row '%s': the write was begun at %d by its client's clock, which is ahead, or comes so late that readers may have deleted its entries. Write again, by a clock that is right."
              .formatted(Bytes.toStringBinary(put.getRow()), begun.getAsLong()));
    }
    return id;
  }

  /**
   * Tags the indexed cells of a put that carries an identity.
   *
   * @throws IllegalArgumentException as {@link #named} does
   */
  public static void add(Put put, TableIndexes indexes, LongPredicate isUntimely) {
    Optional<WriteId> id = named(put, isUntimely).filter(each -> !each.isNone());
    if (id.isEmpty()) {
      return;
    }
    Tag tag = new ArrayBackedTag(WriteId.TAG_TYPE, id.get().toBytes());
    for (Map.Entry<byte[], List<Cell>> family : put.getFamilyCellMap().entrySet()) {
      indexes
          .of(family.getKey())
          .ifPresent(indexed -> family.getValue().replaceAll(c -> tagged(c, tag, indexed)));
    }
  }

  private static Cell tagged(Cell cell, Tag tag, FamilyIndexes indexes) {
    return indexes.covers(cell) ? tagged(cell, tag) : cell;
  }

  /** A copy of a cell with another identity, and all its other tags. */
  public static Cell tagged(Cell cell, WriteId id) {
    return tagged(cell, new ArrayBackedTag(WriteId.TAG_TYPE, id.toBytes()));
  }

  /** The same of a version that is put again because a delete exposes it. */
  public static Cell restored(Cell cell, WriteId id) {
    Tag tag = new ArrayBackedTag(RESTORED, Bytes.toBytes(cell.getTimestamp()));
    return tagged(tagged(cell, id), tag);
  }

  /** Whether a version was put again so. */
  public static boolean isRestored(Cell cell) {
    return PrivateCellUtil.getTag(cell, RESTORED)
        .filter(tag -> Arrays.equals(Tag.cloneValue(tag), Bytes.toBytes(cell.getTimestamp())))
        .isPresent();
  }

  /** Whether a cell has the mark of one that was put again so, be it of itself or of another. */
  public static boolean isMarked(Cell cell) {
    return PrivateCellUtil.getTag(cell, RESTORED).isPresent();
  }

  /** A cell without that mark. */
  public static Cell unmarked(Cell cell) {
    if (!isMarked(cell)) {
      return cell;
    }
    return KeyValueUtil.copyToNewKeyValue(
        PrivateCellUtil.createCell(cell, without(cell, RESTORED)));
  }

  /** Whether a tag is one of DELI's. */
  public static boolean isOwn(Tag tag) {
    return tag.getType() == WriteId.TAG_TYPE || tag.getType() == RESTORED;
  }

  private static Cell tagged(Cell cell, Tag tag) {
    List<Tag> all = without(cell, tag.getType());
    all.add(tag);
    // A copy, for HBase rewrites the tags once more if the put has a time to live, and takes no
    // cell whose tags were rewritten already.
    return KeyValueUtil.copyToNewKeyValue(PrivateCellUtil.createCell(cell, all));
  }

  private static List<Tag> without(Cell cell, byte type) {
    List<Tag> tags = PrivateCellUtil.getTags(cell);
    List<Tag> others = new ArrayList<>(tags.size() + 1);
    tags.stream().filter(tag -> tag.getType() != type).forEach(others::add);
    return others;
  }
}
