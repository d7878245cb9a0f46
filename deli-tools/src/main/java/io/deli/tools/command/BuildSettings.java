package io.deli.tools.command;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.DeliAdmin;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.RootCommand;
import io.deli.tools.files.EntryFiles;
import io.deli.tools.mapreduce.MapReduceEngine;
import io.deli.tools.output.Progress;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Option;

/** Options for the way to build an index. */
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

  @Option(
      names = "--files",
      description =
          "Have the threads write files of entries, which the index table then loads, instead of"
              + " putting entries.")
  private boolean files;

  /** The options among these that are given. */
  List<String> given() {
    return Stream.of(
            mapReduce ? "--mapreduce" : "",
            files ? "--files" : "",
            threads.isPresent() ? "--threads" : "",
            rate.isPresent() ? "--rate" : "")
        .filter(option -> !option.isEmpty())
        .toList();
  }

  /** Refuses what cannot be, before anything is done. */
  void check(RootCommand deli) {
    if (mapReduce && (threads.isPresent() || rate.isPresent())) {
      throw Failure.usage(
          "--threads and --rate are for a build without --mapreduce: leave them out");
    }
    Failure.ifBoth("--mapreduce", mapReduce, "--files", files);
    if (mapReduce || files) {
      requireFiles(deli, given().get(0));
    }
    options();
  }

  /** Refuses an option that needs HBase's file system where the command line does not tell it. */
  static void requireFiles(RootCommand deli, String option) {
    if (deli.target().zookeeper().isPresent() && deli.target().conf().isEmpty()) {
      throw Failure.usage(
          option
              + " needs HBase's file system: give --conf a directory with the cluster's"
              + " hbase-site.xml, core-site.xml and hdfs-site.xml instead of --zookeeper");
    }
  }

  /** Refuses an index that cannot be built so. */
  void requireFit(IndexDefinition definition) {
    try {
      if (mapReduce) {
        new MapReduceEngine().requireFit(definition);
      } else if (files) {
        new EntryFiles().requireFit(definition);
      }
    } catch (InvalidIndexException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  BuildReport build(RootCommand deli, DeliAdmin admin, TableName table, String name)
      throws IOException {
    try (Progress progress = new Progress(deli.terminal())) {
      return mapReduce
          ? admin.build(table, name, new MapReduceEngine(), progress)
          : admin.build(table, name, options(), progress);
    }
  }

  /**
   * Warns of values that are not in the index, with an example.
   *
   * @return the exit code
   */
  static int warn(RootCommand deli, BuildReport report) {
    if (report.refused() == 0) {
      return ExitCode.OK;
    }
    deli.terminal()
        .say(
            "warning: %d version%s not in the index, since it cannot hold the value%s: write other values, or drop the index and create it with another --type"
                .formatted(
                    report.refused(),
                    report.refused() == 1 ? " is" : "s are",
                    report.refusal().map(example -> ", as in " + example).orElse("")));
    return ExitCode.PARTIAL;
  }

  private BuildOptions options() {
    try {
      BuildOptions options =
          new BuildOptions(
              threads.orElse(BuildOptions.DEFAULT.threads()),
              rate.orElse(BuildOptions.DEFAULT.rowsPerSecond()));
      return files ? options.withWriter(new EntryFiles()) : options;
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }
}
