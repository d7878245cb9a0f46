package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.entry.WriteId;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The delete of one exact version may make an older one current whose entry is collected. */
class ExactVersionDeleteTest extends ConfiguredClient {
  private static final byte[] OLD = Bytes.toBytes("old");
  private static TestTable written;

  @AutoClose("shutdownNow")
  private final ExecutorService others = Executors.newCachedThreadPool();

  @BeforeAll
  static void create() throws Exception {
    written = TestTable.create("exact", 1);
  }

  /** Ways to delete the version at timestamp 20. */
  enum Way {
    LATEST {
      @Override
      void apply(DeliTable table, byte[] row) throws Exception {
        table.delete(new Delete(row).addColumn(FAMILY, QUALIFIER));
      }
    },
    TIMESTAMP {
      @Override
      void apply(DeliTable table, byte[] row) throws Exception {
        table.delete(new Delete(row).addColumn(FAMILY, QUALIFIER, 20));
      }
    },
    FAMILY_VERSION {
      @Override
      void apply(DeliTable table, byte[] row) throws Exception {
        table.delete(new Delete(row).addFamilyVersion(FAMILY, 20));
      }
    },
    LIST {
      @Override
      void apply(DeliTable table, byte[] row) throws Exception {
        List<Delete> deletes = new ArrayList<>();
        deletes.add(new Delete(row).addColumn(FAMILY, QUALIFIER, 20));
        deletes.add(new Delete(Bytes.toBytes("nobody")).addColumn(FAMILY, QUALIFIER, 20));
        table.delete(deletes);
      }
    },
    BATCH_OF_ROW_MUTATIONS {
      @Override
      void apply(DeliTable table, byte[] row) throws Exception {
        RowMutations mutations =
            RowMutations.of(List.of(new Delete(row).addColumn(FAMILY, QUALIFIER)));
        table.batch(List.<Row>of(mutations), new Object[1]);
      }
    },
    CONDITION {
      @Override
      void apply(DeliTable table, byte[] row) throws Exception {
        assertThat(
                table
                    .checkAndMutate(
                        CheckAndMutate.newBuilder(row)
                            .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes("new"))
                            .build(new Delete(row).addColumn(FAMILY, QUALIFIER, 20)))
                    .isSuccess())
            .isTrue();
      }
    };

    abstract void apply(DeliTable table, byte[] row) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void theExposedVersionIsFound(Way way) throws Exception {
    byte[] row = Bytes.toBytes("row-" + way);
    try (DeliTable table = (DeliTable) connection.getTable(written.name())) {
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 10, OLD));
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 20, Bytes.toBytes("new")));
      // Collected, but the base still holds the version: a compaction that died at its end.
      written.deleteEntriesAt(10);
      way.apply(table, row);
      assertThat(written.justified()).contains("old>row-" + way + "@10");
      assertThat(found(table)).contains("row-" + way);
    }
  }

  /** The Put beside it, which would take its place, is refused. */
  @Test
  void whatARefusedPutDoesNotReplaceIsFound() throws Exception {
    byte[] row = Bytes.toBytes("refused");
    try (DeliTable table = (DeliTable) connection.getTable(written.name());
        Table plain = MiniCluster.connection().getTable(written.name())) {
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 10, OLD));
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 20, Bytes.toBytes("new")));
      written.deleteEntriesAt(10);
      Put malformed = new Put(row).addColumn(FAMILY, QUALIFIER, 10, Bytes.toBytes("never"));
      malformed.setAttribute(WriteId.ATTRIBUTE, new byte[1]);
      Object[] results = new Object[2];
      assertThatThrownBy(
              () ->
                  plain.batch(
                      List.of(new Delete(row).addColumn(FAMILY, QUALIFIER, 20), malformed),
                      results))
          .isInstanceOf(IOException.class);
      assertThat(results[0]).isInstanceOf(Result.class);
      assertThat(plain.get(new Get(row)).getValue(FAMILY, QUALIFIER)).isEqualTo(OLD);
      assertThat(found(table)).contains("refused");
    }
  }

  /** The exposed version is put again, and would hide it. */
  @Test
  void whatIsPutInThePlaceOfTheExposedVersionMeanwhileStands() throws Exception {
    byte[] row = Bytes.toBytes("place");
    Gate gate = new Gate();
    try (DeliTable table = (DeliTable) connection.getTable(written.name())) {
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 10, Bytes.toBytes("exposed")));
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 20, Bytes.toBytes("new")));
      HookObserver.on(written.name(), Coprocessor.PRIORITY_LOWEST).once(Moment.LOCKED, gate);
      Future<?> deleted = others.submit(() -> apply(Way.TIMESTAMP, row));
      assertThat(gate.arrives()).isTrue();
      Future<?> put =
          others.submit(
              () -> {
                table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 10, OLD));
                return null;
              });
      assertThatThrownBy(() -> put.get(500, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      gate.open();
      deleted.get();
      put.get();
      assertThat(table.get(new Get(row)).getValue(FAMILY, QUALIFIER)).isEqualTo(OLD);
      assertThat(found(table)).contains("place");
    }
  }

  /** The observer fails behind the delete, whose thread serves no other. */
  @Test
  void aRowWhoseDeleteFailsInAnotherObserverIsNotKeptFromOthers() throws Exception {
    byte[] row = Bytes.toBytes("kept");
    try (DeliTable table = (DeliTable) connection.getTable(written.name())) {
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 10, Bytes.toBytes("exposed")));
      table.put(new Put(row).addColumn(FAMILY, QUALIFIER, 20, Bytes.toBytes("new")));
      HookObserver.on(written.name(), Coprocessor.PRIORITY_LOWEST)
          .once(
              Moment.DELETE_DONE,
              (region, delete) -> {
                throw new DoNotRetryIOException("failed on purpose");
              });
      HRegion region = written.regions().get(0);
      Future<?> deleted =
          others.submit(
              () -> {
                region.delete(new Delete(row).addColumn(FAMILY, QUALIFIER, 20));
                return null;
              });
      assertThatThrownBy(deleted::get).hasStackTraceContaining("failed on purpose");
      region.put(new Put(row).addColumn(FAMILY, QUALIFIER, 10, OLD));
      assertThat(table.get(new Get(row)).getValue(FAMILY, QUALIFIER)).isEqualTo(OLD);
    }
  }

  private static Void apply(Way way, byte[] row) throws Exception {
    try (DeliTable table = (DeliTable) connection.getTable(written.name())) {
      way.apply(table, row);
    }
    return null;
  }

  private static List<String> found(DeliTable table) throws Exception {
    return TestTable.find(table, ValueQuery.on("by_q").equalTo(OLD));
  }
}
