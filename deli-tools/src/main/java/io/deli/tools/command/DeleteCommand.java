package io.deli.tools.command;

import io.deli.index.Column;
import io.deli.tools.Failure;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli delete}. */
@Command(
    name = "delete",
    description = "Delete a row, or all versions of columns of it; harmless if there is none.")
public final class DeleteCommand implements Callable<Integer> {
  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "KEY", description = "The row key; \\xNN for a byte.")
  private String key;

  @Parameters(index = "2..*", paramLabel = "COL", description = "Columns (default: the row).")
  private List<String> names = List.of();

  @Option(
      names = "--timestamp",
      paramLabel = "MILLIS",
      description = "Delete versions up to this time only (default: all).")
  private long timestamp = HConstants.LATEST_TIMESTAMP;

  @Override
  public Integer call() throws IOException {
    TableName name = Names.table(table);
    if (timestamp < 0) {
      throw Failure.usage("--timestamp " + timestamp + ": must not be negative");
    }
    try (Session session = deli.open();
        Table rows = session.indexed().getTable(name)) {
      ColumnTypes columns = new ColumnTypes(session.table(name), null, Map.of());
      Delete delete = new Delete(Names.key(key), timestamp);
      for (String column : names) {
        Column named = columns.column(column);
        delete.addColumns(named.family(), named.qualifier(), timestamp);
      }
      rows.delete(delete);
      deli.done("deleted " + key, Map.of("table", name.getNameAsString(), "row", key));
    }
    return 0;
  }
}
