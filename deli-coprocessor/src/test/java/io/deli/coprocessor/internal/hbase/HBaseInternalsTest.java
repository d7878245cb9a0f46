package io.deli.coprocessor.internal.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.DeliMasterObserver;
import io.deli.coprocessor.DeliRegionObserver;
import io.deli.coprocessor.spi.Internal;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.junit.jupiter.api.Test;

/**
 * What DELI uses of HBase's internals is there, or it is said what moved and what stops working.
 */
class HBaseInternalsTest {
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
    assertThat(HBaseInternals.all().stream().flatMap(each -> each.missing().stream())).isEmpty();
  }

  /** Nothing of a store: those that index files bring what they find there. */
  @Test
  void nothingElseIsFoundByItsName() {
    assertThat(HBaseInternals.all().stream().map(Internal::toString))
        .containsExactly(
            "HFileBlockIndex$BlockIndexReader.getRootBlockCount",
            "HFileBlockIndex$CellBasedKeyBlockIndexReader.getRootBlockKey",
            "StoreScanner.matcher",
            "StripeCompactionScanQueryMatcher.dropDeletesFromRow",
            "StripeCompactionScanQueryMatcher.dropDeletesToRow");
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
  void thePageSaysWhatHappensWithoutEach() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "compatibility.md"));
    for (Internal each : HBaseInternals.all()) {
      assertThat(page).contains("`" + each + "`").contains(each.without());
    }
  }
}
