package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.spi.Contained;
import io.deli.index.Column;
import io.deli.query.TokenRange;
import io.deli.service.TokenScan;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;

/**
 * Ends the reading of a row at a value that a query does not look for: the row of a stale entry,
 * whose other columns may be in files, while the value that made the entry stale is in memory.
 */
public final class StaleRowFilter extends FilterBase {
  private final Index index;
  private final Column column;
  private final TokenRange tokens;

  private StaleRowFilter(Index index, TokenRange tokens) {
    this.index = index;
    this.column = index.definition().column();
    this.tokens = tokens;
  }

  /**
   * Has a Get do what is asked with it.
   *
   * @throws IOException if that cannot be done here
   */
  public static void narrow(Get get, TableIndexes indexes) throws IOException {
    List<TokenScan> asked = TokenScan.of(get);
    if (asked.size() != 1 || get.getMaxVersions() != 1) {
      return;
    }
    Index index = indexes.asked(asked.get(0));
    if (index.key().all().size() == 1) {
      Filter filter = new StaleRowFilter(index, asked.get(0).tokens());
      // What other filters hide is no value to this one.
      get.setFilter(get.getFilter() == null ? filter : new FilterList(get.getFilter(), filter));
    }
  }

  /** Of each column the newest version: where there is a filter, HBase asks it for all of them. */
  @Override
  public ReturnCode filterCell(Cell cell) {
    return column.matches(cell) && !isSought(CellUtil.cloneValue(cell))
        ? ReturnCode.NEXT_ROW
        : ReturnCode.INCLUDE_AND_NEXT_COL;
  }

  private boolean isSought(byte[] value) {
    return Contained.orElse(() -> index.hasToken(value, tokens), e -> true);
  }
}
