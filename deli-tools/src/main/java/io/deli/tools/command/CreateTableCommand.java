package io.deli.tools.command;

import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "create-table",
    description = "Create a table.",
    footer = {"", "Example: deli create-table airports d --versions 3"})
public final class CreateTableCommand extends Subcommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "Its name, or namespace:name.")
  private String table;

  @Parameters(index = "1..*", paramLabel = "FAMILY", description = "Its column families.")
  private List<String> families = List.of();

  @Option(
      names = "--family",
      split = ",",
      paramLabel = "FAMILY",
      description = "Another way to name them.")
  private List<String> moreFamilies = List.of();

  @Option(
      names = "--versions",
      defaultValue = "1",
      paramLabel = "N",
      description = "Versions that each family keeps (default: ${DEFAULT-VALUE}).")
  private int versions;

  @Option(
      names = "--ttl",
      paramLabel = "SECONDS",
      description = "Time after which cells expire (default: never).")
  private int ttl = HConstants.FOREVER;

  @Option(
      names = "--split",
      split = ",",
      paramLabel = "KEY",
      description = "Row keys at which the table is split from the start; \\xNN for a byte.")
  private List<String> splits = List.of();

  @Override
  public Integer call() throws IOException {
    ResultOptions.atLeastOne("--versions", versions);
    if (ttl < 1) {
      throw Failure.usage("--ttl " + ttl + ": must be at least 1 second");
    }
    TableName name = Names.table(table);
    TableDescriptor descriptor = descriptor(name);
    byte[][] keys = splits.stream().map(Texts::parse).toArray(byte[][]::new);
    try (Session session = deli.open();
        Admin admin = session.indexed().getAdmin()) {
      admin.createTable(descriptor, keys.length == 0 ? null : keys);
    }
    deli.done("created table " + name, Map.of("table", name.getNameAsString()));
    return 0;
  }

  private TableDescriptor descriptor(TableName name) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    List<String> all = Stream.concat(families.stream(), moreFamilies.stream()).toList();
    if (all.isEmpty()) {
      throw Failure.usage("a table needs a column family: deli create-table " + name + " d");
    }
    for (String family : all) {
      try {
        builder.setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(Texts.parse(family))
                .setMaxVersions(versions)
                .setTimeToLive(ttl)
                .build());
      } catch (IllegalArgumentException e) {
        throw Failure.usage("family '" + family + "': " + e.getMessage());
      }
    }
    return builder.build();
  }
}
