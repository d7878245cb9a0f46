package io.deli.lab.command;

import io.deli.lab.campaign.CampaignReport;
import io.deli.lab.campaign.TortureCampaign;
import io.deli.tools.RootCommand;
import io.deli.tools.output.Progress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options of {@code lab torture --campaign}. */
final class CampaignOptions {
  @Option(
      names = "--campaign",
      description = {
        "Go through a matrix of strategies, maintenances and faults on a cluster of processes of its own",
        "(--data names its directory), with client processes, and resume where that was interrupted."
      })
  private boolean asked;

  @Option(
      names = "--operations",
      defaultValue = "10000000",
      description = "With --campaign, to check in all cells together; default ${DEFAULT-VALUE}.")
  private long operations;

  @Option(
      names = "--fault-count",
      defaultValue = "1000",
      description = "With --campaign, to happen in all cells together; default ${DEFAULT-VALUE}.")
  private int faults;

  @Option(
      names = "--cells",
      paramLabel = "REGEX",
      defaultValue = "",
      description = "With --campaign, only cells whose name has a match; default all.")
  private String cells;

  boolean isAsked() {
    return asked;
  }

  CampaignReport run(RootCommand deli, Optional<Path> otherJar) throws Exception {
    try (Progress progress = new Progress(deli.terminal())) {
      return new TortureCampaign(
              deli.directory("campaign"),
              ClusterCommand.builtJar(),
              otherJar,
              progress,
              deli.terminal()::say)
          .run(operations, faults, Pattern.compile(cells));
    }
  }
}
