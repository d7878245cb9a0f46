package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.internal.read.QueryEngine;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.test.model.WordsTokenizer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A version comes once, however many entries lead to it. */
class UniquenessTest {
  private static final Column COLUMN = QueriedTable.column("c");

  @Test
  void aValueOfSeveralTokensInTheRangeComesAtTheFirst() throws Exception {
    QueriedTable table =
        QueriedTable.create(
            "words",
            family -> family,
            IndexDefinition.on("i", COLUMN).withTokenizer(WordsTokenizer.class.getName()),
            IndexDefinition.on("t", COLUMN)
                .withTokenizer(WordsTokenizer.class.getName())
                .withOrder(EntryOrder.BY_TIME));
    table.write("r1", COLUMN, Bytes.toBytes("zoo bee be a bed"), 5);
    table.write("r2", COLUMN, Bytes.toBytes("bed"), 6);
    table.write("r3", COLUMN, Bytes.toBytes("a zoo"), 7);
    table.write("r4", COLUMN, Bytes.toBytes("bed"), 8);
    table.write("r4", COLUMN, Bytes.toBytes("bee"), 9);

    for (String index : List.of("i", "t")) {
      ValueQuery words = ValueQuery.on(index).prefix(Bytes.toBytes("b"));
      assertRows(table, words, "r1", "r2", "r4");
      assertRows(table, words.reversed(), index.equals("i") ? "r4 r1 r2" : "r1 r4 r2");
      assertRows(
          table,
          ValueQuery.on(index).between(Bytes.toBytes("bee"), Bytes.toBytes("zz")),
          index.equals("i") ? "r1 r4 r3" : "r4 r1 r3");
      assertRows(
          table,
          ValueQuery.on(index).equalTo(Bytes.toBytes("bed")),
          index.equals("i") ? "r1 r2" : "r2 r1");
      assertRows(table, words.mostRecent(2), "r4 r2");
    }
  }

  @Test
  void entriesThatDifferByWriteIdAreOneHit() throws Exception {
    QueriedTable table =
        QueriedTable.create(
            "writeids",
            family -> family.setMaxVersions(2),
            IndexDefinition.on("i", COLUMN),
            IndexDefinition.on("t", COLUMN).withOrder(EntryOrder.BY_TIME));
    byte[] value = Bytes.toBytes("v");
    for (long timestamp = 5; timestamp <= 7; timestamp++) {
      for (int i = 0; i < 3; i++) {
        table.writeEntries("r", COLUMN, value, timestamp, WriteId.of(i, timestamp));
      }
      table.write("r", COLUMN, value, timestamp);
    }
    for (String index : List.of("i", "t")) {
      ValueQuery query = ValueQuery.on(index).equalTo(value);
      assertRows(table, query, "r");
      assertRows(table, query.versions(2), "r r");
      assertRows(table, query.versions(2).reversed(), "r r");
      assertRows(table, query.asOf(5), "r");
    }
  }

  private static void assertRows(QueriedTable table, ValueQuery query, String... rows)
      throws IOException {
    String expected = String.join(" ", rows);
    for (int page : new int[] {1, 2, 256}) {
      // Versions as old as these are told apart without memory, too.
      try (QueryEngine lookups = QueriedTable.lookups(page, page == 2 ? 0 : 1 << 20)) {
        assertThat(rows(table.read(lookups, query))).as(query.toString()).isEqualTo(expected);
        if (query.options().mostRecent().isEmpty()) {
          assertThat(rows(table.readOn(lookups, query, 1)))
              .as(query.toString())
              .isEqualTo(expected);
        }
      }
    }
  }

  private static String rows(List<ValueHit> hits) {
    return String.join(" ", hits.stream().map(hit -> Bytes.toString(hit.row())).toList());
  }
}
