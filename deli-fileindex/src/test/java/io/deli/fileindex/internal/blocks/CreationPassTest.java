package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.strategy.Index;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CreationPassTest {
  private final Queue<Runnable> steps = new ArrayDeque<>();
  private final CreationPass pass = new CreationPass(steps::add);
  @TempDir private Path dir;

  /** A scheme that is newer than all files. */
  private static final class NewScheme implements Scheme {
    @Override
    public String name() {
      return "new";
    }

    @Override
    public FileIndexBuilder builder(HStore store, Index index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileIndex decode(String name, byte[] bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean readsFiles() {
      return false;
    }

    @Override
    public long compactedFrom(HStore store) {
      return 0;
    }
  }

  /** A store with a file from before the scheme, or none. */
  private HStore store(String table, boolean hasFile) throws IOException {
    HRegionFileSystem region = LocalStore.region(dir, table);
    if (hasFile) {
      LocalStore.write(region, "f", 1, LocalStore.FAMILY);
    }
    return new LocalStore(region);
  }

  /** A region that is always compacted by others, and what is asked of it. */
  private static final class BusyRegion {
    private final List<CompactionLifeCycleTracker> asked = new ArrayList<>();
    private boolean closing;

    Region region() {
      return (Region)
          Proxy.newProxyInstance(
              Region.class.getClassLoader(),
              new Class<?>[] {Region.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "getTableDescriptor" -> LocalStore.TABLE;
                    case "getRegionInfo" ->
                        RegionInfoBuilder.newBuilder(LocalStore.TABLE.getTableName()).build();
                    case "isClosing" -> closing;
                    case "getCompactionState" -> CompactionState.MINOR;
                    case "requestCompaction" -> {
                      asked.add((CompactionLifeCycleTracker) arguments[4]);
                      yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                  });
    }
  }

  private void open(BusyRegion region, HStore store) {
    pass.opened(region.region(), store, Map.of("new", new NewScheme()), Long.MAX_VALUE);
  }

  @Test
  void aStepThatEndsTheThreadIsNotTheLast() throws IOException {
    HStore broken =
        new LocalStore(LocalStore.region(dir, "a")) {
          @Override
          public Collection<HStoreFile> getStorefiles() {
            throw new InternalError("no more");
          }
        };
    open(new BusyRegion(), broken);
    assertThatThrownBy(steps.remove()::run).isInstanceOf(InternalError.class);
    BusyRegion region = new BusyRegion();
    open(region, store("b", true));
    assertThat(steps).hasSize(1);
    steps.remove().run();
    assertThat(region.asked).hasSize(1);
  }

  /** Other compactions, of other stores, may be under way there for as long as writes come. */
  @Test
  void theNextFollowsTheCompactionThatWasAskedFor_notAllOfItsRegion() throws IOException {
    BusyRegion first = new BusyRegion();
    BusyRegion second = new BusyRegion();
    open(first, store("a", true));
    steps.remove().run();
    open(second, store("b", true));
    steps.remove().run();
    assertThat(first.asked).hasSize(1);
    assertThat(second.asked).isEmpty();
    first.asked.get(0).completed();
    steps.remove().run();
    assertThat(first.asked).hasSize(1);
    assertThat(second.asked).hasSize(1);
  }

  @Test
  void storesThatNeedNothingOrWereClosedAreNotKept() throws Exception {
    BusyRegion first = new BusyRegion();
    open(first, store("a", true));
    steps.remove().run();
    BusyRegion second = new BusyRegion();
    List<WeakReference<HStore>> others = new ArrayList<>();
    for (boolean hasFile : List.of(true, false)) {
      HStore store = store(hasFile ? "b" : "c", hasFile);
      others.add(new WeakReference<>(store));
      open(second, store);
    }
    steps.remove().run();
    second.closing = true;
    steps.remove().run();
    assertThat(first.asked).hasSize(1);
    assertThat(second.asked).isEmpty();
    for (int i = 0; i < 100 && others.stream().anyMatch(store -> store.get() != null); i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertThat(others).allMatch(store -> store.get() == null);
  }
}
