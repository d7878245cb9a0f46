package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.service.TokenScan;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Action;
import io.deli.test.cluster.HookObserver.Moment;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lookup finds what its scan can see, whatever is written while that is opened. At every moment a
 * row has the value; at first one that comes late in the scan, then one ahead of it.
 */
class AmidOpeningTest {
  private static final byte[] OTHER = value(0);
  private static final List<UnaryOperator<ValueQuery>> KINDS =
      List.of(query -> query, query -> query.limit(1), query -> query.mostRecent(1));

  private static Put put(String row, long timestamp, byte[] value) {
    return new Put(Bytes.toBytes(row))
        .addColumn(COLUMN.family(), COLUMN.qualifier(), timestamp, value);
  }

  /** With rows and a value of its own. */
  private static final class Lookup {
    private final ScannedTable table;
    private final HookObserver hooks;
    private final byte[] value;
    private final String early;
    private final String late;

    Lookup(ScannedTable table, HookObserver hooks, int number) throws IOException {
      this.table = table;
      this.hooks = hooks;
      value = value(number);
      early = row(number);
      late = row(number + 5);
      table.table().put(put(early, 5, OTHER));
      table.table().put(put(late, 10, value));
    }

    Action<Object> moves() {
      return (region, scan) -> {
        region.put(put(early, 20, value));
        region.put(put(late, 20, OTHER));
      };
    }

    Action<Object> movesAndFlushes() {
      return (region, scan) -> {
        region.put(put(early, 20, value));
        region.flush(true);
        region.put(put(late, 20, OTHER));
        region.flush(true);
      };
    }

    void finds(
        String row, Moment<Scan> moment, Action<Object> writes, UnaryOperator<ValueQuery> kind)
        throws IOException {
      ValueQuery query = kind.apply(ValueQuery.on(INDEX).equalTo(value));
      hooks.at(1, moment, scan -> !TokenScan.of(scan).isEmpty(), writes);
      assertThat(table.find(query)).as("%s", query).containsExactly(row);
      assertThat(hooks.isPlanned(moment)).isFalse();
      assertThat(table.find(query)).as("%s", query).containsExactly(early);
    }
  }

  /** For each kind of query, in memory, in a file, and on the way from one to the other. */
  private static void lookUp(ScannedTable table, HookObserver hooks) throws IOException {
    int number = 0;
    for (UnaryOperator<ValueQuery> kind : KINDS) {
      Lookup ofMemory = new Lookup(table, hooks, number += 10);
      ofMemory.finds(ofMemory.early, Moment.SCAN, ofMemory.moves(), kind);
      Lookup flushed = new Lookup(table, hooks, number += 10);
      flushed.finds(flushed.early, Moment.SCAN, flushed.movesAndFlushes(), kind);
      Lookup seen = new Lookup(table, hooks, number += 10);
      seen.finds(seen.late, Moment.STORE_SCAN, seen.moves(), kind);
      Lookup ofFile = new Lookup(table, hooks, number += 10);
      table.flush();
      ofFile.finds(ofFile.early, Moment.SCAN, ofFile.moves(), kind);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void findsAValueThatMovesAgainstItsScan(String strategy) throws IOException {
    try (ScannedTable table = ScannedTable.create(strategy, "opening")) {
      // Behind DELI's own.
      lookUp(table, HookObserver.on(table.name(), Coprocessor.PRIORITY_LOWEST));
    }
  }
}
