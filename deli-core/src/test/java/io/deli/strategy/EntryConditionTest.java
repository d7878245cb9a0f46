package io.deli.strategy;

import static org.apache.hadoop.hbase.TagType.VISIBILITY_TAG_TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.Maintenance;
import io.deli.query.Condition.OnIndex;
import io.deli.query.ValuePredicate.EqualTo;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class EntryConditionTest {
  private static final byte[] ROW = {'r'};
  private static final byte[] F = {'d'};
  private static final byte[] USER = Bytes.toBytes("user");
  private static final byte[] STATE = Bytes.toBytes("state");
  private static final byte[] OPEN = Bytes.toBytes("open");
  private static final byte[] CLOSED = Bytes.toBytes("closed");
  private static final byte[] VALUE = {'v'};
  private static final Column COLUMN = Column.of(F, STATE);
  private static final IndexDefinition PLAIN = IndexDefinition.on("i", Column.of(F, USER));
  private static final Index INDEX = index(PLAIN.withCondition(COLUMN, OPEN));
  private static final EntryCondition CONDITION = INDEX.condition().orElseThrow();

  private static Index index(IndexDefinition definition) {
    return Index.of(TableName.valueOf("t"), definition);
  }

  private static Put put() {
    return new Put(ROW);
  }

  private static Delete delete() {
    return new Delete(ROW);
  }

  private static Optional<String> refusal(Mutation mutation) {
    return CONDITION.refusal(mutation);
  }

  @Test
  void aConditionComesBackFromItsText() {
    for (String name : List.of("d:state", "d:a=b", "d:a:b", "d:")) {
      Column column = Column.parse(name);
      byte[] value = {'=', 0, ':', '\\'};
      assertThat(index(PLAIN.withCondition(column, value)).condition())
          .hasValue(new EntryCondition(PLAIN.column(), column, value));
    }
    assertThat(CONDITION).hasToString("d:state=open").hasSameHashCodeAs(CONDITION);
    assertThat(index(PLAIN).condition()).isEmpty();
    assertThat(INDEX.columns()).containsExactly(PLAIN.column(), COLUMN);
    assertThat(INDEX.scanned().condition()).isEqualTo(INDEX.condition());
    assertThat(INDEX.reads(index(PLAIN))).isFalse();
  }

  @Test
  void aConditionIsOnAnotherColumnOfTheFamily() {
    for (String wrong : List.of("d:user", "e:state")) {
      assertThatThrownBy(() -> index(PLAIN.withCondition(Column.parse(wrong), OPEN)))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContaining(
              "condition %s=open must be on another column of the family of d:user", wrong);
    }
    assertThatThrownBy(() -> index(PLAIN.withOption(IndexDefinition.WHERE, "d:state")))
        .hasMessageContaining("family:qualifier=value, not 'd:state'");
  }

  @Test
  void whereAnyWriterMayWrite_orNothingIsSaved_thereIsNoCondition() {
    IndexDefinition partial = PLAIN.withCondition(COLUMN, OPEN);
    assertThatThrownBy(() -> index(partial.withMaintenance(Maintenance.SERVER)))
        .hasMessageContaining("maintenance SERVER does not support condition d:state=open");
    for (IndexStrategy strategy : Strategies.all()) {
      if (strategy.keepsTable()) {
        assertThat(index(partial.withStrategy(strategy.name())).unanswerable())
            .containsExactlyInAnyOrder(QueryKind.values());
      } else {
        assertThatThrownBy(() -> index(partial.withStrategy(strategy.name())))
            .hasMessageContaining("has no entries that condition d:state=open could save");
      }
    }
  }

  @Test
  void putsOfBothColumns_andOthersThatHideTheRow_areTaken() {
    for (Put taken :
        List.of(
            put().addColumn(F, VALUE, 5, OPEN),
            put().addColumn(F, USER, 5, VALUE).addColumn(F, STATE, 5, OPEN),
            put().addColumn(F, USER, 5, VALUE).addColumn(F, STATE, 5, CLOSED).setTTL(1),
            put().addColumn(F, STATE, 5, CLOSED))) {
      assertThat(refusal(taken)).isEmpty();
      assertThat(INDEX.partialRefusal(taken)).isEmpty();
    }
    assertThat(index(PLAIN).partialRefusal(put().addColumn(F, USER, 5, VALUE))).isEmpty();
  }

  @Test
  void putsThatCouldBringTheRowInWithoutEntry_areRefused() {
    for (Put alone :
        List.of(
            put().addColumn(F, USER, 5, VALUE),
            put().addColumn(F, USER, 5, VALUE).addColumn(F, STATE, 6, CLOSED),
            put().addColumn(F, USER, 5, VALUE).addColumn(Bytes.toBytes("e"), STATE, 5, OPEN))) {
      assertThat(refusal(alone)).hasValue("a Put of d:user without d:state");
    }
    for (Put alone :
        List.of(
            put().addColumn(F, STATE, 5, OPEN),
            put()
                .addColumn(F, STATE, 6, OPEN)
                .addColumn(F, USER, 5, VALUE)
                .addColumn(F, STATE, 5, CLOSED))) {
      assertThat(refusal(alone)).hasValue("a Put of d:state=open without d:user");
    }
    for (Put passing :
        List.of(
            put().addColumn(F, STATE, 5, CLOSED).setTTL(1),
            put().addColumn(F, STATE, 5, CLOSED).setCellVisibility(new CellVisibility("l")))) {
      assertThat(refusal(passing))
          .hasValue("a Put of d:state without d:user that has a TTL, an ACL or labels");
    }
    assertThat(refusal(new Append(ROW).addColumn(F, STATE, OPEN)))
        .hasValue("Append on column d:state");
    assertThat(refusal(new Append(ROW).addColumn(F, VALUE, OPEN))).isEmpty();
  }

  private static Result stored(Put put, Tag... tags) {
    return Result.create(
        put.getFamilyCellMap().get(F).stream()
            .map(cell -> PrivateCellUtil.createCell(cell, List.of(tags)))
            .toList());
  }

  @Test
  void pairsWithLabels_haveEntriesWhateverTheirState() {
    Put pair = put().addColumn(F, USER, 5, VALUE).addColumn(F, STATE, 5, CLOSED);
    assertThat(CONDITION.leavesOut(pair, 5)).isTrue();
    assertThat(CONDITION.leavesOut(stored(pair))).isTrue();
    pair.setCellVisibility(new CellVisibility("secret"));
    assertThat(refusal(pair)).isEmpty();
    assertThat(CONDITION.leavesOut(pair, 5)).isFalse();
    assertThat(CONDITION.leavesOut(stored(pair, new ArrayBackedTag(VISIBILITY_TAG_TYPE, VALUE))))
        .isFalse();
  }

  @Test
  void deletesOfBothColumnsAlike_areTaken_andNoOthers() {
    for (Delete taken :
        List.of(
            delete(),
            delete().addFamily(F, 5),
            delete().addColumns(F, USER, 5).addColumns(F, STATE, 5),
            delete().addColumn(F, VALUE))) {
      assertThat(refusal(taken)).isEmpty();
    }
    for (Delete single :
        List.of(
            delete().addColumn(F, USER),
            delete().addColumn(F, STATE, 5),
            delete().addColumn(F, USER, 5).addColumn(F, STATE, 5),
            delete().addFamilyVersion(F, 5))) {
      assertThat(refusal(single)).hasValue("a delete of single versions of d:user or d:state");
    }
    for (Delete unequal :
        List.of(
            delete().addColumns(F, USER, 5),
            delete().addColumns(F, STATE, 5),
            delete().addColumns(F, USER, 5).addColumns(F, STATE, 6))) {
      assertThat(refusal(unequal)).hasValue("a delete of one of d:user and d:state");
    }
    Index unqualified = index(PLAIN.withCondition(Column.parse("d:"), OPEN));
    assertThat(unqualified.partialRefusal(delete().addFamily(F, 5))).isEmpty();
    assertThat(unqualified.partialRefusal(delete().addColumns(F, new byte[0], 5))).isPresent();
    assertThat(INDEX.partialRefusal(delete().addColumns(F, USER, 5)))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .startsWith("table t, row 'r': a delete of one of d:user and d:state, by which")
                    .contains("index 'i', of rows with d:state=open, could miss the row."));
  }

  @Test
  void aQueryNamesAColumnByItsColon() {
    assertThat(new OnIndex("d:state", new EqualTo(OPEN)).isOfColumn()).isTrue();
    assertThat(new OnIndex("i", new EqualTo(OPEN)).isOfColumn()).isFalse();
  }

  /**
   * Whatever was in the row before the index was made, and whenever files are compacted that are
   * not all of them.
   */
  @Test
  void aRowInTheIndexHasItsEntry() throws Exception {
    for (int seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      PartialIndexRow row = new PartialIndexRow(INDEX, 1 + random.nextInt(3));
      for (int i = random.nextInt(6); i > 0; i--) {
        row.apply(row.mutation(random, false), false);
        row.compact(random);
      }
      row.build();
      row.requireEntry();
      for (int i = random.nextInt(20); i > 0; i--) {
        boolean drawn = random.nextInt(4) > 0;
        Mutation mutation = row.mutation(random, drawn);
        if (refusal(mutation).isEmpty()) {
          row.apply(mutation, drawn);
          row.requireEntry();
        }
        row.compact(random);
        row.requireEntry();
      }
    }
  }
}
