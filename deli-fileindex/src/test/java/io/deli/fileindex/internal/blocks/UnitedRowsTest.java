package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class UnitedRowsTest {
  private final List<String> asked = new ArrayList<>();

  /** Rows that are all known from the beginning. */
  private final class Known implements CandidateRows {
    private final String name;
    private final NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);

    Known(String name, String... rows) {
      this.name = name;
      Arrays.stream(rows).map(Bytes::toBytes).forEach(this.rows::add);
    }

    @Override
    public Optional<byte[]> begin(byte[] row) {
      asked.add("begin " + name);
      return Optional.ofNullable(rows.ceiling(row));
    }

    @Override
    public Optional<byte[]> last() {
      return rows.isEmpty() ? Optional.empty() : Optional.of(rows.last());
    }

    @Override
    public void opened(long readPoint) {
      asked.add("opened " + name);
    }

    @Override
    public Optional<byte[]> atOrBehind(byte[] row) {
      asked.add(name);
      return Optional.ofNullable(rows.ceiling(row));
    }
  }

  private static Optional<String> text(Optional<byte[]> row) {
    return row.map(Bytes::toString);
  }

  private static Optional<String> atOrBehind(CandidateRows rows, String row) throws IOException {
    return text(rows.atOrBehind(Bytes.toBytes(row)));
  }

  @Test
  void haveTheRowsOfEach() throws IOException {
    CandidateRows rows =
        new UnitedRows(
            List.of(new Known("a", "1", "5"), new Known("b", "3"), new Known("c")), true);
    assertThat(text(rows.begin(Bytes.toBytes("0")))).contains("1");
    assertThat(text(rows.last())).contains("5");
    rows.opened(1);
    assertThat(asked)
        .containsExactly("begin a", "begin b", "begin c", "opened a", "opened b", "opened c");
    assertThat(atOrBehind(rows, "0")).contains("1");
    assertThat(atOrBehind(rows, "2")).contains("3");
    assertThat(atOrBehind(rows, "4")).contains("5");
    assertThat(atOrBehind(rows, "6")).isEmpty();
  }

  @Test
  void haveNoneWhereNoneHas() throws IOException {
    CandidateRows rows = new UnitedRows(List.of(new Known("a"), new Known("b")), true);
    assertThat(rows.begin(Bytes.toBytes("0"))).isEmpty();
    assertThat(rows.last()).isEmpty();
  }

  @Test
  void askNoOtherForARowThatOneHas() throws IOException {
    CandidateRows rows = new UnitedRows(List.of(new Known("a", "1"), new Known("b", "1")), true);
    assertThat(atOrBehind(rows, "1")).contains("1");
    assertThat(asked).containsExactly("a");
  }

  /** Whose last rows are not known before they are open. */
  @Test
  void takeNoLocksOfOtherStoresWhileOneIsOpened() throws IOException {
    CandidateRows rows = new UnitedRows(List.of(new Known("a", "1"), new Known("b", "2")), false);
    assertThat(text(rows.begin(Bytes.toBytes("0")))).contains("0");
    assertThat(rows.last()).isEmpty();
    assertThat(asked).isEmpty();
  }
}
