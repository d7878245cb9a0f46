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

/** {@code deli drop-index}. */
@Command(
    name = "drop-index",
    description = "Drop an index and its entries; the table stays as it is.")
public final class DropIndexCommand implements Callable<Integer> {
  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "NAME", description = "Name of the index.")
  private String name;

  @Override
  public Integer call() throws IOException {
    TableName tableName = Names.table(table);
    try (Session session = deli.open()) {
      session.admin().dropIndex(tableName, name);
    }
    deli.done(
        "dropped index " + name + " of " + tableName,
        Map.of("table", tableName.getNameAsString(), "index", name));
    return 0;
  }
}
