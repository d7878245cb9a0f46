package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of a compaction whose region closes. */
class UnwantedPostingsTest {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
  private static final int ROWS = 20_000;

  @TempDir private Path directory;

  @Test
  void encode_endsSoon() throws Exception {
    PostingsBuilder builder =
        new PostingsBuilder(
            INDEX, new ZoneSplit(4, 16, Long.MAX_VALUE), new PostingSorter(directory, 10_000));
    for (int i = 0; i < ROWS; i++) {
      builder.add(Bytes.toBytes("row%06d".formatted(i)), Bytes.toBytes(i % 6_000), i);
    }
    builder.end(0);
    Blocks blocks = new Blocks(List.of(new Blocks.Part(Bytes.toBytes("row000000"), ROWS)));
    AtomicInteger asked = new AtomicInteger();
    assertThatThrownBy(() -> builder.encode(blocks, () -> asked.incrementAndGet() < 3))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(asked).hasValue(3);
    builder.discard();
  }
}
