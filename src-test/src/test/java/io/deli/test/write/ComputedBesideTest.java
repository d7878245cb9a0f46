package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.service.DrawnTimestamp;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestObserver;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts beside Increments that are done already when they are admitted. */
class ComputedBesideTest {
  private static final byte[] ROW = Bytes.toBytes("r");

  /** Serves them ahead of the row's lock. */
  public static final class Ahead implements TestObserver {
    @Override
    public Result preIncrement(
        ObserverContext<RegionCoprocessorEnvironment> context, Increment increment, WALEdit edit) {
      context.bypass();
      return Result.EMPTY_RESULT;
    }
  }

  /** Serves them with the row locked. */
  public static final class Locked implements TestObserver {
    @Override
    @SuppressWarnings("deprecation") // for observers alone; HBase has no other
    public Result preIncrementAfterRowLock(
        ObserverContext<RegionCoprocessorEnvironment> context, Increment increment) {
      context.bypass();
      return Result.EMPTY_RESULT;
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Ahead.class, Locked.class})
  void aPutBesideSuchAnIncrementIsApplied(Class<?> coprocessor) throws Exception {
    TestTable written = TestTable.create("foreign", 1);
    TestTable.alter(written.name(), table -> table.setCoprocessor(coprocessor.getName()));
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(written.name())) {
      for (String value : List.of("a", "b")) {
        table.mutateRow(beside(new Put(ROW).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value))));
        assertThat(table.get(new Get(ROW)).getValue(FAMILY, QUALIFIER))
            .isEqualTo(Bytes.toBytes(value));
      }
    }
  }

  private static RowMutations beside(Put put) throws IOException {
    return RowMutations.of(List.of(put, new Increment(ROW).addColumn(FAMILY, OTHER, 1)));
  }

  /** It is repeated by its nonce, since its answer was lost. */
  @Test
  void aPutBesideAnIncrementThatHBaseHasComputedIsNotAppliedTwice() throws Exception {
    TestTable written = TestTable.create("repeated", 1);
    Thread.sleep(2);
    long drawn = System.currentTimeMillis();
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(written.name())) {
      for (int i = 0; i < 2; i++) {
        Put put = new Put(ROW).addColumn(FAMILY, QUALIFIER, drawn, ROW);
        new DrawnTimestamp(drawn, true, false).setOn(put);
        written.regions().get(0).mutateRow(beside(put), drawn, drawn);
        table.delete(new Delete(ROW).addColumns(FAMILY, QUALIFIER));
      }
      Result row = table.get(new Get(ROW));
      assertThat(row.rawCells()).hasSize(1);
      assertThat(row.getValue(FAMILY, OTHER)).isEqualTo(Bytes.toBytes(1L));
    }
  }

  /** The Put before it is refused when it is repeated, for another was applied since. */
  @Test
  void anIncrementWithAConditionThatHBaseHasComputedIsNotComputedTwice() throws Exception {
    TestTable written = TestTable.create("conditional", 1);
    Thread.sleep(2);
    long drawn = System.currentTimeMillis();
    Put put = new Put(ROW).addColumn(FAMILY, QUALIFIER, drawn, ROW);
    new DrawnTimestamp(drawn, false, false).setOn(put);
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(ROW)
            .ifEquals(FAMILY, QUALIFIER, ROW)
            .build(new Increment(ROW).addColumn(FAMILY, OTHER, 1));
    HRegion region = written.regions().get(0);
    for (int i = 0; i < 2; i++) {
      RpcCall request = mock(RpcCall.class);
      when(request.getDeadline()).thenReturn(Long.MAX_VALUE);
      when(request.disconnectSince()).thenReturn(-1L);
      RpcServer.setCurrentCall(request);
      try {
        OperationStatusCode status =
            region.batchMutate(new Mutation[] {put})[0].getOperationStatusCode();
        assertThat(status == OperationStatusCode.SUCCESS).isEqualTo(i == 0);
        assertThat(region.checkAndMutate(conditional, drawn, drawn).isSuccess()).isTrue();
      } finally {
        RpcServer.unsetCurrentCall();
      }
      region.put(new Put(ROW).addColumn(FAMILY, QUALIFIER, ROW));
    }
    assertThat(region.get(new Get(ROW)).getValue(FAMILY, OTHER)).isEqualTo(Bytes.toBytes(1L));
  }
}
