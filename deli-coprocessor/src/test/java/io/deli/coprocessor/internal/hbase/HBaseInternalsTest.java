package io.deli.coprocessor.internal.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.coprocessor.DeliMasterObserver;
import io.deli.coprocessor.DeliRegionObserver;
import io.deli.coprocessor.internal.memory.IndexedMemStore;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.junit.jupiter.api.Test;

/**
 * What DELI uses of HBase's internals is there, or it is said what moved and what stops working.
 */
class HBaseInternalsTest {
  private static final String WITHOUT = "lookups search memory whole";

  private static Internal memory(String owner, String name, String type) {
    return Internal.field(owner, name, type, WITHOUT);
  }

  /**
   * Methods of a class of DELI that HBase would not call, for its own type has none of the kind.
   */
  private static List<String> uncalled(Class<?> own, Class<?> ofHBase, String without) {
    return Arrays.stream(own.getDeclaredMethods())
        .filter(method -> !method.isSynthetic() && !Modifier.isPrivate(method.getModifiers()))
        .filter(method -> !isDeclared(method, ofHBase))
        .map(
            method ->
                "%s.%s is gone or takes something else: %s"
                    .formatted(ofHBase.getSimpleName(), method.getName(), without))
        .toList();
  }

  private static boolean isDeclared(Method method, Class<?> by) {
    return Stream.<Class<?>>iterate(by, type -> type != null, Class::getSuperclass)
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .anyMatch(
            other ->
                other.getName().equals(method.getName())
                    && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
  }

  @Test
  void everythingFoundByItsNameIsThere() {
    assertThat(HBaseInternals.all()).isNotEmpty();
    assertThat(HBaseInternals.all().stream().flatMap(each -> each.missing().stream())).isEmpty();
  }

  @Test
  void whatMovedIsNamedWithWhatStops() {
    assertThat(memory("regionserver.HStore", "memstore", "MemStore").missing()).isEmpty();
    for (Internal moved :
        List.of(
            memory("regionserver.HStore", "memory", "MemStore"),
            memory("regionserver.Store", "memory", "MemStore"),
            memory("regionserver.moved.HStore", "memory", "MemStore"))) {
      assertThat(moved.missing().orElseThrow())
          .matches("H?Store\\.memory is gone: lookups search memory whole");
      assertThat(moved.isOf(moved)).isFalse();
      assertThatThrownBy(() -> moved.get(moved))
          .isInstanceOf(ReflectiveOperationException.class)
          .hasMessage(moved.missing().orElseThrow());
    }
  }

  @Test
  void aMemberOfAnotherTypeIsNotTakenForTheOneThatMoved() {
    assertThat(memory("regionserver.HStore", "memstore", "Memory").missing())
        .contains("HStore.memstore is gone: " + WITHOUT);
    String owner = "regionserver.StoreFileWriter";
    assertThat(Internal.method(owner, "getLiveFileWriter", "Writer", WITHOUT).missing()).isEmpty();
    assertThat(
            Stream.of(
                    Internal.method(owner, "getLiveFileWriter", "File", WITHOUT),
                    Internal.method(owner, "getLiveFileWriter", "Writer", WITHOUT, int.class))
                .map(Internal::missing))
        .containsOnly(Optional.of("StoreFileWriter.getLiveFileWriter is gone: " + WITHOUT));
  }

  /** As no compiler tells of a hook with a default that HBase calls no more. */
  @Test
  void hBaseCallsEveryHook() {
    assertThat(hooks(DeliRegionObserver.class, RegionObserver.class)).isEmpty();
    assertThat(hooks(DeliMasterObserver.class, MasterObserver.class)).isEmpty();
    assertThat(hooks(DeliRegionObserver.class, MasterObserver.class))
        .contains("MasterObserver.preFlush is gone or takes something else: it is not called");
  }

  private static List<String> hooks(Class<?> own, Class<?> ofHBase) {
    return uncalled(own, ofHBase, "it is not called").stream()
        .filter(each -> each.matches("\\w+\\.(pre|post).*"))
        .filter(each -> truncatesRegions() || !each.contains(".preTruncateRegion "))
        .toList();
  }

  /** HBase 2.5 does not, so that nobody misses the hook. */
  private static boolean truncatesRegions() {
    return Arrays.stream(Admin.class.getMethods())
        .anyMatch(method -> method.getName().equals("truncateRegion"));
  }

  @Test
  void hBaseCallsItsObservedWriters() {
    String without = "files are written without indexes";
    assertThat(uncalled(ObservedFlusher.class, DefaultStoreFlusher.class, without)).isEmpty();
    assertThat(uncalled(ObservedCompactor.class, DefaultCompactor.class, without)).isEmpty();
  }

  /** HBase's memory is no other than what HBase made it. */
  private abstract static class DerivedMemStore implements MemStore {}

  @Test
  void memoryDoesAllThatHBaseAsksOfIt() throws NoSuchMethodException {
    HBaseInternals.requireWhole(IndexedMemStore.class);
    assertThatThrownBy(() -> HBaseInternals.requireWhole(DerivedMemStore.class))
        .isInstanceOf(NoSuchMethodException.class)
        .hasMessageContaining("leaves out");
  }

  @Test
  void thePageSaysWhatHappensWithoutEach() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "compatibility.md"));
    for (Internal each : HBaseInternals.all()) {
      assertThat(page).contains("`" + each + "`").contains(each.without());
    }
  }
}
