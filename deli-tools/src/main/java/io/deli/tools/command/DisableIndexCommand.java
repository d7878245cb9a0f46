package io.deli.tools.command;

import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli disable-index}. */
@Command(
    name = "disable-index",
    description = "Stop maintaining and using an index, as when its table holds up writers.")
public final class DisableIndexCommand implements Callable<Integer> {
  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "NAME", description = "Name of the index.")
  private String name;

  @Override
  public Integer call() throws IOException {
    TableName tableName = Names.table(table);
    try (Session session = deli.open()) {
      session.admin().disable(tableName, name);
    }
    deli.done(
        "disabled index " + name + " of " + tableName,
        Map.of("table", tableName.getNameAsString(), "index", name));
    return 0;
  }
}
