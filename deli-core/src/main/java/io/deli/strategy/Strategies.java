package io.deli.strategy;

import io.deli.index.InvalidIndexException;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The strategies on the class path. */
public final class Strategies {
  // Its own loader: on a region server the context class loader does not see the coprocessor's jar.
  private static final Map<String, IndexStrategy> BY_NAME = load(Strategies.class.getClassLoader());

  private Strategies() {}

  private static Map<String, IndexStrategy> load(ClassLoader loader) {
    Map<String, IndexStrategy> strategies = new TreeMap<>();
    ServiceLoader.load(IndexStrategy.class, loader).forEach(s -> strategies.put(s.name(), s));
    return strategies;
  }

  /**
   * The strategy of that name.
   *
   * @throws InvalidIndexException if there is none; the message lists those there are
   */
  public static IndexStrategy named(String name) {
    IndexStrategy strategy = BY_NAME.get(name);
    if (strategy == null) {
      throw new InvalidIndexException(
          "unknown strategy '" + name + "': use one of " + BY_NAME.keySet());
    }
    return strategy;
  }
}
