package io.deli.strategy;

import io.deli.config.DeliSettings;
import io.deli.config.Setting;
import io.deli.index.InvalidIndexException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The strategies on the class path. */
public final class Strategies {
  // Its own loader: on a region server the context class loader does not see the coprocessor's jar.
  private static final Map<String, IndexStrategy> BY_NAME = new TreeMap<>();

  private static final List<String> UNUSABLE = new ArrayList<>();

  static {
    load(Strategies.class.getClassLoader());
  }

  private Strategies() {}

  /**
   * Loads all strategies. An unusable one must not fail the others, nor a region server: with the
   * jar in its own class loader, strategies named on the server's class path implement another
   * interface.
   */
  private static void load(ClassLoader loader) {
    Iterator<IndexStrategy> found = ServiceLoader.load(IndexStrategy.class, loader).iterator();
    boolean more = true;
    while (more) {
      try {
        more = found.hasNext();
        if (more) {
          IndexStrategy strategy = found.next();
          BY_NAME.put(strategy.name(), strategy);
        }
      } catch (ServiceConfigurationError e) {
        UNUSABLE.add(e.getMessage());
      }
    }
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
          "unknown strategy '%s': use one of %s%s"
              .formatted(
                  name,
                  BY_NAME.keySet(),
                  UNUSABLE.isEmpty() ? "" : "; these could not be loaded: " + UNUSABLE));
    }
    return strategy;
  }

  /** All of them, by name. */
  public static List<IndexStrategy> all() {
    return List.copyOf(BY_NAME.values());
  }

  /** The strategy of that name, if it is known here. */
  public static Optional<IndexStrategy> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** The names of all, in order. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /** The names of those whose indexes answer queries of that kind. */
  public static List<String> answering(QueryKind kind) {
    return names(strategy -> !strategy.unanswerable().contains(kind));
  }

  static List<String> names(Predicate<IndexStrategy> which) {
    return BY_NAME.values().stream().filter(which).map(IndexStrategy::name).toList();
  }

  /** Every key that DELI reads, those of the strategies included, in order. */
  public static List<Setting<?>> settings() {
    return Stream.concat(
            DeliSettings.all().stream(),
            BY_NAME.values().stream().flatMap(strategy -> strategy.settings().stream()))
        .distinct()
        .sorted(Comparator.comparing(Setting::key))
        .toList();
  }
}
