package io.deli.tools.command;

import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.tools.Failure;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli put}. */
@Command(
    name = "put",
    description = "Write columns of one row, and their index entries.",
    footer = {"", "Example: deli put airports 507 d:city=London altitude=83"})
public final class PutCommand implements Callable<Integer> {
  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "KEY", description = "The row key; \\xNN for a byte.")
  private String key;

  @Parameters(
      index = "2..*",
      arity = "1..*",
      paramLabel = "COL=VALUE",
      description = "family:qualifier, or qualifier if there is one family only, and the value.")
  private List<String> values;

  @Option(
      names = "--timestamp",
      paramLabel = "MILLIS",
      description = "Timestamp of the cells (default: now, later than all before).")
  private long timestamp = HConstants.LATEST_TIMESTAMP;

  @Option(
      names = "--types",
      split = ",",
      paramLabel = "COL=TYPE",
      description = "Encodings of columns without index (default: STRING).")
  private Map<String, ValueType> types = Map.of();

  @Override
  public Integer call() throws IOException {
    TableName name = Names.table(table);
    if (timestamp < 0) {
      throw Failure.usage("--timestamp " + timestamp + ": must not be negative");
    }
    try (Session session = deli.open();
        Table rows = session.indexed().getTable(name)) {
      ColumnTypes columns = new ColumnTypes(session.table(name), null, types);
      Put put = new Put(Names.key(key), timestamp);
      for (String assignment : values) {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
          throw Failure.usage("'" + assignment + "': write COLUMN=VALUE");
        }
        Column column = columns.column(assignment.substring(0, equals));
        byte[] value = columns.encode(column, assignment.substring(equals + 1));
        put.addColumn(column.family(), column.qualifier(), value);
      }
      rows.put(put);
      String row = Texts.format(put.getRow());
      deli.done("put " + row, Map.of("table", name.getNameAsString(), "row", row));
    }
    return 0;
  }
}
