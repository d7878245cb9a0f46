package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.test.cluster.Background;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that waits for its index while others of its row are done. */
class OvertakenWritesTest {
  private static final int CROWD = 10;
  private static final int TIMES = 100;
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] BEFORE = Bytes.toBytes("before");
  private static final byte[] CONDITIONAL = Bytes.toBytes("conditional");
  private static final byte[] MEANWHILE = Bytes.toBytes("meanwhile");
  private static final byte[] WAITED = Bytes.toBytes("waited");

  private ServedTable served;
  @AutoClose private Table table;

  @BeforeEach
  void create() throws IOException {
    served = ServedTable.create(BY_Q, "overtaken", 3);
    table = served.table();
  }

  /** The write that waited is the one that readers see, and the row's one in the index. */
  private void assertEndsLast(Overtaken overtaken, byte[] written) throws Exception {
    overtaken.end();
    assertThat(table.get(new Get(ROW)).getValue(FAMILY, OTHER)).isEqualTo(written);
    assertThat(served.assertRight(3)).hasSize(1);
  }

  /** The condition did not see it, so it came later, and is what is read. */
  @Test
  void comesBehindAConditionalOneThatDidNotSeeIt() throws Exception {
    table.put(other(BEFORE));
    Overtaken overtaken = new Overtaken(served, "");
    Put both = put("r", "v").addColumn(FAMILY, OTHER, WAITED);
    overtaken.begin(slow -> slow.put(both));
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(ROW).ifEquals(FAMILY, OTHER, BEFORE).build(other(CONDITIONAL));
    assertThat(table.checkAndMutate(conditional).isSuccess()).isTrue();
    assertEndsLast(overtaken, WAITED);
  }

  /** Readers saw the row with that and without it, and would see a part of it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void comesBehindOneThatWouldHideAPartOfIt(boolean atomic) throws Exception {
    Overtaken overtaken = new Overtaken(served, "");
    RowMutations parts = new RowMutations(ROW).add(List.of(put("r", "v"), other(WAITED)));
    Put both = put("r", "v").addColumn(FAMILY, OTHER, WAITED);
    overtaken.begin(
        slow -> {
          if (atomic) {
            slow.mutateRow(parts);
          } else {
            slow.put(both);
          }
        });
    table.put(other(MEANWHILE));
    Result between = table.get(new Get(ROW));
    assertThat(between.getValue(FAMILY, OTHER)).isEqualTo(MEANWHILE);
    assertThat(between.containsColumn(FAMILY, QUALIFIER)).isFalse();
    assertEndsLast(overtaken, WAITED);
  }

  /** It may have come behind the one, and ahead of the other. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isNotTriedAgainForOneThatHidesNothingOrAllOfIt(boolean all) throws Exception {
    Overtaken overtaken = new Overtaken(served, "slow");
    Put slow = put("r", "slow").addColumn(FAMILY, OTHER, WAITED);
    overtaken.begin(late -> late.put(slow));
    table.put(
        all
            ? put("r", "fast").addColumn(FAMILY, OTHER, MEANWHILE)
            : new Put(ROW).addColumn(FAMILY, MEANWHILE, MEANWHILE));
    overtaken.end();
    assertThat(table.get(new Get(ROW)).getValue(FAMILY, OTHER)).isEqualTo(all ? MEANWHILE : WAITED);
    assertThat(served.assertRight(3)).hasSize(all ? 2 : 1);
    assertThat(served.held()).hasSize(all ? 2 : 1);
  }

  /** Its rows are locked before they are shown, as those of conditions are. */
  @Test
  void comesBehindAConditionalOneOfSeveralRowsThatDidNotSeeIt() throws Exception {
    TestTable.alter(
        served.name(),
        descriptor -> descriptor.setCoprocessor(MultiRowMutationEndpoint.class.getName()));
    table.put(other(BEFORE));
    Overtaken overtaken = new Overtaken(served, "");
    Put both = put("r", "v").addColumn(FAMILY, OTHER, WAITED);
    overtaken.begin(slow -> slow.put(both));
    MutateRowsRequest conditional =
        MutateRowsRequest.newBuilder()
            .addMutationRequest(ProtobufUtil.toMutation(MutationType.PUT, other(CONDITIONAL)))
            .addCondition(
                ProtobufUtil.toCondition(
                    ROW, FAMILY, OTHER, CompareOperator.EQUAL, BEFORE, TimeRange.allTime()))
            .build();
    MultiRowMutationService.BlockingInterface service =
        MultiRowMutationService.newBlockingStub(table.coprocessorService(ROW));
    assertThat(service.mutateRows(null, conditional).getProcessed()).isTrue();
    assertEndsLast(overtaken, WAITED);
  }

  /** HBase refuses its second mutation, and tells nobody; many handlers meet it. */
  @Test
  void isForgottenWithItsRequest() throws Exception {
    RowMutations refused =
        new RowMutations(ROW)
            .add(
                List.of(
                    other(BEFORE), new Put(ROW).addColumn(Bytes.toBytes("none"), OTHER, BEFORE)));
    manyTimes(
        own ->
            assertThatThrownBy(() -> own.mutateRow(refused))
                .hasMessageContaining("NoSuchColumnFamilyException"));
    manyTimes(own -> own.increment(new Increment(ROW).addColumn(FAMILY, OTHER, 1)));
    assertThat(table.get(new Get(ROW)).getValue(FAMILY, OTHER))
        .isEqualTo(Bytes.toBytes((long) TIMES));
  }

  private interface Step {
    void take(Table table) throws IOException;
  }

  /** Many at once, which do not try again. */
  private void manyTimes(Step step) throws Exception {
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    ExecutorService crowd = Executors.newFixedThreadPool(CROWD);
    try (Connection connection = ConnectionFactory.createConnection(impatient)) {
      Callable<Void> once =
          () -> {
            try (Table own = connection.getTable(served.name())) {
              step.take(own);
            }
            return null;
          };
      for (Future<Void> done : crowd.invokeAll(Collections.nCopies(TIMES, once))) {
        done.get();
      }
    } finally {
      crowd.shutdownNow();
    }
  }

  /** It had not seen what waited, which is therefore written behind it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void comesBehindAComputedOneThatDidNotSeeIt(boolean increment) throws Exception {
    Overtaken overtaken = new Overtaken(served, "");
    Put both = put("r", "v").addColumn(FAMILY, OTHER, Bytes.toBytes(7L));
    overtaken.begin(slow -> slow.put(both));
    if (increment) {
      table.increment(new Increment(ROW).addColumn(FAMILY, OTHER, 1));
    } else {
      table.append(new Append(ROW).addColumn(FAMILY, OTHER, Bytes.toBytes(1L)));
    }
    assertEndsLast(overtaken, Bytes.toBytes(7L));
  }

  /** What it uncovers is more than it had seen when it put entries. */
  @Test
  void ifItDeletesOneVersionRestoresWhatIsSupersededMeanwhile() throws Exception {
    ServedTable once = ServedTable.create(BY_Q, "overtaken", 1);
    try (Table rows = once.table()) {
      rows.put(put("r", "v1"));
      rows.put(put("r", "v2"));
      Overtaken overtaken = new Overtaken(once, "v1");
      overtaken.begin(slow -> slow.delete(new Delete(ROW).addColumn(FAMILY, QUALIFIER)));
      rows.put(put("r", "v3"));
      once.deleteEntries();
      overtaken.end();
    }
    assertThat(once.assertRight(1))
        .singleElement(as(InstanceOfAssertFactories.STRING))
        .startsWith("r=v2@");
  }

  /** A write whose entries wait while others are done. */
  private static final class Overtaken {
    private final ServedTable served;
    private final Gate gate = new Gate();
    private CompletableFuture<Void> waiting;

    /**
     * @param within the rows of the entries that wait
     */
    Overtaken(ServedTable served, String within) throws IOException {
      this.served = served;
      HookObserver.on(served.index().table())
          .each(Moment.PUT, entry -> Bytes.contains(entry.getRow(), Bytes.toBytes(within)), gate);
    }

    /** Returns when it waits. */
    void begin(Step write) throws Exception {
      waiting =
          Background.run(
              () -> {
                try (Table table = served.table()) {
                  write.take(table);
                }
              });
      assertThat(gate.arrives()).isTrue();
    }

    void end() throws Exception {
      gate.open();
      waiting.get(2, TimeUnit.MINUTES);
    }
  }

  private static Put other(byte[] value) {
    return new Put(ROW).addColumn(FAMILY, OTHER, value);
  }
}
