package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.config.DeliSettings;
import io.deli.config.Setting;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class StrategiesTest {
  private static final List<String> NAMES =
      List.of("composite", "deferred", "eager", "embedded", "in-place", "lazy", "next", "none");

  @Test
  void allAreFoundByName_inOrder() {
    assertThat(Strategies.names()).isEqualTo(NAMES);
    assertThat(Strategies.all()).extracting(IndexStrategy::name).isEqualTo(NAMES);
    assertThat(NAMES).allSatisfy(name -> assertThat(Strategies.named(name).name()).isEqualTo(name));
    assertThatThrownBy(() -> Strategies.named("btree"))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("unknown strategy 'btree': use one of " + NAMES);
  }

  @Test
  void eachSaysWhatToChooseItFor_likeNoOther() {
    assertThat(Strategies.all())
        .extracting(IndexStrategy::purpose)
        .doesNotHaveDuplicates()
        .allSatisfy(purpose -> assertThat(purpose).isNotBlank());
  }

  @Test
  void settingsAreThoseOfAllStrategiesToo_inOrderAndOnce() {
    assertThat(Strategies.settings())
        .extracting(Setting::key)
        .isSorted()
        .doesNotHaveDuplicates()
        .contains(
            "deli.embedded.bits.per.key",
            "deli.list.bytes",
            "deli.next.gap.factor",
            "deli.next.sort.bytes",
            "deli.next.unindexed.bytes",
            "deli.next.zones")
        .containsAll(DeliSettings.all().stream().map(Setting::key).toList());
  }

  @Test
  void onlyEntriesInRowsOfTheirOwn_areInTheOrderThatIsAskedFor() {
    assertThat(Strategies.names(IndexStrategy::ordersEntries))
        .containsExactly("composite", "deferred", "in-place");
  }

  @Test
  void aMissingModule_isTold() {
    IndexDefinition definition = IndexDefinition.on("i", Column.parse("f:q")).withStrategy("next");
    assertThat(FileIndexing.missing(TableName.valueOf("t"), definition, "on this region server"))
        .startsWith("index 'i' of table t cannot be used: strategy 'next'")
        .contains("deli-fileindex, missing on this region server. Install");
  }
}
