package io.deli.tools.command;

import io.deli.client.ExistingRows;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli enable-index}. */
@Command(name = "enable-index", description = "Take a disabled index into use again.")
public final class EnableIndexCommand implements Callable<Integer> {
  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "NAME", description = "Name of the index.")
  private String name;

  @Option(
      names = "--leave-existing-unindexed",
      description =
          "Accept a table that has rows: those written while the index was disabled are not found"
              + " until they are next written.")
  private boolean leaveExisting;

  @Override
  public Integer call() throws IOException {
    TableName tableName = Names.table(table);
    try (Session session = deli.open()) {
      session
          .admin()
          .enable(
              tableName, name, leaveExisting ? ExistingRows.LEAVE_UNINDEXED : ExistingRows.REFUSE);
    }
    deli.done(
        "enabled index " + name + " of " + tableName,
        Map.of("table", tableName.getNameAsString(), "index", name));
    return 0;
  }
}
