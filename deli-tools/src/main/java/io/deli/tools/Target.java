package io.deli.tools;

import io.deli.tools.embedded.DataDirectory;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The HBase that a command works on.
 *
 * @param zookeeper {@code host:port} of a cluster
 * @param conf directory with the configuration of a cluster
 * @param data directory of the embedded HBase, which is used if neither is given
 */
public record Target(Optional<String> zookeeper, Optional<Path> conf, DataDirectory data) {
  /** Whether it is a cluster that runs elsewhere. */
  public boolean isCluster() {
    return zookeeper.isPresent() || conf.isPresent();
  }
}
