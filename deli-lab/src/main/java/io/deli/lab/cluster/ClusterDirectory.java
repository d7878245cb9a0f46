package io.deli.lab.cluster;

import java.nio.file.Path;

/** The directory in which a cluster keeps its plan, configuration, process ids, logs and data. */
record ClusterDirectory(Path root) {
  ClusterDirectory {
    root = root.toAbsolutePath().normalize();
  }

  Path plan() {
    return root.resolve("cluster.json");
  }

  Path conf() {
    return root.resolve("conf");
  }

  Path classPath() {
    return root.resolve("classpath");
  }

  Path clock() {
    return root.resolve("clock.jar");
  }

  Path clock(Node node) {
    return root.resolve("clocks").resolve(node.name());
  }

  /** Web pages, which servers look for on their class path. */
  Path web() {
    return root.resolve("web");
  }

  Path data(String part) {
    return root.resolve("data").resolve(part);
  }

  Path pid(Node node) {
    return root.resolve("pids").resolve(node.name() + ".pid");
  }

  Path log(Node node) {
    return root.resolve("logs").resolve(node.name() + ".log");
  }

  Path output(Node node) {
    return root.resolve("logs").resolve(node.name() + ".out");
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
