package io.deli.lab.experiment;

import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.Experiment.Layout;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import site.ycsb.DB;

/** A table, and one that the application keeps as its index. */
final class NaiveTable extends HBaseTable {
  private static final String IN_PLACE = "in-place";

  private final TableName entries;

  NaiveTable(Lab lab, TableName name, Arm arm, Layout layout, Map<String, String> workload) {
    super(lab, name, arm, layout, workload);
    entries = TableName.valueOf(name.getNameAsString() + "." + INDEX);
  }

  @Override
  List<TableName> entries() {
    return List.of(entries);
  }

  @Override
  public void create() throws IOException {
    createWithoutIndex();
    lab()
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(entries)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            valueCuts().toArray(byte[][]::new));
  }

  @Override
  public DB binding() throws IOException {
    return new NaiveClient(lab().plain(), name(), entries, arm().strategy().equals(IN_PLACE));
  }

  @Override
  public void settle() throws IOException {
    flush();
    compact(tables());
  }
}
