package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.strategy.internal.DefinitionJson;
import net.jqwik.api.Example;
import org.apache.hadoop.hbase.TableName;

/** Definitions of indexes on several columns. */
class JoinedDefinitionsTest {
  private static final TableName TABLE = TableName.valueOf("ns:t");
  private static final IndexDefinition DEFINITION =
      IndexDefinition.on("by_user", Column.parse("d:user"));

  /** One that knows the first column only would write entries that nobody finds. */
  @Example
  void onlyReadersThatKnowAreGivenSeveralColumns() {
    Column time = Column.parse("d:time");
    IndexDefinition joined =
        IndexDefinition.on("by_user_time", DEFINITION.column(), time)
            .withType(ValueType.STRING, ValueType.LONG)
            .withDescending(time);
    String json = DefinitionJson.write(TABLE, joined);
    assertThat(json).contains("\"version\":6", "\"column\":\"d:user\"", "d:time");
    assertThat(DefinitionJson.read(TABLE, json, "here")).isEqualTo(joined);
    assertThat(joined.columnNames()).isEqualTo("d:user, d:time descending");
    assertThat(joined.typeNames()).isEqualTo("STRING, LONG");
    IndexDefinition turned = IndexDefinition.on("by_user_time", time, DEFINITION.column());
    assertThat(joined.tokenSource()).isNotEqualTo(turned.tokenSource());
  }

  @Example
  void severalColumnsAreForStrategiesThatJoinThem() {
    IndexDefinition joined =
        IndexDefinition.on("by_user_time", DEFINITION.column(), Column.parse("d:time"));
    for (String strategy : new String[] {"deferred", "composite", "in-place", "none"}) {
      Index index = Index.of(TABLE, joined.withStrategy(strategy));
      assertThat(index.scanned().key().areJoined()).isTrue();
    }
    IndexDefinition partial = joined.withCondition(Column.parse("d:state"), new byte[1]);
    assertThatThrownBy(() -> Index.of(TABLE, partial))
        .hasMessageContainingAll("by_user_time", "d:state=", "several columns");
    for (String strategy : new String[] {"eager", "lazy", "embedded", "next"}) {
      assertThatThrownBy(() -> Index.of(TABLE, joined.withStrategy(strategy)))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll("by_user_time", strategy, "several columns", "'deferred'");
    }
  }

  @Example
  void columnsAreOfOneFamilyAndOnceEach() {
    Column user = DEFINITION.column();
    assertThatThrownBy(() -> IndexDefinition.on("i", user, Column.parse("e:time")))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll("'i'", "d:user", "e:time", "one family");
    assertThatThrownBy(() -> IndexDefinition.on("i", user, user)).hasMessageContaining("twice");
    assertThatThrownBy(() -> IndexDefinition.on("i")).hasMessageContaining("name a column");
    assertThatThrownBy(() -> DEFINITION.withDescending(user)).hasMessageContaining("reversed()");
    assertThatThrownBy(() -> DEFINITION.withDescending(Column.parse("d:x")))
        .hasMessageContaining("not on column d:x");
    assertThatThrownBy(() -> DEFINITION.withType(ValueType.LONG, ValueType.INT))
        .hasMessageContaining("one for each of its 1 columns");
  }
}
