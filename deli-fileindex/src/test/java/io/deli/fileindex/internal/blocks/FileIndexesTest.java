package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.DeliSettings;
import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.Index;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes that a region server makes itself, of files and of memory. */
class FileIndexesTest {
  private static final Index INDEX =
      Index.of(
          LocalStore.TABLE.getTableName(),
          IndexDefinition.on("i", Column.parse("d:d")).withStrategy("embedded"));

  private static final Scheme SCHEME = new HeavyScheme();
  private static final long CACHE = 10_000;

  @TempDir private Path dir;
  private final CountingHost host = new CountingHost(configuration());

  @AutoClose
  private final FileIndexes indexes = new FileIndexes(host, Map.of(FileIndexing.FILTERS, SCHEME));

  private static Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.setLong(DeliSettings.BLOCK_INDEX_CACHE.key(), CACHE);
    return configuration;
  }

  /** Reads files for indexes of which the cache has room for one. */
  private static final class HeavyScheme implements Scheme {
    @Override
    public String name() {
      return "heavy";
    }

    @Override
    public FileIndexBuilder builder(HStore store, Index index) {
      return new FileIndexBuilder(index) {
        @Override
        protected void add(byte[] row, byte[] token, long timestamp) {}

        @Override
        protected void end(int number) {}

        @Override
        protected NavigableMap<String, Content> encode(Blocks blocks, BooleanSupplier isWanted) {
          Content nothing = out -> {};
          return new TreeMap<>(Map.of("", nothing));
        }

        @Override
        protected long weight() {
          return 0;
        }
      };
    }

    @Override
    public FileIndex decode(String name, byte[] bytes) {
      return new Heavy();
    }

    @Override
    public boolean readsFiles() {
      return true;
    }
  }

  private record Heavy() implements FileIndex {
    @Override
    public Blocks blocks() {
      return new Blocks(List.of());
    }

    @Override
    public List<Zone> zones() {
      return List.of();
    }

    @Override
    public Matches search(Wanted wanted, BitSet parts, Source source) {
      return Shortlist.all(blocks());
    }

    @Override
    public long weight() {
      return CACHE * 2 / 3;
    }
  }

  /** A store of files with as many rows each, none of which has an index. */
  private HStore store(int files, int rows, int valueLength) throws IOException {
    HRegionFileSystem region = LocalStore.region(dir, "t");
    for (int file = 0; file < files; file++) {
      LocalStore.write(region, "f" + file, rows, new byte[valueLength]);
    }
    return new LocalStore(region);
  }

  /** How many files have an index now. */
  private long lookUp(HStore store) {
    long indexed = 0;
    for (HStoreFile file : store.getStorefiles()) {
      FileIndex found = indexes.of(store, file, INDEX, SCHEME, SCHEME.name()).orElseThrow();
      indexed += found instanceof Heavy ? 1 : 0;
    }
    return indexed;
  }

  /** Else each lookup would read one for the place of another. */
  @Test
  void filesWhoseIndexesDoNotFitInTogether_areReadForThemOnce() throws IOException {
    HStore store = store(2, 1, 1);
    for (int i = 0; i < 50; i++) {
      lookUp(store);
    }
    assertThat(host.count("fileIndexesBuilt")).isEqualTo(2);
    assertThat(lookUp(store)).isEqualTo(1);
  }

  /** Of other tables, too, whose garbage is collected there. */
  @Test
  void aLargeFileIsReadBesideOtherWorkInTheBackground() throws Exception {
    HStore store = store(1, 9, 1 << 20);
    assertThat(lookUp(store)).isZero();
    for (int i = 0; i < 100 && host.count("fileIndexesBuilt") == 0; i++) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertThat(host.count("fileIndexesBuilt")).isEqualTo(1);
    assertThat(lookUp(store)).isEqualTo(1);
  }

  private static Region region(HStore store, int replica) {
    return (Region)
        Proxy.newProxyInstance(
            Region.class.getClassLoader(),
            new Class<?>[] {Region.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getTableDescriptor" -> LocalStore.TABLE;
                  case "getStore" -> store;
                  case "getRegionInfo" ->
                      RegionInfoBuilder.newBuilder(LocalStore.TABLE.getTableName())
                          .setReplicaId(replica)
                          .build();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** Writes a cell to a replica of a region, and returns the bytes that indexes of memory take. */
  private long write(int replica) throws IOException {
    HStore store = store(0, 0, 0);
    indexes.open(region(store, replica)).attach(List.of(INDEX));
    byte[] row = LocalStore.FAMILY;
    store.add(new KeyValue(row, row, row, 1, row), null);
    return host.count("memoryIndexBytes");
  }

  /** Lookups ask the default one. */
  @Test
  void theMemoryOfSecondaryReplicasIsNotIndexed() throws IOException {
    assertThat(write(1)).isZero();
    assertThat(write(0)).isPositive();
  }
}
