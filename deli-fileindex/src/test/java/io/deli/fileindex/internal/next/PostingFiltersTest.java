package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.blocks.TokenBloom;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PostingFiltersTest {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
  private static final int TOKENS = 60_000;

  private final List<String> read = new ArrayList<>();

  /** Longer ones than 24 bytes are cut. */
  private static byte[] token(int number, int length) {
    return Bytes.toBytes("%06d".formatted(number) + "x".repeat(length - 6));
  }

  /** One row for each even number. */
  private static PostingIndex index(int length) throws IOException {
    return index(length, TOKENS);
  }

  private static PostingIndex index(int length, int tokens) throws IOException {
    NavigableMap<byte[], byte[]> keyOfRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int number = 0; number < 2 * tokens; number += 2) {
      keyOfRow.put(Bytes.toBytes(number), token(number, length));
    }
    return PostingIndex.of(keyOfRow);
  }

  private int rows(PostingIndex index, TokenRange tokens) throws IOException {
    BitSet parts = index.parts(tokens);
    byte[] all = {};
    Wanted wanted = new Wanted(INDEX, tokens, TimeRange.allTime(), all, all, false);
    return index
        .root()
        .search(
            wanted,
            parts,
            (name, content) -> {
              read.add(name);
              content.accept(ByteBuffer.wrap(index.blocks().get(name)));
            })
        .size();
  }

  private long postingBlocksRead() {
    return read.stream().filter(name -> !name.contains("filters")).count();
  }

  @Test
  void aTokenThatTheFileHasNot_costsNoPostingBlock() throws Exception {
    expectFilters(20);
  }

  @Test
  void aLongToken_isKnownAsAWhole() throws Exception {
    expectFilters(40);
  }

  private void expectFilters(int length) throws IOException {
    PostingIndex index = index(length);
    for (int number = 1; number < 2 * TOKENS; number += 20) {
      assertThat(rows(index, TokenRange.only(token(number, length)))).isLessThanOrEqualTo(1);
    }
    assertThat(postingBlocksRead()).isLessThan(TOKENS / 10 * 3 / 100);
    read.clear();
    for (int number = 0; number < 2 * TOKENS; number += 20) {
      assertThat(rows(index, TokenRange.only(token(number, length)))).isPositive();
    }
    assertThat(postingBlocksRead()).isGreaterThanOrEqualTo(TOKENS / 10);
  }

  @Test
  void ofAFewPostingBlocks_memoryHasTheFilters() throws Exception {
    for (int tokens : List.of(0, 1, 2_000, 20_000)) {
      PostingIndex index = index(20, tokens);
      assertThat(index.blocks()).hasSize(1 + index.root().zonesOfParts().size());
      assertThat(index.root().zonesOfParts()).hasSizeLessThanOrEqualTo(PostingFilters.BLOCKS);
      int errors = 0;
      for (int number = 0; number < 2 * tokens; number += 2) {
        assertThat(mayHold(index, number)).isTrue();
        errors += mayHold(index, number + 1) ? 1 : 0;
      }
      // Each filter errs once in a hundred and twenty times.
      assertThat(errors).isLessThanOrEqualTo(tokens * index.root().zonesOfParts().size() / 60);
      for (int number = 0; number < 2 * tokens; number += 98) {
        assertThat(rows(index, TokenRange.only(token(number, 20)))).isEqualTo(1);
      }
    }
    assertThat(read).noneMatch(name -> name.contains("filters"));
    assertThat(mayHold(index(20), 1)).as("in blocks").isTrue();
  }

  private static boolean mayHold(PostingIndex index, int number) {
    return index.root().mayHold(TokenBloom.hash(token(number, 20)));
  }

  @Test
  void aRange_asksNoFilter() throws Exception {
    PostingIndex index = index(20);
    TokenRange tokens = TokenRange.of(token(0, 20), Optional.of(token(10, 20)));
    assertThat(rows(index, tokens)).isEqualTo(5);
    assertThat(read).noneMatch(name -> name.contains("filters"));
  }

  @Test
  void withoutFiltersThatWereLost_theTokensAreFound() throws Exception {
    PostingIndex index = index(20);
    assertThat(index.root().zonesOfParts()).hasSizeGreaterThan(PostingFilters.BLOCKS);
    index.blocks().replaceAll((name, block) -> name.contains("filters") ? new byte[0] : block);
    for (int number = 0; number < 2 * TOKENS; number += 1_000) {
      assertThat(rows(index, TokenRange.only(token(number, 20)))).isEqualTo(1);
    }
  }
}
