package io.deli.tools.mapreduce;

import io.deli.client.BuildTask;
import io.deli.strategy.Index;
import io.deli.strategy.MergeTime;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;

/** The job that writes the entries of an index as HFiles. */
final class EntriesJob {
  private EntriesJob() {}

  /** A job that is ready to be submitted. */
  static Job of(BuildTask task, Scan scan, JobFiles files) throws IOException {
    Index index = task.index();
    Job job = DeliJob.of(task.connection(), "deli build " + index.table(), index, files);
    Configuration conf = job.getConfiguration();
    conf.setBoolean(HFileOutputFormat2.DISK_BASED_SORTING_ENABLED_KEY, sortsCells(index));
    TableMapReduceUtil.initTableMapperJob(
        index.baseTable().getNameAsString(),
        scan,
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
    DeliJob.bringClasses(job, List.of(index));
    return job;
  }

  /**
   * Whether MapReduce sorts whole cells, not rows: a row that is a list may be larger than what
   * reducers, who sort the cells of a row, can hold.
   */
  static boolean sortsCells(Index index) {
    return index.strategy().mergeTime() != MergeTime.NEVER;
  }
}
