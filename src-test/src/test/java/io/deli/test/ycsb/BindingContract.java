package io.deli.test.ycsb;

import static io.deli.test.ycsb.Records.equalTo;
import static io.deli.test.ycsb.Records.keys;
import static io.deli.test.ycsb.Records.prefix;
import static io.deli.test.ycsb.Records.range;
import static io.deli.test.ycsb.Records.record;
import static io.deli.test.ycsb.Records.results;
import static io.deli.test.ycsb.Records.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.ycsb.ValueReads;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** What every binding does, on an empty table of two fields. */
final class BindingContract {
  private BindingContract() {}

  static <T extends DB & ValueReads> void assertAnswersEveryOperation(T client, String table) {
    for (int i = 1; i <= 9; i++) {
      assertThat(client.insert(table, "user" + i, record("v" + i % 3, "text" + i)))
          .isEqualTo(Status.OK);
    }
    assertThat(client.update(table, "user3", record("v1", "changed"))).isEqualTo(Status.OK);
    assertThat(client.delete(table, "user4")).isEqualTo(Status.OK);
    assertKeyedReads(client, table);
    assertReadsByValue(client, table);
  }

  private static void assertKeyedReads(DB client, String table) {
    Map<String, ByteIterator> read = new HashMap<>();
    assertThat(client.read(table, "user3", null, read)).isEqualTo(Status.OK);
    assertThat(text(read)).containsExactlyInAnyOrderEntriesOf(text(record("v1", "changed")));
    assertThat(client.read(table, "user4", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);

    var scanned = results();
    assertThat(client.scan(table, "user4", 2, Set.of("field1"), scanned)).isEqualTo(Status.OK);
    assertThat(scanned.stream().map(Records::text))
        .containsExactly(Map.of("field1", "text5"), Map.of("field1", "text6"));
  }

  private static void assertReadsByValue(ValueReads client, String table) {
    var found = results();
    assertThat(client.find(table, equalTo("field0", "v1", 0, null), found)).isEqualTo(Status.OK);
    assertThat(keys(found)).containsExactlyInAnyOrder("user1", "user3", "user7");
    assertThat(text(found.get(0))).containsOnlyKeys("field0", "field1", ValueReads.KEY);

    var newest = results();
    assertThat(client.find(table, equalTo("field0", "v1", 2, Set.of("field1")), newest))
        .isEqualTo(Status.OK);
    assertThat(newest.stream().map(Records::text))
        .containsExactly(
            Map.of("field1", "changed", ValueReads.KEY, "user3"),
            Map.of("field1", "text7", ValueReads.KEY, "user7"));

    var range = results();
    assertThat(client.find(table, range("v1", "v2"), range)).isEqualTo(Status.OK);
    assertThat(keys(range))
        .containsExactlyInAnyOrder("user1", "user2", "user3", "user5", "user7", "user8");

    var prefix = results();
    assertThat(client.find(table, prefix("v"), prefix)).isEqualTo(Status.OK);
    assertThat(prefix).hasSize(8);
    assertThat(client.find(table, equalTo("field1", "text1", 0, null), results()))
        .isEqualTo(Status.BAD_REQUEST);
  }
}
