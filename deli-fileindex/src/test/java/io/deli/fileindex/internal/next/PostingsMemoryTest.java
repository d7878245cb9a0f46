package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.nio.file.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Postings are made in a bounded number of bytes. */
class PostingsMemoryTest {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
  private static final ZoneSplit WHOLE = new ZoneSplit(0, 1, Long.MAX_VALUE);

  @TempDir private Path directory;
  private PostingSorter sorter;

  private PostingsBuilder builder(ZoneSplit split, long mostInRun) {
    sorter = new PostingSorter(directory, mostInRun);
    return new PostingsBuilder(INDEX, split, sorter);
  }

  /** Values of any length may be tokens, and a row may have any number of them. */
  @Test
  void weight_staysBoundedInARowOfLongTokens_whichAreSpilledBeforeItsEnd() throws Exception {
    PostingsBuilder builder = builder(WHOLE, 1 << 20);
    for (int token = 0; token < 100; token++) {
      builder.add(Bytes.toBytes("row"), Bytes.padTail(Bytes.toBytes(token), 100_000), 5);
      assertThat(builder.weight()).isGreaterThan(100_000).isLessThan(4_000_000);
    }
    assertThat(sorter.spilled()).isPresent();
    builder.discard();
  }

  @Test
  void weight_hasATokenOfARowOnce_howeverManyVersionsHaveIt() throws Exception {
    PostingsBuilder builder = builder(WHOLE, Long.MAX_VALUE);
    builder.add(Bytes.toBytes("row"), new byte[1_000_000], 5);
    long ofOne = builder.weight();
    assertThat(ofOne).isGreaterThan(1_000_000);
    builder.add(Bytes.toBytes("row"), new byte[1_000_000], 6);
    assertThat(builder.weight()).isEqualTo(ofOne);
  }
}
