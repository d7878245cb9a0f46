package io.deli.strategy.postings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.entry.Entry;
import io.deli.entry.TokenEncoding;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
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

  /** A posting takes many times the memory that it takes in a list. */
  @Test
  void aListOfMorePostingsThanOneMayHave_isRefused() {
    List<PostingListEntry> postings =
        new ArrayList<>(
            Collections.nCopies(
                PostingCodec.MOST, new PostingListEntry(new byte[] {'k'}, 2, WriteId.NONE)));
    assertThat(PostingCodec.postings(PostingCodec.cell(ROW, postings, new Random(1))))
        .hasSize(PostingCodec.MOST);
    postings.add(postings.get(0));
    Cell longer = PostingCodec.cell(ROW, postings, new Random(1));
    assertThatThrownBy(() -> PostingCodec.postings(longer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 131072 postings");
  }

  /** Readers rely on it that no later cell has anything newer than a cell's first posting. */
  @Test
  void aListWithoutStalePostingsBeginsWhereItsNameSays_unlessAMergeNamesItAnew() {
    List<PostingListEntry> postings =
        LongStream.rangeClosed(1, 4)
            .mapToObj(i -> new PostingListEntry(new byte[] {'k'}, 10 - i, WriteId.NONE))
            .toList();
    KeyValue list =
        (KeyValue) PostingCodec.cell(TokenEncoding.encode(ROW), postings, new Random(1));
    list.setSequenceId(7);
    for (String strategy : List.of("eager", "lazy")) {
      Index index =
          Index.of(
              TableName.valueOf("t"),
              IndexDefinition.on("i", Column.parse("f:q")).withStrategy(strategy));
      List<Entry> entries = index.entries(Result.create(List.of(list)));
      Set<Entry> ends = Set.of(entries.get(0), entries.get(3));
      KeyValue left = (KeyValue) index.strategy().without(index, list, ends).orElseThrow();
      assertThat(CellUtil.equals(left, list)).as("the same key").isTrue();
      assertThat(left.getSequenceId()).as("as new as the list").isEqualTo(7);
      assertThat(PostingCodec.postings(left))
          .isEqualTo(postings.subList(strategy.equals("eager") ? 0 : 1, 3));
      assertThat(index.strategy().without(index, list, Set.copyOf(entries))).isEmpty();
      assertThat(index.strategy().without(index, list, Set.of())).hasValue(list);
    }
  }
}
