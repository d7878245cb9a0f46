package io.deli.coprocessor.internal.blocks;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * Stops a region's scan at the first row that is no candidate, for {@link SkippingScanner} to take
 * it on to the next one that is. Without such a scanner it lets all rows pass.
 */
final class CandidateFilter extends FilterBase {
  private final CandidateRows candidates;
  private final SearchCount count;
  private boolean driven;
  private boolean stopped;
  private byte[] next = HConstants.EMPTY_BYTE_ARRAY;

  CandidateFilter(CandidateRows candidates, SearchCount count) {
    this.candidates = candidates;
    this.count = count;
  }

  @Override
  public boolean filterRowKey(Cell first) throws IOException {
    if (!driven) {
      return false;
    }
    byte[] row = CellUtil.cloneRow(first);
    Optional<byte[]> candidate = candidates.atOrBehind(row);
    stopped = candidate.isEmpty() || !Arrays.equals(candidate.get(), row);
    next = candidate.orElse(HConstants.EMPTY_BYTE_ARRAY);
    return stopped;
  }

  @Override
  public boolean filterAllRemaining() {
    return stopped;
  }

  /** To be called by who goes on where this stops, before the first row. */
  void drive(long readPoint) throws IOException {
    candidates.begin(readPoint);
    driven = true;
  }

  SearchCount count() {
    return count;
  }

  boolean hasStopped() {
    return stopped;
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
