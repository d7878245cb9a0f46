package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.spi.Contained;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.FilterBase;

/** Leaves out rows of which no version read of the indexed column has a token in the range. */
public final class TokenFilter extends FilterBase {
  private final Index index;
  private final TokenRange tokens;
  private boolean found;

  public TokenFilter(Index index, TokenRange tokens) {
    this.index = index;
    this.tokens = tokens;
  }

  @Override
  public boolean hasFilterRow() {
    return true;
  }

  @Override
  public void filterRowCells(List<Cell> row) throws IOException {
    // Asking again would not help.
    found =
        Contained.call(
            () -> row.stream().anyMatch(this::isHit),
            e -> new DoNotRetryIOException("index '%s': %s".formatted(index.name(), e), e));
  }

  private boolean isHit(Cell cell) {
    return index.column().matches(cell) && index.hasToken(CellUtil.cloneValue(cell), tokens);
  }

  @Override
  public boolean filterRow() {
    return !found;
  }

  @Override
  public void reset() {
    found = false;
  }
}
