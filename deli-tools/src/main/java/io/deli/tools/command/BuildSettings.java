package io.deli.tools.command;

import io.deli.client.BuildOptions;
import io.deli.tools.Failure;
import picocli.CommandLine.Option;

/** How to build an index. */
final class BuildSettings {
  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "Threads that read the table and write entries (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--rate",
      paramLabel = "ROWS",
      defaultValue = "0",
      description = "Rows a second to read at most; 0, the default, for as many as they can.")
  private long rate;

  BuildOptions options() {
    try {
      return new BuildOptions(threads, rate);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }
}
