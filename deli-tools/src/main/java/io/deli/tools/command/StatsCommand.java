package io.deli.tools.command;

import io.deli.client.CollectedRegion;
import io.deli.client.DeliAdmin;
import io.deli.client.IndexStatistics;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.FileSize;
import io.deli.tools.output.Progress;
import io.deli.tools.output.RowWriter;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "stats",
    description = {
      "Count the entries of a table's indexes, and how many of a random sample are garbage.",
      "Reads all of each index, but of the base table only the sample's rows."
    })
public final class StatsCommand extends Subcommand {
  private static final int SAMPLE = 1_000;
  private static final List<String> COLUMNS =
      List.of("index", "entries", "sampled", "stale", "garbage_percent", "bytes");

  private static final List<String> LEDGER =
      List.of("start_key", "server", "files", "bytes", "compacted");

  @Mixin private Arguments.OfTable table;

  @Parameters(index = "1", arity = "0..1", paramLabel = "INDEX", description = "One index of it.")
  private String index;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description = "Entries to check (default: 1000; 0 only counts).")
  private Integer sample;

  @Option(
      names = "--regions",
      description = "Show the table's regions, and when each was compacted, instead.")
  private boolean regions;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    TableName name = table.name();
    if (sample != null && sample < 0) {
      throw Failure.usage("--sample " + sample + ": must not be negative");
    }
    Failure.ifBoth("--regions", regions, "--sample", sample);
    Failure.ifBoth("--regions", regions, "an INDEX", index);
    if (regions) {
      return ledger(name);
    }
    IndexCounts counts = counts(name);
    RowWriter out = format.writer(deli, "indexes", COLUMNS);
    counts.byIndex().forEach((one, statistics) -> out.row(row(one, statistics)));
    out.end(Map.of("sizes", FileSize.NOTE));
    counts.failures().forEach(deli.terminal()::say);
    return counts.failures().isEmpty() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private IndexCounts counts(TableName name) throws IOException {
    int size = sample == null ? SAMPLE : sample;
    try (Session session = deli.open();
        Progress progress = new Progress(deli.terminal())) {
      DeliAdmin admin = session.admin();
      return index == null
          ? IndexCounts.of(admin, name, size, progress)
          : new IndexCounts(
              Map.of(index, Optional.of(admin.statistics(name, index, size, progress))), List.of());
    }
  }

  private int ledger(TableName name) throws IOException {
    List<CollectedRegion> all;
    try (Session session = deli.open()) {
      all = session.admin().regions(name);
    }
    RowWriter out = format.writer(deli, "regions", LEDGER);
    for (CollectedRegion region : all) {
      out.row(
          Arrays.asList(
              Texts.format(region.startKey()),
              region.server().getServerName(),
              region.files(),
              new FileSize(region.bytes()),
              region.compacted().orElse(null)));
    }
    out.end(Map.of("sizes", FileSize.NOTE));
    return ExitCode.OK;
  }

  private static List<?> row(String name, Optional<IndexStatistics> counted) {
    if (counted.isEmpty()) {
      return Arrays.asList(name, null, null, null, null, null);
    }
    IndexStatistics statistics = counted.get();
    return List.of(
        name,
        statistics.entries(),
        statistics.sampled(),
        statistics.stale(),
        BigDecimal.valueOf(100 * statistics.garbageRatio()).setScale(1, RoundingMode.HALF_UP),
        new FileSize(statistics.bytes()));
  }
}
