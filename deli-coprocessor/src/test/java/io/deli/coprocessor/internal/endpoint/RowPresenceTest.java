package io.deli.coprocessor.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.regionserver.Region;
import org.junit.jupiter.api.Test;

class RowPresenceTest {
  /** A step that a region takes when its scanner is opened. */
  private interface Step {
    void take() throws IOException;
  }

  private static Region region(Step whenScanned) {
    return (Region)
        Proxy.newProxyInstance(
            RowPresenceTest.class.getClassLoader(),
            new Class<?>[] {Region.class},
            (proxy, method, arguments) -> {
              whenScanned.take();
              throw new NotServingRegionException("closed");
            });
  }

  @Test
  void whileOneIsTold_othersAreToTryAgain() {
    Region other = region(() -> {});
    Region region =
        region(
            () ->
                assertThatThrownBy(() -> RowPresence.of(other))
                    .isInstanceOf(RegionTooBusyException.class));
    for (Region each : new Region[] {region, other, region}) {
      assertThatThrownBy(() -> RowPresence.of(each)).isInstanceOf(NotServingRegionException.class);
    }
  }
}
