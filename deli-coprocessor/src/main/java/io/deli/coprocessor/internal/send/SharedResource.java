package io.deli.coprocessor.internal.send;

import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;

/**
 * A resource of many regions: the first to join makes it, the last to leave ends it. Thread-safe.
 *
 * <p>HBase keeps what regions share by the observer's class name. Another version of the observer,
 * in a class loader of its own, must not find ours: hence the identity of the class in the key.
 *
 * @param <T> what is shared
 */
public final class SharedResource<T> {
  private final ConcurrentMap<String, Object> all;
  private final String key;

  /**
   * @param whose tells resources of one type apart
   */
  public SharedResource(RegionCoprocessorEnvironment env, Class<T> type, String whose) {
    all = env.getSharedData();
    key = type.getName() + "@" + System.identityHashCode(type) + " " + whose;
  }

  private record Counted(Object thing, int regions) {}

  @SuppressWarnings("unchecked")
  public T join(Supplier<T> maker) {
    Counted counted =
        (Counted)
            all.compute(
                key,
                (k, there) ->
                    there instanceof Counted c
                        ? new Counted(c.thing(), c.regions() + 1)
                        : new Counted(maker.get(), 1));
    return (T) counted.thing();
  }

  /** To be called once for each {@link #join}. */
  @SuppressWarnings("unchecked")
  public void leave(Consumer<T> end) {
    all.computeIfPresent(
        key,
        (k, there) -> {
          Counted counted = (Counted) there;
          if (counted.regions() > 1) {
            return new Counted(counted.thing(), counted.regions() - 1);
          }
          end.accept((T) counted.thing());
          return null;
        });
  }
}
