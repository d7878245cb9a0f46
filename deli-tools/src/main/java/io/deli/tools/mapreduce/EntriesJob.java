package io.deli.tools.mapreduce;

import com.google.protobuf.CodedOutputStream;
import io.deli.client.BuildEngine;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.MergeTime;
import java.io.IOException;
import java.util.Base64;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/** The job that writes the entries of an index as HFiles, and what its tasks know of it. */
final class EntriesJob {
  private static final String TABLE = "deli.build.table";
  private static final String INDEX = "deli.build.index";
  private static final String JARS = "tmpjars";

  /** Property for the directory of the jars that HBase makes of directories with classes. */
  private static final String MADE_JARS = "test.build.dir";

  private EntriesJob() {}

  /** A job that is ready to be submitted. */
  static Job of(BuildEngine.Task task, JobFiles files) throws IOException {
    Index index = task.index();
    Job job = Job.getInstance(task.connection().getConfiguration(), "deli build " + index.table());
    Configuration conf = job.getConfiguration();
    files.configure(conf);
    conf.set(TABLE, descriptor(index));
    conf.set(INDEX, index.name());
    conf.setBoolean(HFileOutputFormat2.DISK_BASED_SORTING_ENABLED_KEY, sortsCells(index));
    // Two attempts at once would only read twice.
    job.setSpeculativeExecution(false);
    job.setJarByClass(EntriesMapper.class);
    TableMapReduceUtil.initTableMapperJob(
        index.baseTable().getNameAsString(),
        task.scan(),
        EntriesMapper.class,
        ImmutableBytesWritable.class,
        KeyValue.class,
        job,
        false);
    try (Table table = task.connection().getTable(index.table());
        RegionLocator regions = task.connection().getRegionLocator(index.table())) {
      HFileOutputFormat2.configureIncrementalLoad(job, table.getDescriptor(), regions);
    }
    files.goesWithTheRest(new Path(TotalOrderPartitioner.getPartitionFile(conf)));
    if (!sortsCells(index)) {
      job.setReducerClass(EntriesReducer.class);
    }
    FileOutputFormat.setOutputPath(job, files.written());
    if (LocalRunner.isFrameworkOf(conf)) {
      // Its tasks have this class path.
      conf.unset(JARS);
      Runtime runtime = Runtime.getRuntime();
      LocalRunner.useAll(conf, runtime.availableProcessors(), runtime.maxMemory());
    } else {
      addJars(conf, index);
    }
    return job;
  }

  private static void addJars(Configuration conf, Index index) throws IOException {
    if (System.getProperty(MADE_JARS) == null) {
      System.setProperty(MADE_JARS, System.getProperty("java.io.tmpdir"));
    }
    TableMapReduceUtil.addDependencyJarsForClasses(
        conf,
        EntriesMapper.class,
        BuildEngine.class,
        Index.class,
        index.strategy().getClass(),
        index.tokenizer().getClass(),
        CodedOutputStream.class,
        Gson.class);
  }

  /**
   * Whether MapReduce sorts whole cells, not rows: a row that is a list may be larger than what
   * reducers, who sort the cells of a row, can hold.
   */
  static boolean sortsCells(Index index) {
    return index.strategy().mergeTime() != MergeTime.NEVER;
  }

  private static String descriptor(Index index) {
    TableDescriptor descriptor =
        IndexDefinitions.put(
                TableDescriptorBuilder.newBuilder(index.baseTable()), index.definition())
            .build();
    return Base64.getEncoder().encodeToString(TableDescriptorBuilder.toByteArray(descriptor));
  }

  /** The index as it was when the job was made. */
  static Index index(Configuration conf) throws IOException {
    TableDescriptor descriptor;
    try {
      descriptor = TableDescriptorBuilder.parseFrom(Base64.getDecoder().decode(conf.get(TABLE)));
    } catch (DeserializationException e) {
      throw new DoNotRetryIOException("the job says of no index which one to build", e);
    }
    IndexDefinition definition =
        IndexDefinitions.of(descriptor).stream()
            .filter(each -> each.name().equals(conf.get(INDEX)))
            .findFirst()
            .orElseThrow();
    return Index.of(descriptor.getTableName(), definition);
  }
}
