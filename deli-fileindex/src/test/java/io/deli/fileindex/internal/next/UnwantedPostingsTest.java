package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spill files are given up: when all is written, or with a compaction whose region closes. */
class UnwantedPostingsTest {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
  private static final int ROWS = 20_000;
  private static final Blocks BLOCKS =
      new Blocks(List.of(new Blocks.Part(Bytes.toBytes("row000000"), ROWS)));

  @TempDir private Path directory;
  private PostingSorter sorter;

  private PostingsBuilder spilling() throws IOException {
    sorter = new PostingSorter(directory, 10_000);
    PostingsBuilder builder =
        new PostingsBuilder(INDEX, new ZoneSplit(4, 16, Long.MAX_VALUE), sorter);
    for (int i = 0; i < ROWS; i++) {
      builder.add(Bytes.toBytes("row%06d".formatted(i)), Bytes.toBytes(i % 6_000), i);
    }
    builder.end(0);
    return builder;
  }

  private static List<Integer> lengths(NavigableMap<String, Content> encoded) throws IOException {
    List<Integer> lengths = new ArrayList<>();
    for (Content each : encoded.tailMap("", false).values()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      each.write(new DataOutputStream(bytes));
      lengths.add(bytes.size());
    }
    return lengths;
  }

  @Test
  void blocks_areWrittenOnce() throws Exception {
    NavigableMap<String, Content> encoded = spilling().encode(BLOCKS, () -> true);
    assertThat(lengths(encoded)).hasSizeGreaterThan(3).doesNotContain(0);
    assertThat(lengths(encoded)).containsOnly(0);
    assertThatThrownBy(() -> sorter.spilled().orElseThrow().read(0, 1))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void encode_endsSoon() throws Exception {
    PostingsBuilder builder = spilling();
    AtomicInteger asked = new AtomicInteger();
    assertThatThrownBy(() -> builder.encode(BLOCKS, () -> asked.incrementAndGet() < 3))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(asked).hasValue(3);
    builder.discard();
  }

  /** HBase ends the file with them, and deletes it. */
  @Test
  void blocksOfAnIndexThatWasEncodedBefore_areWrittenEmpty_andNoErrorIsLogged() throws Exception {
    PostingsBuilder builder = spilling();
    NavigableMap<String, Content> encoded = builder.encode(BLOCKS, () -> true);
    builder.discard();
    Errors errors = new Errors();
    Logger logger = Logger.getLogger(PostingsBuilder.class);
    logger.addAppender(errors);
    try {
      assertThat(lengths(encoded)).hasSizeGreaterThan(3).containsOnly(0);
    } finally {
      logger.removeAppender(errors);
    }
    assertThat(errors.logged).isEmpty();
  }

  private static final class Errors extends AppenderSkeleton {
    private final List<Object> logged = new ArrayList<>();

    @Override
    protected void append(LoggingEvent event) {
      logged.add(event.getMessage());
    }

    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }
}
