package io.deli.fileindex.internal.blocks;

import io.deli.query.TokenRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Has a region's scan begin at its first candidate, end at the last one if that is known, and stops
 * it at the first row that is none, for {@link SkippingScanner} to take it on to the next one that
 * is. Without such a scanner it lets all rows pass. If it is known ahead that there are none, it
 * says so by {@link #filterAllRemaining}, and nobody need open a scanner. A scan of a single
 * candidate is to HBase a Get, which leaves out the files whose row Bloom filters exclude the row.
 * Of candidates that are far apart it has the scan be a Get of the first, unless another family's
 * store is open already. It stops at any other row: HBase's region scanner knows the former end of
 * the scan, and stores may show what follows in memory.
 */
final class CandidateFilter extends FilterBase {
  private static final byte[] BEHIND_ALL_ROWS = new byte[HConstants.MAX_ROW_LENGTH];

  static {
    Arrays.fill(BEHIND_ALL_ROWS, (byte) 0xFF);
  }

  private final CandidateRows candidates;
  private final SearchCount count;
  private final Store store;
  private final Scan scan;
  private final byte[] start;
  private boolean isFirst = true;
  private boolean begun;
  private boolean driven;
  private boolean stopped;
  private Optional<byte[]> only = Optional.empty();
  private byte[] next = HConstants.EMPTY_BYTE_ARRAY;

  /**
   * @param store with an indexed column
   * @param scan which HBase is about to open
   * @param start first row that it may have in the region
   */
  CandidateFilter(
      CandidateRows candidates, SearchCount count, Store store, Scan scan, byte[] start) {
    this.candidates = candidates;
    this.count = count;
    this.store = store;
    this.scan = scan;
    this.start = start;
  }

  /**
   * Has the scan begin at its first candidate, and end; to be called when HBase has fixed its read
   * point, and is about to seek in a store. Of another family's store it may have sought too early
   * a row by then, and go on behind the last, which does no harm.
   */
  void begin(Store opened) throws IOException {
    // Rows that are read one by one meanwhile have this filter, too.
    if (begun || opened != store) {
      isFirst &= begun;
      return;
    }
    begun = true;
    byte[] first = candidates.begin(start).orElse(BEHIND_ALL_ROWS);
    Optional<byte[]> last = candidates.last();
    if (isFirst && last.isPresent() && candidates.areFarApart()) {
      last = Optional.of(first);
      only = last;
    }
    if (last.isPresent() || Bytes.compareTo(first, start) > 0) {
      scan.withStartRow(first);
    }
    last.ifPresent(row -> scan.withStopRow(row, true));
  }

  /** Has the scan end before its first row. */
  CandidateFilter atEnd() {
    begun = true;
    stopped = true;
    return this;
  }

  @Override
  public boolean filterRowKey(Cell first) throws IOException {
    if (stopped || !driven) {
      return stopped;
    }
    byte[] row = CellUtil.cloneRow(first);
    boolean isOther = only.isPresent() && !Arrays.equals(only.get(), row);
    Optional<byte[]> candidate = isOther ? behind(only.get()) : candidates.atOrBehind(row);
    stopped = isOther || candidate.isEmpty() || !Arrays.equals(candidate.get(), row);
    next = candidate.orElse(HConstants.EMPTY_BYTE_ARRAY);
    return stopped;
  }

  @Override
  public boolean filterAllRemaining() {
    return stopped;
  }

  /** To be called by who goes on where this stops, before the first row. */
  void drive(long readPoint) throws IOException {
    begun = true;
    candidates.opened(readPoint);
    driven = true;
  }

  SearchCount count() {
    return count;
  }

  boolean hasStopped() {
    return stopped;
  }

  /** The only row that the scan itself reads, as long as it is a Get of it. */
  Optional<byte[]> only() {
    return only;
  }

  /** Whether to go on by Gets. */
  boolean areFarApart() {
    return candidates.areFarApart();
  }

  /** The row to go on with behind one that was read by a Get. */
  Optional<byte[]> behind(byte[] row) throws IOException {
    only = Optional.empty();
    Optional<byte[]> next = TokenRange.behindRow(row);
    return next.isEmpty() ? next : candidates.atOrBehind(next.get());
  }

  /** The row to go on with after a stop; none if the region has no further candidate. */
  Optional<byte[]> goOn() {
    if (next.length == 0) {
      return Optional.empty();
    }
    stopped = false;
    return Optional.of(next);
  }
}
