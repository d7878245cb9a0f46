package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.query.TokenRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class TokenCutterTest {
  private static final String LONG = "x".repeat(100);

  private final List<Posting> passed = new ArrayList<>();

  private void cut(String... tokens) throws IOException {
    TokenCutter cutter = new TokenCutter(passed::add);
    int row = 0;
    for (String token : tokens) {
      cutter.take(new Posting(Bytes.toBytes(token), Bytes.toBytes(row++), 1, 2));
    }
    cutter.end();
    assertThat(passed)
        .extracting(posting -> Bytes.toInt(posting.row()))
        .containsExactlyElementsOf(IntStream.range(0, row).boxed().toList());
    assertThat(passed).allMatch(posting -> posting.oldest() == 1 && posting.newest() == 2);
  }

  @Test
  void aLongToken_keepsWhatTellsItFromItsNeighbours() throws Exception {
    cut("a" + LONG, LONG + "1" + LONG, LONG + "2" + LONG, "y" + LONG);
    String behind = "x".repeat(8);
    assertThat(passed)
        .extracting(posting -> Bytes.toString(posting.token()))
        .containsExactly(
            "a" + behind.substring(1),
            LONG + "1" + behind.substring(1),
            LONG + "2" + behind.substring(1),
            "y" + behind.substring(1));
    assertThat(passed).allMatch(Posting::isCut);
  }

  @Test
  void aTokenStaysWhole_ifItIsShort_orDiffersLate() throws Exception {
    cut("a".repeat(24), LONG + "1", LONG + "2", "y".repeat(25));
    assertThat(passed).extracting(Posting::isCut).containsExactly(false, false, false, true);
    assertThat(passed.get(3).tokens()).hasToString("[yyyyyyyy, yyyyyyyz)");
  }

  @Test
  void aTokenStaysWhole_ifItHasMoreThanSixteenRows() throws Exception {
    String[] tokens = new String[33];
    for (int row = 0; row < tokens.length; row++) {
      tokens[row] = (row < 16 ? "a" : "b") + LONG;
    }
    cut(tokens);
    assertThat(passed.subList(0, 16)).allMatch(Posting::isCut);
    assertThat(passed.subList(16, 33)).noneMatch(Posting::isCut);
  }

  private static PostingIndex index(String prefix, int length, int count) throws IOException {
    Random random = new Random(1);
    NavigableMap<byte[], byte[]> keyOfRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int row = 0; row < count; row++) {
      byte[] rest = new byte[length - prefix.length()];
      random.nextBytes(rest);
      keyOfRow.put(Bytes.toBytes(row), Bytes.add(Bytes.toBytes(prefix), rest));
    }
    return PostingIndex.of(keyOfRow);
  }

  /** But for tokens at the seam of two blocks, one of them is read. */
  @Test
  void aLookup_readsOneBlock_howeverMuchTokensHaveInCommon() throws Exception {
    PostingIndex index = index("x".repeat(500), 600, 10_000);
    assertThat(index.blocks()).hasSizeGreaterThan(5);
    assertThat(index.parts(TokenRange.only(Bytes.toBytes("x".repeat(500) + "x"))).cardinality())
        .isLessThanOrEqualTo(1);
    assertThat(index.parts(TokenRange.startingWith(Bytes.toBytes("x".repeat(501)))).cardinality())
        .isLessThanOrEqualTo(2);
  }

  @Test
  void postingsOfLongTokens_takeHardlyMoreThanThoseOfShortOnes() throws Exception {
    double shorter = index("", 32, 10_000).bytes();
    assertThat(index("", 1_024, 10_000).bytes() / shorter).isLessThan(1);
    assertThat(index("x".repeat(500), 1_024, 10_000).bytes() / shorter).isLessThan(1.2);
  }
}
