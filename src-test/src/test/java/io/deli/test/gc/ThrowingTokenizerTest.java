package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.gc.TroubleTest.assertObserved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.test.cluster.FailingTokenizer;
import io.deli.test.cluster.FailingTokenizer.Failure;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.token.Tokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a user's tokenizer throws at any hook, region servers live, flushes and compactions end,
 * each write is refused by one error, and when it behaves again everything works.
 */
class ThrowingTokenizerTest {
  private static CompactedTable create(Mode mode, IndexDefinition definition) throws IOException {
    return mode.create("throwing", 1, List.of(definition));
  }

  private static IndexDefinition byQ() {
    return TestTable.byQ().withTokenizer(FailingTokenizer.class.getName());
  }

  private static void failAtBad(Failure failure) {
    FailingTokenizer.fail(value -> value.startsWith("bad"), failure);
  }

  @AfterEach
  void behaveAndLive() {
    FailingTokenizer.work();
    assertThat(MiniCluster.utility().getMiniHBaseCluster().getLiveRegionServerThreads()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void refusesEachWriteByOneErrorWhileItThrows(Failure failure) throws Exception {
    try (CompactedTable table = create(Mode.STREAMING, byQ().withMaintenance(Maintenance.SERVER))) {
      Table plain = table.base();
      plain.put(put("a", "bad1"));
      failAtBad(failure);
      assertThatThrownBy(() -> plain.put(put("a", "bad2")))
          .isInstanceOf(DoNotRetryIOException.class);
      assertThatThrownBy(() -> plain.put(List.of(put("a", "bad2"), put("b", "bad2"))))
          .isInstanceOf(RetriesExhaustedWithDetailsException.class);
      assertThatThrownBy(
              () ->
                  plain.checkAndMutate(
                      CheckAndMutate.newBuilder(Bytes.toBytes("a"))
                          .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes("bad1"))
                          .build(put("a", "bad2"))))
          .isInstanceOf(DoNotRetryIOException.class);
      plain.put(put("c", "good"));
      assertObserved(table);
      FailingTokenizer.work();
      assertThat(table.raw()).as("nothing that was refused is there").hasSize(2);
      plain.put(put("a", "bad3"));
      assertThat(table.entrySet()).containsAll(table.justified());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPutIsDoneThoughTheEntriesOfWhatItSupersedesCannotBeTold(Failure failure) throws Exception {
    try (CompactedTable table = create(Mode.STREAMING, byQ().withStrategy("in-place"));
        DeliConnection deli = MiniCluster.connect();
        DeliTable written = deli.getTable(table.name())) {
      table.base().put(put("a", "bad"));
      failAtBad(failure);
      written.put(put("a", "good"));
      assertThat(rows(written, "good")).containsExactly("a");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "embedded, STATE", "embedded, DEPTH", "embedded, CLASS", "embedded, ASSERTION",
    "next, STATE", "next, DEPTH", "next, CLASS", "next, ASSERTION"
  })
  void filesAreWrittenAndScansFailUntilItBehaves(String strategy, Failure failure)
      throws Exception {
    try (CompactedTable table = create(Mode.STREAMING, byQ().withStrategy(strategy));
        DeliConnection deli = MiniCluster.connect();
        DeliTable read = deli.getTable(table.name())) {
      table.base().put(put("a", "bad"));
      table.base().put(put("b", "fine"));
      failAtBad(failure);
      table.base().put(put("c", "bad"));
      assertThatThrownBy(() -> rows(read, "fine")).as("memory").isInstanceOf(IOException.class);
      table.flush();
      table.base().put(put("d", "bad"));
      table.flush();
      assertThatThrownBy(() -> rows(read, "fine")).as("files").isInstanceOf(IOException.class);
      table.majorOnce();
      assertObserved(table);
      FailingTokenizer.work();
      assertThat(rows(read, "fine")).containsExactly("b");
      assertThat(rows(read, "bad")).containsExactly("a", "c", "d");
      table.base().put(put("e", "bad"));
      table.flush();
      assertThat(rows(read, "bad")).containsExactly("a", "c", "d", "e");
    }
  }

  private static List<String> rows(DeliTable table, String value) throws IOException {
    try {
      return TestTable.find(table, ValueQuery.on("by_q").equalTo(Bytes.toBytes(value)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Whose class cannot be initialized; the error comes out as it is. */
  public static final class Uninitialized implements Tokenizer {
    private static final List<byte[]> NOTHING = nothing();

    private static List<byte[]> nothing() {
      throw new AssertionError("the user's own");
    }

    @Override
    public List<byte[]> tokens(byte[] value) {
      return NOTHING;
    }
  }

  @Test
  void aRegionOpensThoughItsTokenizerCannotBeMade() throws Exception {
    TestTable table =
        TestTable.create(
            "uninitialized",
            1,
            List.of(
                TestTable.byQ()
                    .withTokenizer(Uninitialized.class.getName())
                    .withMaintenance(Maintenance.SERVER)));
    try (Table plain = table.table()) {
      assertThatThrownBy(() -> plain.put(put("a", "b"))).isInstanceOf(DoNotRetryIOException.class);
      assertThat(plain.getScanner(new Scan()).next()).isNull();
    }
  }
}
