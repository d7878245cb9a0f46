package io.deli.test.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whether the file that names what is left out means what it says. */
class LeftOutTest {
  private static final Set<String> WAYS = Set.of("observer", "client", "async", "region", "both");

  @Test
  void everyLineNamesATestThatExists() throws Exception {
    for (LeftOut entry : LeftOut.read()) {
      String[] parts = entry.test().split("#", -1);
      Class<?> tests = find(parts[0]);
      assertThat(entry.way()).as(entry.test()).isIn(WAYS);
      if (parts.length > 1) {
        assertThat(Arrays.stream(tests.getMethods()).map(Method::getName))
            .as(entry.test())
            .contains(parts[1]);
      }
    }
  }

  @Test
  void oneLineConcernsOneWayAndTest() {
    LeftOut method = new LeftOut("client", "TestAny#testThis", "why");
    assertThat(method.concerns("client", "TestAny", "testThis")).isTrue();
    assertThat(method.concerns("observer", "TestAny", "testThis")).isFalse();
    assertThat(method.concerns("client", "TestAny", "testThat")).isFalse();
    LeftOut all = new LeftOut("both", "TestAny", "why");
    assertThat(List.of("client", "observer")).allMatch(way -> all.concerns(way, "TestAny", "test"));
  }

  private static Class<?> find(String simpleName) throws ClassNotFoundException {
    ClassLoader loader = LeftOutTest.class.getClassLoader();
    try {
      return Class.forName("org.apache.hadoop.hbase.client." + simpleName, false, loader);
    } catch (ClassNotFoundException e) {
      return Class.forName("org.apache.hadoop.hbase.regionserver." + simpleName, false, loader);
    }
  }
}
