package io.deli.tools.command;

import io.deli.index.ValueType;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Arguments and options that several commands share. */
final class Arguments {
  private Arguments() {}

  /** The table that a command is about, its first argument. */
  static final class OfTable {
    @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
    private String table;

    TableName name() {
      return Names.table(table);
    }
  }

  /** The index that a command is about, its first two arguments. */
  static final class OfIndex {
    @Mixin private OfTable table;

    @Parameters(index = "1", paramLabel = "INDEX", description = "The index.")
    private String name;

    TableName table() {
      return table.name();
    }

    String name() {
      return name;
    }
  }

  /** Encodings of columns that no index tells. */
  static final class Types {
    @Option(
        names = "--types",
        split = ",",
        paramLabel = "COL=TYPE",
        description =
            "Encodings of columns without an index: BYTES, STRING, INT, LONG, FLOAT, DOUBLE,"
                + " DECIMAL, POINT (default: STRING).")
    private Map<String, ValueType> types = Map.of();

    Map<String, ValueType> byColumn() {
      return types;
    }
  }
}
