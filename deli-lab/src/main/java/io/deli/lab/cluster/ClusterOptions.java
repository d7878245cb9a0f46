package io.deli.lab.cluster;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a cluster's start.
 *
 * @param regionServers how many, if this is its first start; must be as many later, if given
 * @param jar the coprocessor's jar, to be put on HDFS; needed at the first start
 * @param settings of HBase and HDFS, kept for later starts
 */
public record ClusterOptions(
    Optional<Integer> regionServers, Optional<Path> jar, Map<String, String> settings) {
  public ClusterOptions {
    settings = Map.copyOf(settings);
  }
}
