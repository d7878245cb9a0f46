package io.deli.test.docs;

import io.deli.config.Setting;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Strategies;
import java.util.List;

/** The product that pages tell of: without the strategies that tests bring. */
final class Delivered {
  private Delivered() {}

  static List<IndexStrategy> strategies() {
    return Strategies.all().stream().filter(Delivered::isDelivered).toList();
  }

  static List<Setting<?>> settings() {
    List<Setting<?>> others =
        Strategies.all().stream()
            .filter(strategy -> !isDelivered(strategy))
            .<Setting<?>>flatMap(strategy -> strategy.settings().stream())
            .toList();
    return Strategies.settings().stream().filter(each -> !others.contains(each)).toList();
  }

  private static boolean isDelivered(IndexStrategy strategy) {
    return strategy.getClass().getName().startsWith("io.deli.strategy.");
  }
}
