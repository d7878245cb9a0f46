package io.deli.ycsb;

import java.util.Properties;
import site.ycsb.DB;

/** The binding that was last initialised on each thread. */
final class ThreadBindings {
  private static final ThreadLocal<Entry> CURRENT = new ThreadLocal<>();

  /** Wrapper and binding have the same properties, which tells a binding of another run. */
  private record Entry(Properties properties, ValueReads reads) {}

  private ThreadBindings() {}

  static <T extends DB & ValueReads> void enter(T binding) {
    CURRENT.set(new Entry(binding.getProperties(), binding));
  }

  static void leave(ValueReads binding) {
    Entry entry = CURRENT.get();
    if (entry != null && entry.reads == binding) {
      CURRENT.remove();
    }
  }

  @SuppressWarnings("ReferenceEquality") // two runs may well have equal properties
  static ValueReads of(DB db) {
    Entry entry = CURRENT.get();
    if (entry == null || entry.properties != db.getProperties()) {
      throw new IllegalStateException(
          ("no binding that reads by value was initialised on thread '%s': use -db %s or %s, and"
                  + " call DB.init on the thread that runs the operations")
              .formatted(
                  Thread.currentThread().getName(),
                  DeliClient.class.getName(),
                  JdbcClient.class.getName()));
    }
    return entry.reads;
  }
}
