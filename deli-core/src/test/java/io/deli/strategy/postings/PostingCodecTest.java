package io.deli.strategy.postings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.entry.WriteId;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.Test;

class PostingCodecTest {
  private static final byte[] ROW = {'r'};

  @Test
  void aListInAnotherFormatIsRefused() {
    List<PostingListEntry> postings =
        List.of(
            new PostingListEntry(new byte[] {'k'}, 2, WriteId.NONE),
            new PostingListEntry(new byte[] {'l'}, 1, WriteId.NONE));
    Cell list = PostingCodec.cell(ROW, postings, new Random(1));
    assertThat(PostingCodec.postings(list)).isEqualTo(postings);
    byte[] value = CellUtil.cloneValue(list);
    value[0] = 2;
    Cell newer =
        new KeyValue(
            ROW,
            CellUtil.cloneFamily(list),
            CellUtil.cloneQualifier(list),
            list.getTimestamp(),
            value);
    assertThatThrownBy(() -> PostingCodec.postings(newer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("format 2", "reads 1", "upgrade DELI");
  }
}
