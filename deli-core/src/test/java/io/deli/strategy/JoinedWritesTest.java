package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class JoinedWritesTest {
  private static final Column A = Column.parse("f:a");
  private static final Column B = Column.parse("f:b");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final Index ONE = Index.of(TABLE, IndexDefinition.on("one", A));
  private static final Index BOTH = Index.of(TABLE, IndexDefinition.on("both", A, B));
  private static final byte[] KEY = Bytes.toBytes("k");

  private static Put put(String qualifier, long timestamp) {
    return add(new Put(KEY), qualifier, timestamp);
  }

  private static Put add(Put put, String qualifier, long timestamp) {
    return put.addColumn(A.family(), Bytes.toBytes(qualifier), timestamp, KEY);
  }

  private static void assertAllowed(Mutation mutation) {
    assertThat(JoinedWrites.refusal(BOTH, mutation)).isEmpty();
  }

  private static void assertRefused(Mutation mutation, String... words) {
    assertThat(JoinedWrites.refusal(ONE, mutation)).isEmpty();
    assertThat(JoinedWrites.refusal(BOTH, mutation))
        .get()
        .asString()
        .contains("table t, row 'k', index 'both' on several columns: ")
        .contains(words);
  }

  @Test
  void aPut_isOfAllColumns_withOneTimestamp_orOfNone() {
    assertAllowed(add(put("a", 1), "b", 1));
    assertAllowed(add(add(add(put("a", 1), "b", 1), "a", 2), "b", 2));
    assertAllowed(put("other", 1));
    assertAllowed(new Put(KEY).addColumn(Bytes.toBytes("g"), A.qualifier(), KEY));
    assertRefused(put("b", 1), "column f:b is put without f:a");
    assertRefused(add(put("a", 1), "b", 2), "different timestamps");
    assertRefused(add(add(put("a", 1), "b", 1), "b", 1), "twice");
  }

  @Test
  void aDelete_isOfAllVersions_andShowsNoOlderOne() {
    byte[] f = A.family();
    assertAllowed(new Delete(KEY).addFamily(f));
    assertAllowed(new Delete(KEY).addColumns(f, A.qualifier()));
    assertAllowed(new Delete(KEY).addColumn(f, Bytes.toBytes("other")));
    assertAllowed(new Delete(KEY).addFamily(f).setCellVisibility(new CellVisibility("x")));
    assertRefused(new Delete(KEY).addColumn(f, B.qualifier()), "single version");
    assertRefused(new Delete(KEY).addFamilyVersion(f, 3), "single version");
    assertRefused(
        new Delete(KEY).addColumns(f, B.qualifier()).setCellVisibility(new CellVisibility("x")),
        "column f:b by visibility labels");
  }

  @Test
  void whatIsComputed_isRefused() {
    assertAllowed(new Increment(KEY).addColumn(A.family(), Bytes.toBytes("other"), 1));
    assertRefused(new Increment(KEY).addColumn(A.family(), B.qualifier(), 1), "Increment", "f:b");
  }

  @Test
  void allColumns_areAskedFor_andWholeRowsWhereThereAreSeveral() {
    Scan scan = BOTH.key().addTo(new Scan());
    assertThat(scan.getFamilyMap().get(A.family())).containsExactly(A.qualifier(), B.qualifier());
    assertThat(BOTH.key().inParts(scan, 7).getBatch()).isEqualTo(-1);
    assertThat(ONE.key().inParts(new Scan(), 7).getBatch()).isEqualTo(7);
  }
}
