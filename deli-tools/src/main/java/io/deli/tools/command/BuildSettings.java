package io.deli.tools.command;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.DeliAdmin;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.tools.DeliCommand;
import io.deli.tools.Failure;
import io.deli.tools.mapreduce.MapReduceEngine;
import io.deli.tools.output.Progress;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Option;

/** How to build an index. */
final class BuildSettings {
  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that read the table and write entries (default: 4).")
  private Optional<Integer> threads;

  @Option(
      names = "--rate",
      paramLabel = "ROWS",
      description = "Rows a second to read at most; 0, the default, for as many as they can.")
  private Optional<Long> rate;

  @Option(
      names = "--mapreduce",
      description =
          "Have a MapReduce job read the table and write files of entries, which the index table"
              + " then loads. It runs where the files of --conf say, in this process by default.")
  private boolean mapReduce;

  boolean isMapReduce() {
    return mapReduce;
  }

  /** Refuses what cannot be, before anything is done. */
  void check(DeliCommand deli) {
    if (mapReduce && (threads.isPresent() || rate.isPresent())) {
      throw Failure.usage(
          "--threads and --rate are for a build without --mapreduce: leave them out");
    }
    if (mapReduce && deli.target().zookeeper().isPresent() && deli.target().conf().isEmpty()) {
      throw Failure.usage(
          "--mapreduce needs HBase's file system: give --conf a directory with the cluster's"
              + " hbase-site.xml, core-site.xml and hdfs-site.xml instead of --zookeeper");
    }
    options();
  }

  /** Refuses an index that cannot be built so. */
  void requireFit(IndexDefinition definition) {
    if (mapReduce) {
      try {
        new MapReduceEngine().requireFit(definition);
      } catch (InvalidIndexException e) {
        throw Failure.usage(e.getMessage());
      }
    }
  }

  BuildReport build(DeliCommand deli, DeliAdmin admin, TableName table, String name)
      throws IOException {
    try (Progress progress = new Progress(deli.terminal())) {
      return mapReduce
          ? admin.build(table, name, new MapReduceEngine(), progress)
          : admin.build(table, name, options(), progress);
    }
  }

  private BuildOptions options() {
    try {
      return new BuildOptions(
          threads.orElse(BuildOptions.DEFAULT.threads()),
          rate.orElse(BuildOptions.DEFAULT.rowsPerSecond()));
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }
}
