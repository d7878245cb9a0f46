package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.RowList;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.junit.jupiter.api.Test;

class PostingBlockTest {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));

  private final PostingBlock.Writer writer = new PostingBlock.Writer();

  private static byte[] text(int length) {
    return Bytes.toBytes("%05d".formatted(length) + "x".repeat(length));
  }

  @Test
  void aBlock_namesEachTokenOnce() throws Exception {
    assertThat(writer.isEmpty()).isTrue();
    for (String token : List.of("", "", "a", "a", "b")) {
      writer.add(new Posting(Bytes.toBytes(token), text(writer.tokens().size()), 5, 5));
    }
    assertThat(writer.isEmpty()).isFalse();
    assertThat(writer.tokens())
        .map(token -> Bytes.toString(token.first()))
        .containsExactly("", "a", "b");
  }

  @Test
  void aBlock_hasARestartPointForEverySixteenPostings() throws Exception {
    for (int row = 0; row < 33; row++) {
      writer.add(new Posting(text(0), text(row), 5, 5));
    }
    byte[] block = writer.toBytes();
    assertThat(Bytes.toInt(block, block.length - Integer.BYTES)).isEqualTo(3);
    assertThat(Bytes.toInt(block, block.length - 4 * Integer.BYTES)).isZero();
  }

  @Test
  void aBlock_isFullFromItsSizeOn() throws Exception {
    int besidesTheRow = 9;
    for (int missing : new int[] {1, 0}) {
      PostingBlock.Writer one = new PostingBlock.Writer();
      one.add(new Posting(new byte[1], new byte[(32 << 10) - besidesTheRow - missing], 5, 5));
      assertThat(one.isFull()).isEqualTo(missing == 0);
    }
  }

  @Test
  void search_findsTokensAndRowsOfAnyLength() throws Exception {
    int longest = 500;
    for (int length = 0; length < longest; length++) {
      writer.add(new Posting(text(length), text(longest - length), length, 2L * length));
    }
    byte[] block = writer.toBytes();
    for (int length = 0; length < longest; length++) {
      RowList found = search(block, TokenRange.only(text(length)));
      assertThat(found.rows()).containsExactly(text(longest - length));
      assertThat(found.newest()).containsExactly(2L * length);
    }
    assertThat(search(block, TokenRange.only(text(longest))).isEmpty()).isTrue();
  }

  private static RowList search(byte[] block, TokenRange tokens) {
    Wanted wanted = new Wanted(INDEX, tokens, TimeRange.allTime(), new byte[0], new byte[0], false);
    RowList.Builder found = new RowList.Builder(new Blocks(List.of()), true);
    PostingBlock.search(ByteBuffer.wrap(block), wanted, found);
    return (RowList) found.build();
  }

  @Test
  void numbers_areReadAsHadoopWritesThem() throws Exception {
    List<Long> numbers = new ArrayList<>();
    for (int bits = 0; bits < Long.SIZE; bits++) {
      for (long near = -1; near <= 1; near++) {
        numbers.add((1L << bits) + near);
        numbers.add(-(1L << bits) + near);
      }
    }
    assertThat(numbers).allSatisfy(number -> assertThat(read(number)).isEqualTo(number));
  }

  private static long read(long number) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WritableUtils.writeVLong(new DataOutputStream(bytes), number);
    return Posting.readVLong(ByteBuffer.wrap(bytes.toByteArray()));
  }
}
