package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of which an index cannot be made are written without it. */
class IndexingWritersTest {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
  private static final int CELLS = 3;

  @TempDir private Path directory;
  private int added;
  private int discarded;

  private interface Failure {
    void fail() throws IOException;
  }

  /** Makes indexes that fail at the second token. */
  private final class FailingScheme implements Scheme {
    private final Failure failure;

    FailingScheme(Failure failure) {
      this.failure = failure;
    }

    @Override
    public String name() {
      return "failing";
    }

    @Override
    public FileIndexBuilder builder(HStore store, Index index) {
      return new FileIndexBuilder(index) {
        @Override
        protected void add(byte[] row, byte[] token, long timestamp) throws IOException {
          if (++added == 2) {
            failure.fail();
          }
        }

        @Override
        protected void end(int number) {}

        @Override
        protected NavigableMap<String, Content> encode(Blocks blocks, BooleanSupplier isWanted) {
          throw new AssertionError("it failed before");
        }

        @Override
        protected long weight() {
          return 0;
        }

        @Override
        protected void discard() {
          discarded++;
        }
      };
    }

    @Override
    public FileIndex decode(String name, byte[] bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean readsFiles() {
      return false;
    }
  }

  /** Writes a file, and returns whether the file tells that its index would fail again. */
  private boolean givesUp(Failure failure) throws IOException {
    added = 0;
    discarded = 0;
    Scheme scheme = new FailingScheme(failure);
    IndexingWriters writers = new IndexingWriters(null, List.of(INDEX), index -> scheme, 1_000);
    Configuration conf = HBaseConfiguration.create();
    var path = new org.apache.hadoop.fs.Path(directory.toUri().resolve("file"));
    FileSystem files = path.getFileSystem(conf);
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, new CacheConfig(conf), files)
            .withFilePath(path)
            .withFileContext(new HFileContextBuilder().build())
            .build();
    CellSink sink = writers.observe(writer);
    for (int row = 0; row < CELLS; row++) {
      Cell cell =
          new KeyValue(
              Bytes.toBytes(row), Bytes.toBytes("f"), Bytes.toBytes("q"), 5, Bytes.toBytes("v"));
      assertThatCode(() -> sink.append(cell)).doesNotThrowAnyException();
    }
    writers.finish(writer, () -> true);
    writer.close();
    assertThat(added).isEqualTo(2);
    assertThat(discarded).isEqualTo(1);
    try (HFile.Reader file = HFile.createReader(files, path, conf)) {
      assertThat(file.getEntries()).isEqualTo(CELLS);
      byte[] name = Bytes.toBytes(scheme.blockName(INDEX.definition()));
      return file.getHFileInfo().containsKey(name);
    }
  }

  /** HBase would abort the server for what a flush throws. */
  @Test
  void anIndexWithoutMemoryOrDisk_mayHaveSomeTheNextTime() throws Exception {
    assertThat(
            givesUp(
                () -> {
                  throw new IOException("no space left");
                }))
        .isFalse();
    assertThat(
            givesUp(
                () -> {
                  throw new OutOfMemoryError("of the test");
                }))
        .isFalse();
  }

  @Test
  void anIndexWhoseTokenizerFails_failsAgain() throws Exception {
    assertThat(
            givesUp(
                () -> {
                  throw new StackOverflowError("of the test");
                }))
        .isTrue();
  }
}
