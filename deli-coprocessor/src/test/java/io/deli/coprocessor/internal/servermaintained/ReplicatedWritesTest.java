package io.deli.coprocessor.internal.servermaintained;

import static io.deli.coprocessor.internal.servermaintained.LockedBatches.FAMILY;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.strategy.JoinedWrites;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ReplicatedWritesTest {
  private static final Index BOTH =
      Index.of(
          TableName.valueOf("t"),
          IndexDefinition.on("both", Column.parse("f:p"), Column.parse("f:q")));
  private static final List<UUID> OTHERS = List.of(new UUID(0, 1), new UUID(0, 2));
  private static final List<UUID> OWN = List.of(new UUID(0, 1), new UUID(0, 3));
  private static final ReplicatedWrites REPLICATED = new ReplicatedWrites(new UUID(0, 3)::toString);

  /** As of four Puts, two of them in one place. */
  private static Put put() {
    Put put = new Put(Bytes.toBytes("r"));
    add(put, 2, "a", "b");
    add(put, 1, "c", "d");
    add(put, 2, "e", "f");
    return put.addColumn(FAMILY, Bytes.toBytes("o"), 2, FAMILY);
  }

  private static void add(Put put, long timestamp, String p, String q) {
    put.addColumn(FAMILY, Bytes.toBytes("p"), timestamp, Bytes.toBytes(p));
    put.addColumn(FAMILY, Bytes.toBytes("q"), timestamp, Bytes.toBytes(q));
  }

  private static List<String> cells(Put put) {
    return put.getFamilyCellMap().get(FAMILY).stream().map(ReplicatedWritesTest::text).toList();
  }

  private static String text(Cell cell) {
    return "%s=%s@%d"
        .formatted(
            Bytes.toString(CellUtil.cloneQualifier(cell)),
            Bytes.toString(CellUtil.cloneValue(cell)),
            cell.getTimestamp());
  }

  @Test
  void ofPutsThatReplicationHasMadeOne_theLastOfEachTimestampStays() throws Exception {
    Put replicated = put().setClusterIds(OTHERS);
    REPLICATED.trim(replicated);
    assertThat(cells(replicated)).containsExactly("p=c@1", "q=d@1", "p=e@2", "q=f@2", "o=f@2");
    assertThat(JoinedWrites.refusal(BOTH, replicated)).isEmpty();
  }

  @Test
  void aPutThatIsNotReplicated_isAsItWas() throws Exception {
    Put put = put();
    REPLICATED.trim(put);
    assertThat(cells(put)).isEqualTo(cells(put()));
    put.setClusterIds(OWN);
    REPLICATED.trim(put);
    assertThat(cells(put)).isEqualTo(cells(put()));
    assertThat(JoinedWrites.refusal(BOTH, put)).get().asString().contains("twice");
  }

  /** Other coprocessors make Puts as they like. */
  @Test
  void aPutOfListsThatCannotBeChanged_isAsItWas() throws Exception {
    Put put = put();
    put.getFamilyCellMap().replaceAll((family, cells) -> List.copyOf(cells));
    REPLICATED.trim(put);
    assertThat(cells(put)).isEqualTo(cells(put()));
  }

  @Test
  void whatADeleteRestored_isLeftOut_andNotWhatWasComputedFromIt() throws Exception {
    Put put = LockedBatches.put("r", "p", 1);
    Cell version = put.getFamilyCellMap().get(FAMILY).get(0);
    Cell restored = WriteIdTags.restored(version, WriteId.of(1, 2));
    Cell computed =
        ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY)
            .setRow(put.getRow())
            .setFamily(FAMILY)
            .setQualifier(FAMILY)
            .setTimestamp(2)
            .setType(Cell.Type.Put)
            .setTags(PrivateCellUtil.getTags(restored))
            .build();
    Put replicated = new Put(put.getRow()).add(restored).add(computed).setClusterIds(OTHERS);
    REPLICATED.trim(replicated);
    assertThat(replicated.getFamilyCellMap().get(FAMILY)).containsExactly(computed);
    Put own = new Put(put.getRow()).add(restored).setClusterIds(OWN);
    REPLICATED.trim(own);
    Cell kept = own.getFamilyCellMap().get(FAMILY).get(0);
    assertThat(PrivateCellUtil.getTags(kept))
        .extracting(Tag::getType)
        .containsExactly(WriteId.TAG_TYPE);
  }
}
