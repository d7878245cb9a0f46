package io.deli.tools.command;

import io.deli.client.DeliAdmin;
import io.deli.client.Finding;
import io.deli.client.VerifyFailedException;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import io.deli.entry.Entry;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Failures;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.mapreduce.VerifyJob;
import io.deli.tools.output.Progress;
import io.deli.tools.output.RowWriter;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "verify",
    description = {
      "Compare an index with its table, in both directions, while others write.",
      "missing: a version without entry, which lookups do not find. mismatched: an entry whose"
          + " value was changed past DELI. unindexable: a value that DELI would have refused."
          + " dangling: an entry that nothing justifies, of a failed write, say. obsolete: garbage"
          + " that a collection, or a lookup, will take; normal.",
      "The exit code is 5 if anything is missing or mismatched, 3 if the time was up before the"
          + " end, 1 if it failed: then, too, what was found until then is printed."
    })
public final class VerifyCommand extends Subcommand {
  private static final List<String> COLUMNS =
      List.of("kind", "key", "timestamp", "token", "index_row");

  @Mixin private Arguments.OfIndex index;

  @Option(
      names = "--repair",
      description =
          "Write missing entries; report others to their region, which deletes those that nothing"
              + " justifies. Without it, nothing is changed.")
  private boolean repair;

  @Option(
      names = "--checksum",
      description =
          "Compare sums of ranges of rows first, and look closer only where they differ. Cheaper"
              + " after a collection; passes over what was written lately. Not with --minutes or"
              + " --resume: one that fails is resumed without --checksum.")
  private boolean checksum;

  @Option(names = "--from", paramLabel = "KEY", description = "First row key that counts.")
  private String from;

  @Option(
      names = "--before",
      paramLabel = "KEY",
      description = "Row key behind the last that counts. The index is read as a whole even so.")
  private String before;

  @Option(names = "--minutes", description = "Stop after that time, and tell where.")
  private Double minutes;

  @Option(
      names = "--resume",
      paramLabel = "POSITION",
      description = "Go on where an earlier run stopped, as it printed, with its other options.")
  private String position;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Versions and entries to read in a second at most; default as many as can be.")
  private int rate;

  @Option(names = "--threads", paramLabel = "N", description = "Threads that compare (default: 4).")
  private Integer threads;

  @Option(
      names = "--mapreduce",
      description =
          "Have a MapReduce job compare, by a mapper for each region of table and index. It runs"
              + " where the files of --conf say, in this process by default; begun anew if it"
              + " fails. Not with --minutes, --resume, --rate or --threads.")
  private boolean mapReduce;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "10",
      description = "Findings of each kind to print at most (default: ${DEFAULT-VALUE}).")
  private int samples;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    TableName name = index.table();
    VerifyOptions options = options();
    VerifyReport report;
    try (Session session = deli.open();
        Progress progress = new Progress(deli.terminal())) {
      DeliAdmin admin = session.admin();
      report =
          mapReduce
              ? admin.verify(name, index.name(), options, new VerifyJob(), progress)
              : admin.verify(name, index.name(), options, progress);
    } catch (VerifyFailedException e) {
      print(e.report());
      throw Failures.explain(e.getCause());
    }
    print(report);
    if (!report.isClean()) {
      return ExitCode.DAMAGED;
    }
    return report.isComplete() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private VerifyOptions options() {
    if (rate < 0 || samples < 0 || (minutes != null && minutes < 0)) {
      throw Failure.usage("--rate, --samples and --minutes must not be negative");
    }
    Failure.ifBoth("--checksum", checksum, "--minutes", minutes);
    Failure.ifBoth("--checksum", checksum, "--resume", position);
    if (mapReduce) {
      Failure.ifBoth("--mapreduce", true, "--minutes", minutes);
      Failure.ifBoth("--mapreduce", true, "--resume", position);
      Failure.ifBoth("--mapreduce", true, "--rate", rate > 0);
      Failure.ifBoth("--mapreduce", true, "--threads", threads);
      BuildSettings.requireFiles(deli, "--mapreduce");
    }
    try {
      return new VerifyOptions(
          bound(from),
          bound(before),
          Optional.ofNullable(position).map(VerifyCommand::position),
          Optional.ofNullable(minutes).map(m -> Duration.ofMillis(Math.round(60_000 * m))),
          rate,
          samples,
          repair,
          checksum,
          threads == null ? VerifyOptions.DEFAULT.threads() : threads);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--from, --before, --resume, --threads: " + e.getMessage());
    }
  }

  private static byte[] bound(String key) {
    return key == null ? HConstants.EMPTY_BYTE_ARRAY : Names.key(key);
  }

  private static VerifyPosition position(String text) {
    try {
      return VerifyPosition.parse(text);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--resume: " + e.getMessage() + ": give the one that a run printed");
    }
  }

  private void print(VerifyReport report) {
    RowWriter out = format.writer(deli, "findings", COLUMNS);
    report.samples().forEach(finding -> out.row(row(finding)));
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("versions", report.versions());
    facts.put("entries", report.entries());
    for (Finding.Kind kind : Finding.Kind.values()) {
      facts.put(name(kind), report.count(kind));
    }
    if (repair) {
      facts.put("written", report.written());
      facts.put("reported", report.reported());
    }
    report
        .position()
        .map(VerifyPosition::toString)
        .ifPresent(
            next -> {
              facts.put("resume", next);
              facts.put(
                  "to_go_on",
                  "deli verify %s %s --resume %s, with the other options of this run"
                      .formatted(index.table(), index.name(), quoted(next)));
            });
    facts.put("verdict", verdict(report));
    out.end(facts);
  }

  /** A position may have bytes that a shell takes for its own. */
  private static String quoted(String position) {
    return position.matches("[\\w:.-]+") ? position : "'" + position.replace("'", "'\\''") + "'";
  }

  private String verdict(VerifyReport report) {
    long unindexable = report.count(Finding.Kind.UNINDEXABLE);
    String held =
        report.isClean()
            ? "holds every version that was compared"
            : "is damaged: lookups miss rows or give wrong ones; %s"
                .formatted(
                    repair
                        ? "verify it again, to see whether that is repaired"
                        : "--repair mends it");
    return "index %s %s%s%s"
        .formatted(
            index.name(),
            held,
            unindexable == 0
                ? ""
                : ", but for %d whose value it cannot hold".formatted(unindexable),
            report.isComplete() ? "" : "; the rest is not compared yet");
  }

  private static List<?> row(Finding finding) {
    Entry entry = finding.entry().orElse(null);
    return Arrays.asList(
        name(finding.kind()),
        entry == null ? null : Texts.format(entry.key()),
        entry == null ? null : Instant.ofEpochMilli(entry.timestamp()),
        entry == null ? null : Texts.format(entry.token()),
        Texts.format(finding.row()));
  }

  private static String name(Finding.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
