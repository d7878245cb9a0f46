package io.deli.simulation;

import io.deli.entry.TokenEncoding;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.TableProperties;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A store in RocksDB. The key of a cell is its row and qualifier, each ending itself, then the
 * timestamp, type and sequence number inverted, newest first; the value is the cell. RocksDB's own
 * sequence numbers are the cells'. A cell that is dropped was put once, so that one {@code
 * SingleDelete} and its put annul each other when files merge.
 *
 * <p>Of two equal keys RocksDB drops the older one with any flush, and tells nobody: therefore the
 * sequence number in the key. Its compaction filters are native code that decides key by key and
 * waits for nobody: therefore a rewrite reads, and drops when it may.
 */
final class RocksStore implements LogStructuredStore {
  private static final int SUFFIX = Long.BYTES + 1 + Long.BYTES;

  private final Options options =
      new Options().setCreateIfMissing(true).setAvoidFlushDuringShutdown(true);
  private final WriteOptions logged = new WriteOptions();
  private final Path directory;
  private RocksDB db;

  RocksStore(Path directory) {
    this.directory = directory;
    open();
  }

  private void open() {
    checked(() -> db = RocksDB.open(options, directory.toString()));
  }

  private interface Action {
    void run() throws RocksDBException;
  }

  private static void checked(Action action) {
    try {
      action.run();
    } catch (RocksDBException e) {
      throw new IllegalStateException("RocksDB fails", e);
    }
  }

  private static byte[] key(Cell cell, long sequence) {
    byte[] row = TokenEncoding.encode(CellUtil.cloneRow(cell));
    byte[] qualifier = TokenEncoding.encode(CellUtil.cloneQualifier(cell));
    return ByteBuffer.allocate(row.length + qualifier.length + SUFFIX)
        .put(row)
        .put(qualifier)
        .putLong(Long.MAX_VALUE - cell.getTimestamp())
        .put((byte) ~cell.getType().getCode())
        .putLong(Long.MAX_VALUE - sequence)
        .array();
  }

  private static Cell cell(byte[] key, byte[] value) {
    // The constructor without a length leaves tags out.
    KeyValue cell = new KeyValue(value, 0, value.length);
    long inverted = ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    cell.setSequenceId(Long.MAX_VALUE - inverted);
    return cell;
  }

  @Override
  public void put(List<Cell> cells) {
    write(
        batch -> {
          long next = sequence();
          for (Cell cell : cells) {
            batch.put(key(cell, ++next), KeyValueUtil.copyToNewByteArray(cell));
          }
        });
  }

  private interface Change {
    void in(WriteBatch batch) throws RocksDBException;
  }

  private void write(Change change) {
    checked(
        () -> {
          try (WriteBatch batch = new WriteBatch()) {
            change.in(batch);
            db.write(logged, batch);
          }
        });
  }

  @Override
  public long sequence() {
    return db.getLatestSequenceNumber();
  }

  @Override
  public List<Cell> scan(byte[] start, byte[] stop) {
    List<Cell> cells = new ArrayList<>();
    try (Slice end = new Slice(TokenEncoding.encode(stop));
        ReadOptions bounds = new ReadOptions();
        RocksIterator iterator =
            db.newIterator(stop.length == 0 ? bounds : bounds.setIterateUpperBound(end))) {
      for (iterator.seek(TokenEncoding.encode(start)); iterator.isValid(); iterator.next()) {
        cells.add(cell(iterator.key(), iterator.value()));
      }
    }
    return cells;
  }

  @Override
  public void flush() {
    checked(
        () -> {
          try (FlushOptions wait = new FlushOptions()) {
            db.flush(wait);
          }
        });
  }

  @Override
  public void drop(List<Cell> dead) {
    if (dead.isEmpty()) {
      return;
    }
    write(
        batch -> {
          for (Cell cell : dead) {
            batch.singleDelete(key(cell, LogStructuredStore.sequence(cell)));
          }
        });
    checked(db::compactRange);
  }

  /** What lies in files: cells, and deletes of cells. */
  long countStored() {
    long[] count = {0};
    checked(
        () ->
            db.getPropertiesOfAllTables().values().stream()
                .mapToLong(TableProperties::getNumEntries)
                .forEach(entries -> count[0] += entries));
    return count[0];
  }

  /** The log has what memory had. */
  @Override
  public void crash() {
    db.close();
    open();
  }

  @Override
  public void close() {
    db.close();
    logged.close();
    options.close();
  }
}
