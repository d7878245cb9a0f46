package io.deli.tools.command;

import io.deli.client.BuildReport;
import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.client.IndexPermission;
import io.deli.tools.ExitCode;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.RowWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands that do one thing to an index, or to the indexes of a table. */
public final class IndexCommands {
  private IndexCommands() {}

  private abstract static class IndexCommand extends Subcommand {
    @Mixin private Arguments.OfIndex index;

    /** Returns what was done. */
    abstract String run(DeliAdmin admin, TableName table, String index) throws IOException;

    @Override
    public final Integer call() throws IOException {
      TableName table = index.table();
      String done;
      try (Session session = deli.open()) {
        done = run(session.admin(), table, index.name());
      }
      deli.done(
          "%s index %s of %s".formatted(done, index.name(), table),
          Map.of("table", table.getNameAsString(), "index", index.name()));
      return ExitCode.OK;
    }
  }

  @Command(
      name = "drop-index",
      description = "Drop an index and its entries; the table stays as it is.")
  public static final class DropIndex extends IndexCommand {
    @Override
    String run(DeliAdmin admin, TableName table, String index) throws IOException {
      admin.dropIndex(table, index);
      return "dropped";
    }
  }

  @Command(
      name = "disable-index",
      description = "Stop maintaining and using an index, as when its table holds up writers.")
  public static final class DisableIndex extends IndexCommand {
    @Override
    String run(DeliAdmin admin, TableName table, String index) throws IOException {
      admin.disable(table, index);
      return "disabled";
    }
  }

  @Command(name = "enable-index", description = "Take a disabled index into use again.")
  public static final class EnableIndex extends IndexCommand {
    @Option(
        names = "--leave-existing-unindexed",
        description =
            "Accept a table that has rows: those written while the index was disabled are not found"
                + " until they are next written.")
    private boolean leaveExisting;

    @Override
    String run(DeliAdmin admin, TableName table, String index) throws IOException {
      admin.enable(
          table, index, leaveExisting ? ExistingRows.LEAVE_UNINDEXED : ExistingRows.REFUSE);
      return "enabled";
    }
  }

  @Command(
      name = "build",
      description = {
        "Build an index of a table that has rows, while it is in use, or go on with a build that"
            + " ended too early.",
        "An index that is in use stays so, and is read anew when that is done; one that is disabled"
            + " is built anew."
      })
  public static final class BuildIndex extends Subcommand {
    private static final List<String> COLUMNS =
        List.of("rows", "entries", "refused", "ranges", "resumed", "milliseconds");

    @Mixin private Arguments.OfIndex index;

    @Mixin private BuildSettings settings;

    @Mixin private FormatOption format;

    @Override
    public Integer call() throws IOException {
      TableName table = index.table();
      settings.check(deli);
      BuildReport report;
      try (Session session = deli.open()) {
        report = settings.build(deli, session.admin(), table, index.name());
      }
      RowWriter out = format.writer(deli, "builds", COLUMNS);
      out.row(figures(report));
      out.end(Map.of());
      return BuildSettings.warn(deli, report);
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

  @Command(
      name = "grant",
      description = {
        "Give users the permissions on index tables that they have on the table, and take away"
            + " others.",
        "To be repeated whenever permissions on the table change."
      })
  public static final class Grant extends Subcommand {
    private static final List<String> COLUMNS =
        List.of("index_table", "user", "actions", "changed");

    @Mixin private Arguments.OfTable table;

    @Mixin private FormatOption format;

    @Override
    public Integer call() throws IOException {
      RowWriter rows = null;
      try (Session session = deli.open()) {
        List<IndexPermission> all = session.admin().mirrorPermissions(table.name());
        rows = format.writer(deli, "permissions", COLUMNS);
        for (IndexPermission each : all) {
          rows.row(
              List.of(
                  each.indexTable().getNameAsString(),
                  each.user(),
                  each.actions().stream().sorted().map(Enum::name).toList().toString(),
                  each.changed()));
        }
      }
      rows.end(Map.of());
      return 0;
    }
  }
}
