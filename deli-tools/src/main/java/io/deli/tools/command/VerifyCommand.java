package io.deli.tools.command;

import io.deli.client.Finding;
import io.deli.client.VerifyFailedException;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import io.deli.entry.Entry;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Failures;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import io.deli.tools.output.Progress;
import io.deli.tools.output.RowWriter;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli verify}. */
@Command(
    name = "verify",
    description = {
      "Compare an index with its table, in both directions, while others write.",
      "missing: a version without entry, which lookups do not find. mismatched: an entry whose value"
          + " was changed past DELI. unindexable: a value that DELI would have refused. dangling: an"
          + " entry that nothing justifies, of a failed write, say. obsolete: garbage that a"
          + " collection, or a lookup, will take; normal.",
      "The exit code is 5 if anything is missing or mismatched, 3 if the time was up before the end,"
          + " 1 if it failed: then, too, what was found until then is printed."
    })
public final class VerifyCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("kind", "key", "timestamp", "token", "index_row");

  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "INDEX", description = "The index of it.")
  private String index;

  @Option(
      names = "--repair",
      description =
          "Write missing entries; report others to their region, which deletes those that nothing"
              + " justifies. Without it, nothing is changed.")
  private boolean repair;

  @Option(
      names = "--checksum",
      description =
          "Compare sums of each region first, and look closer only where they differ. Cheaper after a"
              + " collection; passes over what was written lately. Not with --minutes or --resume:"
              + " one that fails is resumed without --checksum.")
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

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "10",
      description = "Findings of each kind to print at most (default: ${DEFAULT-VALUE}).")
  private int samples;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    TableName name = Names.table(table);
    VerifyOptions options = options();
    VerifyReport report;
    try (Session session = deli.open();
        Progress progress = new Progress(deli.terminal())) {
      report = session.admin().verify(name, index, options, progress);
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
    try {
      return given();
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--from, --before, --resume: " + e.getMessage());
    }
  }

  private VerifyOptions given() {
    if (rate < 0 || samples < 0 || (minutes != null && minutes < 0)) {
      throw Failure.usage("--rate, --samples and --minutes must not be negative");
    }
    if (checksum && (minutes != null || position != null)) {
      throw Failure.usage(
          "--checksum sums up all, with neither --minutes nor --resume: do without it, or take a"
              + " part of the rows by --from and --before");
    }
    VerifyOptions options =
        VerifyOptions.DEFAULT
            .withRange(bound(from), bound(before))
            .withRate(rate)
            .withSamples(samples);
    if (checksum) {
      options = options.withSums();
    }
    if (position != null) {
      options = options.withPosition(position());
    }
    if (minutes != null) {
      options = options.withTime(Duration.ofMillis(Math.round(60_000 * minutes)));
    }
    return repair ? options.withRepair() : options;
  }

  private static byte[] bound(String key) {
    return key == null ? HConstants.EMPTY_BYTE_ARRAY : Names.key(key);
  }

  private VerifyPosition position() {
    try {
      return VerifyPosition.parse(position);
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
    report.position().ifPresent(next -> facts.put("resume", next.toString()));
    out.end(facts);
  }

  private static List<?> row(Finding finding) {
    Entry entry = finding.entry().orElse(null);
    return Arrays.asList(
        name(finding.kind()),
        entry == null ? null : Texts.format(entry.key()),
        entry == null ? null : entry.timestamp(),
        entry == null ? null : Texts.format(entry.token()),
        Texts.format(finding.row()));
  }

  private static String name(Finding.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
