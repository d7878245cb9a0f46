package io.deli.test.cluster;

import io.deli.coprocessor.spi.Internal;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hides from DELI what it finds in HBase by its name. */
public final class MissingInternals {
  /** Those that list what they find, each for its module. */
  private static final List<String> FINDERS =
      List.of(
          "io.deli.coprocessor.internal.hbase.HBaseInternals",
          "io.deli.fileindex.internal.hbase.StoreInternals");

  private MissingInternals() {}

  /** What is done without. */
  public interface Step {
    void run() throws Exception;
  }

  /** Does something while everything is hidden. */
  public static void during(Step step) throws Exception {
    Field member = Internal.class.getDeclaredField("member");
    member.setAccessible(true);
    Map<Object, Object> hidden = new HashMap<>();
    try {
      for (String finder : FINDERS) {
        Method all = Class.forName(finder).getDeclaredMethod("all");
        all.setAccessible(true);
        for (Object each : (Iterable<?>) all.invoke(null)) {
          hidden.put(each, member.get(each));
          member.set(each, Optional.empty());
        }
      }
      step.run();
    } finally {
      for (Map.Entry<Object, Object> each : hidden.entrySet()) {
        member.set(each.getKey(), each.getValue());
      }
    }
  }
}
