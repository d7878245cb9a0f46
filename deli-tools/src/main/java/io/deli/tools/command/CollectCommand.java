package io.deli.tools.command;

import io.deli.client.CollectOptions;
import io.deli.client.CollectReport;
import io.deli.client.DeliAdmin;
import io.deli.client.IndexStatistics;
import io.deli.client.ProgressListener;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.FileSize;
import io.deli.tools.output.Progress;
import io.deli.tools.output.RowWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "collect",
    description = {
      "Collect the garbage of a table's indexes now, and wait until it is gone.",
      "Flushes and major-compacts the table and its index tables, region by region. HBase's own"
          + " compactions collect as well, in their own time."
    })
public final class CollectCommand extends Subcommand {
  private static final List<String> COLUMNS =
      List.of(
          "index", "entries_before", "entries_after", "collected", "bytes_before", "bytes_after");

  private static final int SAMPLE = 2_000;

  @Mixin private Arguments.OfTable table;

  @Option(
      names = "--no-count",
      description = "Do not count entries before and after, which reads all of each index.")
  private boolean noCount;

  @Option(
      names = "--per-server",
      paramLabel = "N",
      defaultValue = "2",
      description = "Regions compacted on a server at a time (default: ${DEFAULT-VALUE}).")
  private int perServer;

  @Option(
      names = "--older-than",
      paramLabel = "HOURS",
      description = "Leave out regions that were compacted as a whole more lately.")
  private Double hours;

  @Option(
      names = "--no-sweep",
      description =
          "Leave what no compaction knows, such as entries of writes that failed; a sweep looks"
              + " into every entry.")
  private boolean noSweep;

  @Option(
      names = "--sweep-rate",
      paramLabel = "N",
      description = "Entries swept in a second, at most; 0 for no limit (default).")
  private Integer sweepRate;

  @Option(
      names = "--if-garbage",
      paramLabel = "RATIO",
      description =
          "Do nothing unless a larger part of an index than this, 0 to 1, is garbage, by a sample.")
  private Double threshold;

  @Mixin private FormatOption format;

  private final Set<String> uncounted = new LinkedHashSet<>();

  @Override
  public Integer call() throws IOException {
    TableName name = table.name();
    CollectOptions options = options();
    Map<String, Long> before;
    Map<String, Long> after;
    CollectReport report;
    try (Session session = deli.open();
        Progress progress = new Progress(deli.terminal())) {
      DeliAdmin admin = session.admin();
      if (admin.list(name).isEmpty()) {
        throw Failure.of("table " + name + " has no index, so there is nothing to collect");
      }
      if (threshold != null) {
        OptionalDouble garbage = garbage(admin, name, progress);
        if (garbage.isEmpty() || garbage.getAsDouble() <= threshold) {
          return leave(garbage);
        }
      }
      before = entries(admin, name);
      report = admin.collect(name, options, progress);
      after = entries(admin, name);
    }
    // What was dropped or created meanwhile has no difference.
    before.keySet().retainAll(after.keySet());
    print(report, before, after);
    uncounted.forEach(deli.terminal()::say);
    if (report.isComplete()) {
      return ExitCode.OK;
    }
    sayWhatIsLeft(report);
    return ExitCode.PARTIAL;
  }

  private int leave(OptionalDouble garbage) throws IOException {
    garbage.ifPresent(
        ratio ->
            deli.terminal()
                .say("nothing collected: %.1f %% of an index is garbage".formatted(100 * ratio)));
    uncounted.forEach(deli.terminal()::say);
    writer().end(garbage.isPresent() ? Map.of("garbage_ratio", garbage.getAsDouble()) : Map.of());
    return garbage.isPresent() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private void sayWhatIsLeft(CollectReport report) {
    if (!report.left().isEmpty()) {
      deli.terminal()
          .say(
              "%d regions were not compacted, such as %s: they move or split, have no server, or compactions are switched off"
                  .formatted(report.left().size(), report.left().iterator().next()));
    }
    if (!report.kept().isEmpty()) {
      deli.terminal()
          .say(
              "%d versions of %d regions, such as %s, were not collected: an index did not acknowledge the deletes of their entries, or its tokenizer failed, as the region server's log says: collect again"
                  .formatted(
                      kept(report),
                      report.kept().size(),
                      report.kept().keySet().iterator().next()));
    }
  }

  private static long kept(CollectReport report) {
    return report.kept().values().stream().mapToLong(Long::longValue).sum();
  }

  private CollectOptions options() {
    Failure.ifBoth("--no-sweep", noSweep, "--sweep-rate", sweepRate);
    int rate = sweepRate == null ? 0 : sweepRate;
    if (perServer < 1
        || rate < 0
        || (hours != null && hours < 0)
        || (threshold != null && (threshold < 0 || threshold > 1))) {
      throw Failure.usage(
          "--per-server must be at least 1, --older-than and --sweep-rate at least 0, --if-garbage"
              + " 0 to 1");
    }
    CollectOptions options =
        CollectOptions.DEFAULT.withPerServer(perServer).withSweep(!noSweep).withSweepRate(rate);
    return hours == null
        ? options
        : options.withOlderThan(Duration.ofMillis(Math.round(3_600_000 * hours)));
  }

  /** Of the index that has most; empty if none can be counted. */
  private OptionalDouble garbage(DeliAdmin admin, TableName name, ProgressListener progress)
      throws IOException {
    return counts(admin, name, SAMPLE, progress).values().stream()
        .mapToDouble(IndexStatistics::garbageRatio)
        .max();
  }

  private Map<String, Long> entries(DeliAdmin admin, TableName name) throws IOException {
    Map<String, Long> entries = new TreeMap<>();
    if (noCount) {
      admin.list(name).forEach(index -> entries.put(index.name(), 0L));
    } else {
      counts(admin, name, 0, ProgressListener.NONE)
          .forEach((index, counts) -> entries.put(index, counts.entries()));
    }
    return entries;
  }

  private Map<String, IndexStatistics> counts(
      DeliAdmin admin, TableName name, int sample, ProgressListener progress) throws IOException {
    IndexCounts all = IndexCounts.of(admin, name, sample, progress);
    uncounted.addAll(all.failures());
    Map<String, IndexStatistics> counted = new TreeMap<>();
    all.byIndex().forEach((index, counts) -> counts.ifPresent(each -> counted.put(index, each)));
    return counted;
  }

  private RowWriter writer() {
    return format.writer(
        deli, "indexes", noCount ? List.of("index", "bytes_before", "bytes_after") : COLUMNS);
  }

  private void print(CollectReport report, Map<String, Long> before, Map<String, Long> after) {
    RowWriter out = writer();
    before.forEach(
        (index, entries) -> {
          FileSize bytesBefore = new FileSize(report.bytesBefore().getOrDefault(index, 0L));
          FileSize bytesAfter = new FileSize(report.bytesAfter().getOrDefault(index, 0L));
          out.row(
              noCount
                  ? List.of(index, bytesBefore, bytesAfter)
                  : List.of(
                      index,
                      entries,
                      after.get(index),
                      entries - after.get(index),
                      bytesBefore,
                      bytesAfter));
        });
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("table_milliseconds", report.base().toMillis());
    facts.put("indexes_milliseconds", report.indexes().toMillis());
    facts.put("regions_left", report.left().size());
    facts.put("versions_kept", kept(report));
    facts.put("sizes", FileSize.NOTE);
    out.end(facts);
  }
}
