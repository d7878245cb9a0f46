package io.deli.test.read;

import static io.deli.test.read.ChangingTable.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.test.read.ChangingTable.Kind;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conditions on values that are longer than a row key can be. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongOperandsTest {
  private static final String TOO_LONG = "m".repeat(40_000);

  /** As long as the region locator's requests are not. */
  private static final String LONG = "m".repeat(32_750);

  private static final String STORED = "m".repeat(20_000);

  /** About as long as an entry can be. */
  private static final String LONGEST = "m".repeat(32_180);

  @ParameterizedTest
  @EnumSource(names = {"BY_KEY", "BY_TIME", "LAZY", "EMBEDDED"})
  void query_operandsLongerThanEntries_answersAndLeavesNothingBehind(Kind kind) throws Exception {
    try (ChangingTable table = new ChangingTable(kind, 2)) {
      table.put("alice", "a", "alice");
      table.put("long", "a", STORED);
      table.put("longest", "a", LONGEST);
      table.put("zoe", "a", "zoe");
      // The table's regions are unknown yet to the connection.
      try (ChangingTable reader = table.again()) {
        for (int i = 0; i < 9; i++) {
          assertThat(reader.rows(on().equalTo(bytes(TOO_LONG)))).isEmpty();
          assertThat(reader.rows(on().equalTo(bytes(LONG)))).isEmpty();
          assertThat(reader.rows(on().prefix(bytes(TOO_LONG)))).isEmpty();
          assertThat(reader.rows(on().prefix(bytes(LONG)))).isEmpty();
        }
        for (String bound : new String[] {TOO_LONG, LONG}) {
          assertThat(reader.rows(on().atMost(bytes(bound))))
              .containsOnly("alice", "long", "longest");
          assertThat(reader.rows(on().atMost(bytes(bound)).reversed()))
              .containsOnly("alice", "long", "longest");
          assertThat(reader.rows(on().atLeast(bytes(bound)))).containsExactly("zoe");
          assertThat(reader.rows(on().atLeast(bytes(bound)).reversed())).containsExactly("zoe");
        }
        assertThat(reader.rows(on().equalTo(bytes("alice")))).containsExactly("alice");
        assertThat(reader.rows(on().equalTo(bytes(STORED)))).containsExactly("long");
        assertThat(reader.rows(on().equalTo(bytes(LONGEST)))).containsExactly("longest");
      }
    }
  }

  private static ValueQuery.Target on() {
    return ValueQuery.on("a");
  }
}
