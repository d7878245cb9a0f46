package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.entry.RowClock;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Operations of one row in a list take effect in its order, although the first one's timestamp is
 * older than another's write, and those of the next ones are not.
 */
class OvertakenListsTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] FREE = Bytes.toBytes("free");
  private static final byte[] MINE = Bytes.toBytes("mine");
  private static final byte[] NEXT = Bytes.toBytes("next");
  private static final byte[] SEVEN = Bytes.toBytes(7L);

  private final TestTable written;

  OvertakenListsTest() throws IOException {
    written = TestTable.create("lists", 3);
  }

  private static Put put(byte[] column, byte[] value) {
    return new Put(ROW).addColumn(FAMILY, column, value);
  }

  private static RowMutations together(byte[] value) throws IOException {
    return RowMutations.of(List.of(put(OTHER, value), put(QUALIFIER, value)));
  }

  private static CheckAndMutate when(byte[] value, Mutation then) {
    CheckAndMutate.Builder condition =
        CheckAndMutate.newBuilder(ROW).ifEquals(FAMILY, OTHER, value);
    return then instanceof Put put ? condition.build(put) : condition.build((Increment) then);
  }

  private static Increment increment() {
    return new Increment(ROW).addColumn(FAMILY, OTHER, 1);
  }

  private Object[] overtaken(Put meanwhile, Row... list) throws Exception {
    Object[] answers = overtake(meanwhile, list);
    Eventually.holds(written::assertIndexed);
    return answers;
  }

  /** Has another write while the first timestamp of the list is drawn and not yet used. */
  private Object[] overtake(Put meanwhile, Row... list) throws Exception {
    Object[] answers = new Object[list.length];
    PausingOracle oracle = new PausingOracle(new RowClock(InstantSource.system())::next);
    try (DeliConnection slow =
            DeliConnection.wrap(
                ConnectionFactory.createConnection(MiniCluster.configuration()), oracle);
        DeliTable table = slow.getTable(written.name());
        DeliConnection prompt = MiniCluster.connect();
        DeliTable other = prompt.getTable(written.name())) {
      oracle.overtake(() -> table.batch(List.of(list), answers), () -> other.put(meanwhile));
    }
    return answers;
  }

  private byte[] read() throws IOException {
    try (Table table = written.table()) {
      return table.get(new Get(ROW)).getValue(FAMILY, OTHER);
    }
  }

  private static boolean isSuccess(Object answer) {
    return ((CheckAndMutateResult) answer).isSuccess();
  }

  @Test
  void putsAndADelete() throws Exception {
    overtaken(put(QUALIFIER, FREE), put(QUALIFIER, MINE), put(QUALIFIER, NEXT), new Delete(ROW));
    try (Table table = written.table()) {
      assertThat(table.exists(new Get(ROW))).isFalse();
    }
  }

  @Test
  void aConditionalWriteThatAnyRowTakes() throws Exception {
    overtaken(
        put(OTHER, NEXT),
        put(OTHER, FREE),
        CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, QUALIFIER).build(put(OTHER, MINE)));
    assertThat(read()).isEqualTo(MINE);
  }

  @Test
  void aConditionalWriteThatReadsWhatAPutWrites() throws Exception {
    Object[] answers = overtaken(put(OTHER, NEXT), put(OTHER, FREE), when(FREE, put(OTHER, MINE)));
    assertThat(isSuccess(answers[1])).isTrue();
    assertThat(read()).isEqualTo(MINE);
  }

  /** Of these HBase's client tells all the failure of the last. */
  @Test
  void conditionalWritesThatReadWhatThoseBeforeWrite() throws Exception {
    Object[] answers =
        overtaken(
            put(OTHER, NEXT),
            put(OTHER, FREE),
            when(FREE, put(OTHER, MINE)),
            when(MINE, put(OTHER, SEVEN)),
            when(SEVEN, increment()));
    assertThat(answers).allMatch(each -> !(each instanceof Throwable));
    assertThat(List.of(answers).subList(1, 4)).allMatch(OvertakenListsTest::isSuccess);
    assertThat(read()).isEqualTo(Bytes.toBytes(8L));
  }

  @Test
  void severalRowMutations() throws Exception {
    overtaken(put(OTHER, FREE), together(MINE), together(NEXT));
    assertThat(read()).isEqualTo(NEXT);
  }

  @Test
  void whatIsComputedFromWhatAPutWrites() throws Exception {
    overtaken(put(OTHER, Bytes.toBytes(100L)), put(OTHER, SEVEN), increment());
    assertThat(read()).isEqualTo(Bytes.toBytes(8L));
    overtaken(put(OTHER, FREE), put(OTHER, MINE), new Append(ROW).addColumn(FAMILY, OTHER, NEXT));
    assertThat(read()).isEqualTo(Bytes.add(MINE, NEXT));
  }

  /** HBase looks for the latest version when it has applied what an Increment ends. */
  @Test
  void aDeleteOfTheLatestVersion() throws Exception {
    Delete latest = new Delete(ROW).addColumn(FAMILY, OTHER);
    overtaken(put(OTHER, Bytes.toBytes(100L)), put(OTHER, SEVEN), increment(), latest);
    assertThat(read()).isEqualTo(SEVEN);
    overtaken(
        put(OTHER, Bytes.toBytes(100L)),
        put(OTHER, SEVEN),
        increment(),
        RowMutations.of(List.of(latest)));
    assertThat(read()).isEqualTo(SEVEN);
  }

  /** It is sent again, and would delete what follows it in the list. */
  @Test
  void aDeleteOfTheLatestVersionAheadOfAnApplicationsTimestamp() throws Exception {
    try (Table table = written.table()) {
      table.put(new Put(ROW).addColumn(FAMILY, OTHER, 1, NEXT));
    }
    overtaken(
        put(QUALIFIER, FREE),
        put(QUALIFIER, MINE),
        new Delete(ROW).addColumn(FAMILY, OTHER),
        new Put(ROW).addColumn(FAMILY, OTHER, System.currentTimeMillis(), SEVEN));
    assertThat(read()).isEqualTo(SEVEN);
  }

  /** Each attempt restores the entry of the version that it exposes. */
  @Test
  void aDeleteOfTheLatestVersionThatExposesOthers() throws Exception {
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(written.name())) {
      for (int i = 0; i < 5; i++) {
        table.put(put(QUALIFIER, new byte[] {(byte) i}));
      }
    }
    Delete latest = new Delete(ROW).addColumn(FAMILY, QUALIFIER);
    for (Row delete : List.of(latest, RowMutations.of(List.of(latest)))) {
      overtake(put(QUALIFIER, FREE), put(QUALIFIER, MINE), increment(), delete);
      try (Table table = written.table()) {
        assertThat(table.get(new Get(ROW)).getValue(FAMILY, QUALIFIER)).isEqualTo(FREE);
      }
    }
    written.collect();
    Eventually.holds(written::assertIndexed);
  }
}
