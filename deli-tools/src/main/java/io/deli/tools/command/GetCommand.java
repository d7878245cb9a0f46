package io.deli.tools.command;

import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import io.deli.tools.output.RowWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code deli get}. */
@Command(name = "get", description = "Read one row. The exit code is 1 if there is no such row.")
public final class GetCommand implements Callable<Integer> {
  @ParentCommand private RootCommand deli;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "KEY", description = "The row key; \\xNN for a byte.")
  private String key;

  @Parameters(index = "2..*", paramLabel = "COL", description = "Columns (default: all).")
  private List<String> names = List.of();

  @Option(
      names = "--versions",
      defaultValue = "1",
      paramLabel = "N",
      description = "Versions of each column (default: ${DEFAULT-VALUE}).")
  private int versions;

  @Option(
      names = "--types",
      split = ",",
      paramLabel = "COL=TYPE",
      description = "Encodings of columns without index (default: STRING).")
  private Map<String, ValueType> types = Map.of();

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    TableName name = Names.table(table);
    if (versions < 1) {
      throw Failure.usage("--versions " + versions + ": must be at least 1");
    }
    try (Session session = deli.open();
        Table rows = session.indexed().getTable(name)) {
      ColumnTypes columns = new ColumnTypes(session.table(name), null, types);
      Get get = new Get(Names.key(key)).readVersions(versions);
      for (String column : names) {
        Column named = columns.column(column);
        get.addColumn(named.family(), named.qualifier());
      }
      Result row = rows.get(get);
      if (row.isEmpty()) {
        throw new Failure(ExitCode.FAILED, "table " + name + " has no row '" + key + "'");
      }
      print(row, columns);
    }
    return ExitCode.OK;
  }

  private void print(Result row, ColumnTypes columns) {
    RowWriter out = format.writer(deli, "cells", List.of("column", "value", "timestamp"));
    for (Cell cell : row.rawCells()) {
      Column column = Column.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
      out.row(
          Arrays.asList(
              column.toString(),
              columns.decode(column, CellUtil.cloneValue(cell)),
              cell.getTimestamp()));
    }
    out.end(Map.of());
  }
}
