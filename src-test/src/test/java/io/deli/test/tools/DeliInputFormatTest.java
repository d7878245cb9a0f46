package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import io.deli.tools.mapreduce.DeliInputFormat;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads splits as MapReduce and Spark do. */
class DeliInputFormatTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final Column INDEXED = Column.parse("f:indexed");
  private static final Column OTHER = Column.parse("f:other");
  private static final byte[][] SPLITS = {Bytes.toBytes("row3"), Bytes.toBytes("row6")};

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "lazy", "embedded"})
  void eachHitIsInTheSplitOfItsRow(String strategy) throws Exception {
    TableName name = MiniCluster.uniqueTable("input");
    Configuration job = MiniCluster.configuration();
    MiniCluster.utility().createTable(name, FAMILY, SPLITS).close();
    try (DeliConnection connection = MiniCluster.connect(job);
        Table table = connection.getTable(name)) {
      connection
          .getDeliAdmin()
          .createIndex(name, IndexDefinition.on("by_value", INDEXED).withStrategy(strategy));
      for (int i = 0; i < 10; i++) {
        table.put(
            new Put(Bytes.toBytes("row" + i))
                .addColumn(FAMILY, INDEXED.qualifier(), Bytes.toBytes("v" + i % 4))
                .addColumn(FAMILY, OTHER.qualifier(), Bytes.toBytes("other" + i)));
      }
      ValueQuery query =
          ValueQuery.on("by_value")
              .between(Bytes.toBytes("v1"), Bytes.toBytes("v2"))
              .project(OTHER);

      DeliInputFormat.configure(job, name, query);
      assertThat(read(job))
          .containsExactly(
              List.of("row1=other1", "row2=other2"),
              List.of("row5=other5"),
              List.of("row6=other6", "row9=other9"));

      DeliInputFormat.configure(job, name, query.rows(Bytes.toBytes("row2"), SPLITS[1]));
      assertThat(read(job)).containsExactly(List.of("row2=other2"), List.of("row5=other5"));
    }
  }

  @Test
  void aReplicaIsNotReadAgain() throws Exception {
    TableName name = MiniCluster.uniqueTable("replicas");
    MiniCluster.utility()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setRegionReplication(2)
                .build(),
            SPLITS);
    Configuration job = MiniCluster.configuration();
    DeliInputFormat.configure(job, name, ValueQuery.on("by_value").equalTo(FAMILY));
    assertThat(new DeliInputFormat().getSplits(new JobContextImpl(job, new JobID())))
        .hasSize(SPLITS.length + 1);
  }

  private static List<List<String>> read(Configuration job) throws Exception {
    DeliInputFormat format = new DeliInputFormat();
    TaskAttemptContextImpl task = new TaskAttemptContextImpl(job, new TaskAttemptID());
    List<List<String>> all = new ArrayList<>();
    for (InputSplit split : format.getSplits(new JobContextImpl(job, new JobID()))) {
      List<String> hits = new ArrayList<>();
      try (RecordReader<ImmutableBytesWritable, Result> reader =
          format.createRecordReader(split, task)) {
        reader.initialize(split, task);
        while (reader.nextKeyValue()) {
          byte[] other = reader.getCurrentValue().getValue(FAMILY, OTHER.qualifier());
          hits.add(
              Bytes.toString(reader.getCurrentKey().copyBytes()) + "=" + Bytes.toString(other));
        }
        assertThat(reader.getProgress()).isEqualTo(1);
      }
      hits.sort(null);
      all.add(hits);
    }
    return all;
  }
}
