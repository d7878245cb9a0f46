package io.deli.tools.command;

import io.deli.client.IndexPermission;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import io.deli.tools.output.RowWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli grant}. */
@Command(
    name = "grant",
    description = {
      "Give users the permissions on index tables that they have on the table, and take away others.",
      "To be repeated whenever permissions on the table change."
    })
public final class GrantCommand implements Callable<Integer> {
  private static final List<String> COLUMNS = List.of("index_table", "user", "actions", "changed");

  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table with indexes.")
  private String table;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    RowWriter rows = null;
    try (Session session = deli.open()) {
      List<IndexPermission> all = session.admin().mirrorPermissions(Names.table(table));
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
