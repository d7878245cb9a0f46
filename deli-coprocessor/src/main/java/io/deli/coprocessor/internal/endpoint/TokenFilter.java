package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.spi.Contained;
import io.deli.coprocessor.spi.FileIndexProvider.Sought;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.FilterBase;

/** Leaves out rows of which no version read has a token that one of several looks for. */
public final class TokenFilter extends FilterBase {
  private final List<Sought> anyOf;
  private boolean found;

  public TokenFilter(List<Sought> anyOf) {
    this.anyOf = anyOf;
  }

  @Override
  public boolean hasFilterRow() {
    return true;
  }

  @Override
  public void filterRowCells(List<Cell> row) throws IOException {
    for (Sought each : anyOf) {
      Index index = each.index();
      // Asking again would not help.
      found =
          found
              || Contained.call(
                  () -> isHit(index, each.asked().tokens(), row),
                  e -> new DoNotRetryIOException("index '%s': %s".formatted(index.name(), e), e));
    }
  }

  private static boolean isHit(Index index, TokenRange tokens, List<Cell> row) {
    return index.key().versions(row).stream()
        .anyMatch(version -> index.hasToken(CellUtil.cloneValue(version), tokens));
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
