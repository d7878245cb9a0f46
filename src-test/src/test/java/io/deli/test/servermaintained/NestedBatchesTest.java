package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An observer has its region apply another batch amid one. */
class NestedBatchesTest {
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final byte[] ROW = Bytes.toBytes("r");

  private enum Nested {
    INCREMENT {
      @Override
      void apply(HRegion region) throws IOException {
        region.increment(new Increment(COUNT).addColumn(FAMILY, OTHER, 1));
      }
    },
    PUT {
      @Override
      void apply(HRegion region) throws IOException {
        region.put(new Put(COUNT).addColumn(FAMILY, OTHER, COUNT));
      }
    },
    DELETE {
      @Override
      void apply(HRegion region) throws IOException {
        region.delete(new Delete(COUNT).addColumn(FAMILY, QUALIFIER, 1));
      }
    };

    abstract void apply(HRegion region) throws IOException;
  }

  /** Runs a batch without errors, with another one ahead of each Put and Delete. */
  private static void run(ServedTable served, Nested nested, Row... batch) throws Exception {
    HookObserver.Action<Mutation> action =
        (region, mutation) -> {
          if (!Bytes.equals(mutation.getRow(), COUNT)) {
            nested.apply(region);
          }
        };
    HookObserver.on(served.name()).each(Moment.PUT, action).each(Moment.DELETE, action);
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Table table = connection.getTable(served.name())) {
      table.batch(List.of(batch), new Object[batch.length]);
    }
  }

  /** Sent one by one, while a write that is applied in between could hide the first alone. */
  @ParameterizedTest
  @EnumSource
  void putsOfARowHaveOneTimestamp(Nested nested) throws Exception {
    ServedTable served = ServedTable.create(BY_Q, "nested", 1);
    run(
        served,
        nested,
        RowMutations.of(
            List.of(
                put("r", "v"),
                new Put(ROW).addColumn(FAMILY, OTHER, ROW),
                new Put(ROW).addColumn(FAMILY, ROW, ROW))));
    try (Table table = served.table()) {
      Cell[] cells = table.get(new Get(ROW)).rawCells();
      assertThat(cells)
          .hasSize(3)
          .extracting(Cell::getTimestamp)
          .containsOnly(cells[0].getTimestamp());
    }
    assertThat(served.assertRight(1)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aListOfPutsIsApplied(Nested nested) throws Exception {
    ServedTable served = ServedTable.create(BY_Q, "nested", 1);
    run(served, nested, put("r", "v"), put("s", "v"), put("t", "v"));
    assertThat(served.assertRight(1)).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void exactDeletesOfARowAreApplied(Nested nested) throws Exception {
    ServedTable served = ServedTable.create(BY_Q, "nested", 1);
    try (Table table = served.table()) {
      table.put(List.of(put("r", 1, "v1"), put("r", 2, "v2"), put("r", 3, "v3")));
    }
    served.deleteEntriesAt(1);
    run(
        served,
        nested,
        RowMutations.of(
            List.of(
                new Delete(ROW).addColumn(FAMILY, QUALIFIER, 3),
                new Delete(ROW).addColumn(FAMILY, QUALIFIER, 2))));
    assertThat(served.assertRight(1)).containsExactly("r=v1@1");
  }
}
