package io.deli.lab.experiment;

import java.util.Map;
import java.util.TreeMap;

/**
 * The heap and settings with which an experiment's own HBase is started.
 *
 * @param heapMegabytes of its JVM
 * @param settings of HBase
 */
public record ServerNeeds(int heapMegabytes, Map<String, String> settings) {
  public ServerNeeds {
    settings = Map.copyOf(settings);
  }

  public static ServerNeeds heap(int megabytes) {
    return new ServerNeeds(megabytes, Map.of());
  }

  /** With a block cache of this size, so that data larger than it is read from files. */
  public ServerNeeds withBlockCache(int megabytes) {
    return with("hfile.block.cache.size", Double.toString((double) megabytes / heapMegabytes));
  }

  public ServerNeeds with(String key, String value) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put(key, value);
    return new ServerNeeds(heapMegabytes, all);
  }
}
