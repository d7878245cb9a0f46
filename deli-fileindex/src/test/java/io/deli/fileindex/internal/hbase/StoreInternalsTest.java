package io.deli.fileindex.internal.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.coprocessor.spi.Internal;
import io.deli.fileindex.internal.memory.IndexedMemStore;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.junit.jupiter.api.Test;

/** What file indexes use of HBase's stores is there, or it is said what moved. */
class StoreInternalsTest {
  @Test
  void everythingFoundByItsNameIsThere() {
    assertThat(StoreInternals.all()).isNotEmpty();
    assertThat(StoreInternals.all().stream().flatMap(each -> each.missing().stream())).isEmpty();
  }

  @Test
  void thePageSaysWhatHappensWithoutEach() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "compatibility.md"));
    for (Internal each : StoreInternals.all()) {
      assertThat(page).contains("`" + each + "`").contains(each.without());
    }
  }

  /** As compiled, perhaps against another HBase. */
  @Test
  void hBaseCallsItsObservedWriters() {
    assertThat(uncalled(ObservedFlusher.class, DefaultStoreFlusher.class)).isEmpty();
    assertThat(uncalled(ObservedCompactor.class, DefaultCompactor.class)).isEmpty();
    assertThat(uncalled(ObservedCompactor.class, DefaultStoreFlusher.class)).isNotEmpty();
  }

  private static Stream<Method> uncalled(Class<?> own, Class<?> ofHBase) {
    return Arrays.stream(own.getDeclaredMethods())
        .filter(method -> !method.isSynthetic())
        .filter(method -> inherited(ofHBase).noneMatch(other -> isSame(method, other)));
  }

  private static Stream<Method> inherited(Class<?> type) {
    return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
        .flatMap(each -> Arrays.stream(each.getDeclaredMethods()));
  }

  private static boolean isSame(Method one, Method other) {
    return one.getName().equals(other.getName())
        && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
  }

  /** HBase's memory is no other than what HBase made it. */
  private abstract static class DerivedMemStore implements MemStore {}

  @Test
  void memoryDoesAllThatHBaseAsksOfIt() throws NoSuchMethodException {
    StoreInternals.requireWhole(IndexedMemStore.class);
    assertThatThrownBy(() -> StoreInternals.requireWhole(DerivedMemStore.class))
        .isInstanceOf(NoSuchMethodException.class)
        .hasMessageContaining("leaves out");
  }
}
