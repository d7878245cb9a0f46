package io.deli.tools.command;

import io.deli.client.BuildReport;
import io.deli.tools.ExitCode;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import io.deli.tools.output.RowWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli build}. */
@Command(
    name = "build",
    description = {
      "Build an index of a table that has rows, while it is in use, or go on with a build that"
          + " ended too early.",
      "An index that is in use stays so, and is read anew when that is done; one that is disabled is"
          + " built anew."
    })
public final class BuildCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("rows", "entries", "refused", "ranges", "resumed", "milliseconds");

  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "NAME", description = "Name of the index.")
  private String name;

  @Mixin private BuildSettings settings;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    TableName tableName = Names.table(table);
    settings.check(deli);
    BuildReport report;
    try (Session session = deli.open()) {
      report = settings.build(deli, session.admin(), tableName, name);
    }
    RowWriter out = format.writer(deli, "builds", COLUMNS);
    out.row(figures(report));
    out.end(Map.of());
    return ExitCode.OK;
  }

  private static List<?> figures(BuildReport report) {
    return List.of(
        report.rows(),
        report.entries(),
        report.refused(),
        report.ranges(),
        report.resumed(),
        report.reading().toMillis());
  }
}
