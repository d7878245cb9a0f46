package io.deli.tools.command;

import io.deli.index.Column;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.RowWriter;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that write, read or delete one row. */
public final class RowCommands {
  private RowCommands() {}

  private abstract static class RowCommand extends Subcommand {
    @Mixin private Arguments.OfTable table;

    @Parameters(index = "1", paramLabel = "KEY", description = "The row key; \\xNN for a byte.")
    String key;

    /** Refuses numbers out of range, before anything is asked of HBase. */
    abstract void check();

    abstract void run(Session session, Table rows, byte[] row) throws IOException;

    @Override
    public final Integer call() throws IOException {
      TableName name = table.name();
      check();
      try (Session session = deli.open();
          Table rows = session.indexed().getTable(name)) {
        run(session, rows, Names.key(key));
      }
      return ExitCode.OK;
    }

    final void done(String what, byte[] row) {
      String text = Texts.format(row);
      deli.done(what + " " + text, Map.of("table", table.name().getNameAsString(), "row", text));
    }
  }

  @Command(
      name = "put",
      description = {
        "Write columns of one row, and their index entries.",
        ConditionOptions.ESCAPES
      },
      footer = {"", "Example: deli put airports 507 d:city=London altitude=83"})
  public static final class PutRow extends RowCommand {
    @Parameters(
        index = "2..*",
        arity = "1..*",
        paramLabel = "COL=VALUE",
        description = "family:qualifier, or qualifier if there is one family only, and the value.")
    private List<String> values;

    @Option(
        names = "--timestamp",
        paramLabel = "TIME",
        description =
            "Timestamp of the cells, " + Names.TIME + " (default: now, later than all before).")
    private String time;

    @Mixin private Arguments.Types types;

    private long timestamp = HConstants.LATEST_TIMESTAMP;

    @Override
    void check() {
      timestamp = time == null ? timestamp : Names.time("--timestamp", time);
    }

    @Override
    void run(Session session, Table rows, byte[] row) throws IOException {
      ColumnTypes columns = new ColumnTypes(session.table(rows.getName()), null, types.byColumn());
      Put put = new Put(row, timestamp);
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
      done("put", row);
    }
  }

  @Command(name = "get", description = "Read one row. The exit code is 1 if there is no such row.")
  public static final class GetRow extends RowCommand {
    @Parameters(index = "2..*", paramLabel = "COL", description = "Columns (default: all).")
    private List<String> names = List.of();

    @Option(
        names = "--versions",
        defaultValue = "1",
        paramLabel = "N",
        description = "Versions of each column (default: ${DEFAULT-VALUE}).")
    private int versions;

    @Mixin private Arguments.Types types;
    @Mixin private FormatOption format;

    @Override
    void check() {
      ResultOptions.atLeastOne("--versions", versions);
    }

    @Override
    void run(Session session, Table rows, byte[] row) throws IOException {
      ColumnTypes columns = new ColumnTypes(session.table(rows.getName()), null, types.byColumn());
      Get get = new Get(row).readVersions(versions);
      for (String name : names) {
        Column column = columns.column(name);
        get.addColumn(column.family(), column.qualifier());
      }
      Result found = rows.get(get);
      if (found.isEmpty()) {
        throw Failure.of("table %s has no row '%s'".formatted(rows.getName(), key));
      }
      RowWriter out = format.writer(deli, "cells", List.of("column", "value", "timestamp"));
      for (Cell cell : found.rawCells()) {
        Column column = Column.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
        Object value = columns.decode(column, CellUtil.cloneValue(cell));
        out.row(Arrays.asList(column.toString(), value, Instant.ofEpochMilli(cell.getTimestamp())));
      }
      out.end(Map.of());
    }
  }

  @Command(
      name = "delete",
      description = "Delete a row, or all versions of columns of it; harmless if there is none.")
  public static final class DeleteRow extends RowCommand {
    @Parameters(index = "2..*", paramLabel = "COL", description = "Columns (default: the row).")
    private List<String> names = List.of();

    @Option(
        names = "--timestamp",
        paramLabel = "TIME",
        description = "Delete versions up to this time only, " + Names.TIME + " (default: all).")
    private String time;

    private long timestamp = HConstants.LATEST_TIMESTAMP;

    @Override
    void check() {
      timestamp = time == null ? timestamp : Names.time("--timestamp", time);
    }

    @Override
    void run(Session session, Table rows, byte[] row) throws IOException {
      ColumnTypes columns = new ColumnTypes(session.table(rows.getName()), null, Map.of());
      Delete delete = new Delete(row, timestamp);
      for (String name : names) {
        Column column = columns.column(name);
        delete.addColumns(column.family(), column.qualifier(), timestamp);
      }
      rows.delete(delete);
      done("deleted", row);
    }
  }
}
