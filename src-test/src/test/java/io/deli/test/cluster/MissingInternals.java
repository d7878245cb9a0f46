package io.deli.test.cluster;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Hides from DELI what it finds in HBase by its name. */
public final class MissingInternals {
  private static final String PACKAGE = "io.deli.coprocessor.internal.hbase.";

  private MissingInternals() {}

  /** What is done without. */
  public interface Step {
    void run() throws Exception;
  }

  /** Does something while everything is hidden. */
  public static void during(Step step) throws Exception {
    Field member = Class.forName(PACKAGE + "Internal").getDeclaredField("member");
    member.setAccessible(true);
    Method all = Class.forName(PACKAGE + "HBaseInternals").getDeclaredMethod("all");
    all.setAccessible(true);
    Map<Object, Object> hidden = new HashMap<>();
    try {
      for (Object each : (Iterable<?>) all.invoke(null)) {
        hidden.put(each, member.get(each));
        member.set(each, Optional.empty());
      }
      step.run();
    } finally {
      for (Map.Entry<Object, Object> each : hidden.entrySet()) {
        member.set(each.getKey(), each.getValue());
      }
    }
  }
}
