package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.entry.WriteId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.util.Bytes;

/** Cells of a store without a store, in HBase's order. */
public final class Cells implements CellSource {
  /** The moment at which they are looked at, in milliseconds. */
  public static final long NOW = 1_000_000;

  static final byte[] FAMILY = {'f'};

  private final List<Cell> given = new ArrayList<>();
  private final List<Cell> left;
  private final Predicate<Cell> covered;
  private boolean isCovered;
  private int shipments;
  private boolean closed;

  public Cells(List<Cell> cells) {
    this(cells, cell -> false);
  }

  Cells(List<Cell> cells, Predicate<Cell> covered) {
    left = new ArrayList<>(cells);
    this.covered = covered;
  }

  /** All pieces of rows of a family that keeps one version, each held until the last is read. */
  public static List<RowPiece> pieces(long limit, List<Cell> cells) throws Exception {
    RowPieces source = new RowPieces(new Cells(cells), matcher(1), limit);
    List<RowPiece> pieces = new ArrayList<>();
    for (RowPiece piece = source.next(); piece != null; piece = source.next()) {
      pieces.add(piece);
      pieces.forEach(RowPiece::beforeShipped);
      source.shipped();
    }
    return pieces;
  }

  /** A cell of row r, column q, whose sequence id is that of the write. */
  public static Cell cell(
      String qualifier, long timestamp, KeyValue.Type type, String value, long write) {
    return of("r", qualifier, timestamp, type, value, write);
  }

  public static Cell of(
      String row, String qualifier, long timestamp, KeyValue.Type type, String value, long write) {
    KeyValue cell =
        new KeyValue(
            Bytes.toBytes(row),
            FAMILY,
            Bytes.toBytes(qualifier),
            timestamp,
            type,
            Bytes.toBytes(value));
    cell.setSequenceId(write);
    return cell;
  }

  /** The cell with a time to live of its own. */
  public static Cell passing(Cell cell, long ttlMillis) {
    return tagged(cell, TagType.TTL_TAG_TYPE, Bytes.toBytes(ttlMillis));
  }

  /** The cell as one write has put it. */
  public static Cell by(WriteId id, Cell cell) {
    return tagged(cell, WriteId.TAG_TYPE, id.toBytes());
  }

  private static Cell tagged(Cell cell, byte type, byte[] value) {
    return KeyValueUtil.copyToNewKeyValue(
        PrivateCellUtil.createCell(cell, List.of(new ArrayBackedTag(type, value))));
  }

  /** Judges a major compaction of a family that keeps so many versions. */
  public static RetentionMatcher matcher(int versions) throws IOException {
    ScanInfo family =
        new ScanInfo(
            new Configuration(false),
            FAMILY,
            0,
            versions,
            Long.MAX_VALUE,
            KeepDeletedCells.FALSE,
            HConstants.DEFAULT_BLOCKSIZE,
            0,
            CellComparator.getInstance(),
            false);
    Purge purge = Purge.of(ScanType.COMPACT_DROP_DELETES);
    return new RetentionRules(family, purge, cell -> true, cell -> false, Long.MAX_VALUE, 0, NOW)
        .matcher(null);
  }

  /** In HBase's order. */
  public static List<Cell> sorted(List<Cell> cells) {
    return cells.stream().sorted(CellComparator.getInstance()).toList();
  }

  /** A history of a few rows and columns, some of whose cells have a time to live of their own. */
  static List<Cell> history(Random random, String... columns) {
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.getInstance());
    KeyValue.Type[] markers = {
      KeyValue.Type.Delete,
      KeyValue.Type.DeleteColumn,
      KeyValue.Type.DeleteFamily,
      KeyValue.Type.DeleteFamilyVersion
    };
    // Few of them, and several writes have the same timestamp.
    int moments = random.nextBoolean() ? 12 : 50;
    for (int write = 1; write <= 30; write++) {
      KeyValue.Type type =
          random.nextInt(5) == 0 ? markers[random.nextInt(markers.length)] : KeyValue.Type.Put;
      boolean ofFamily =
          type == KeyValue.Type.DeleteFamily || type == KeyValue.Type.DeleteFamilyVersion;
      Cell cell =
          of(
              "r" + random.nextInt(2),
              ofFamily ? "" : columns[random.nextInt(columns.length)],
              NOW - 10L * random.nextInt(moments),
              type,
              "v",
              write);
      cells.add(
          type == KeyValue.Type.Put && random.nextInt(3) == 0
              ? passing(cell, random.nextInt(600))
              : cell);
    }
    return List.copyOf(cells);
  }

  @Override
  public Cell next() {
    if (left.isEmpty()) {
      return null;
    }
    isCovered = covered.test(left.get(0));
    given.add(KeyValueUtil.copyToNewKeyValue(left.remove(0)));
    return given.get(given.size() - 1);
  }

  @Override
  public boolean isCovered() {
    return isCovered;
  }

  /** Whatever was given before is not readable any more. */
  @Override
  public void shipped() {
    given.forEach(cell -> Arrays.fill(cell.getRowArray(), (byte) 'x'));
    given.clear();
    shipments++;
  }

  int shipments() {
    return shipments;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    left.clear();
    closed = true;
  }
}
