package io.deli.tools.command;

import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.advise.AdviceReport;
import io.deli.tools.advise.Facts;
import io.deli.tools.advise.SampledFacts;
import io.deli.tools.advise.Survey;
import io.deli.tools.output.Progress;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "advise",
    description = {
      "Advise which strategy an index on a column should have, and say why.",
      "Samples the table, asks its region servers what they counted, follows the decision trees of"
          + " the papers, and prints what each strategy would cost, and how sure the advice is."
          + " Fails if the sample does not carry any. Writes nothing.",
      "Servers do not count lookups apart from other reads: tell their share with --lookups."
    })
public final class AdviseCommand extends Subcommand {
  @Mixin private Arguments.OfTable table;

  @Option(
      names = "--column",
      required = true,
      paramLabel = "COLUMN",
      description = "family:qualifier.")
  private String column;

  @Option(
      names = "--type",
      description =
          "How the column's values are encoded: ${COMPLETION-CANDIDATES} (default: that of an index"
              + " on it, else STRING).")
  private ValueType type;

  @Option(
      names = "--sample",
      defaultValue = "5000",
      paramLabel = "N",
      description = "Rows to sample, about (default: ${DEFAULT-VALUE}).")
  private int sample;

  @Option(
      names = "--limit",
      paramLabel = "K",
      description = "A typical query wants the K most recent hits (default: all).")
  private Long limit;

  @Option(
      names = "--lookups",
      paramLabel = "PERCENT",
      description = "Of the reads, those that ask for a value.")
  private Double lookups;

  @Option(
      names = "--writes",
      paramLabel = "PERCENT",
      description = "Of all operations, those that write (default: as counted).")
  private Double writes;

  @Option(
      names = "--updates",
      paramLabel = "PERCENT",
      description = "Of the writes, those that replace or delete a value (default: as sampled).")
  private Double updates;

  @Option(names = "--range", description = "Ranges of values are asked for.")
  private boolean range;

  @Option(names = "--space", description = "There is no room for an index table.")
  private boolean space;

  @Option(names = "--versions", description = "Values that were replaced are asked for.")
  private boolean versions;

  @Override
  public Integer call() throws IOException {
    TableName name = table.name();
    Facts.Wants wants = wants();
    SampledFacts sampled;
    try (Session session = deli.open();
        Progress progress = new Progress(deli.terminal())) {
      TableDescriptor descriptor = session.table(name);
      ColumnTypes types = new ColumnTypes(descriptor, null, Map.of());
      Column chosen = types.column(column);
      ValueType encoding = type != null ? type : types.all().getOrDefault(chosen, ValueType.STRING);
      if (encoding == ValueType.POINT) {
        throw Failure.usage(
            "%s holds points, which have no order to judge by: for rectangles of them take 'next'"
                .formatted(chosen));
      }
      sampled =
          new Survey(session.connection(), descriptor, chosen, encoding)
              .run(sample, wants, progress);
    }
    AdviceReport report = new AdviceReport(sampled);
    deli.print(report.document(), () -> report.print(deli.terminal()));
    return ExitCode.OK;
  }

  private Facts.Wants wants() {
    ResultOptions.atLeastOne("--sample", sample);
    ResultOptions.atLeastOne("--limit", limit);
    return new Facts.Wants(
        limit == null ? OptionalLong.empty() : OptionalLong.of(limit),
        share("--lookups", lookups),
        share("--writes", writes),
        share("--updates", updates),
        range,
        space,
        versions);
  }

  private static OptionalDouble share(String option, Double percent) {
    if (percent == null) {
      return OptionalDouble.empty();
    }
    if (!(percent >= 0 && percent <= 100)) {
      throw Failure.usage(option + " " + percent + ": must be a percentage, from 0 to 100");
    }
    return OptionalDouble.of(percent / 100);
  }
}
