package io.deli.tools.mapreduce;

import io.deli.client.BuildEngine;
import io.deli.index.IndexDefinition;
import io.deli.tools.files.Loading;
import io.deli.tools.files.Staging;
import io.deli.tools.mapreduce.EntriesMapper.Count;
import java.io.IOException;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;

/**
 * Builds by a MapReduce job on the framework that the configuration names, {@code
 * mapreduce.framework.name}, or in this process if it names none.
 */
public final class MapReduceEngine implements BuildEngine {
  @Override
  public void requireFit(IndexDefinition definition) {
    Loading.requireFit(definition, "--mapreduce");
  }

  @Override
  public Written run(Task task) throws IOException {
    LocalRunner.requireUsable(task.connection().getConfiguration(), "build with --files");
    try (Staging staging = Staging.open(task)) {
      JobFiles files = new JobFiles(staging);
      Loading loading = new Loading(task, staging, task.progress());
      loading.requirePlain();
      Job job = EntriesJob.of(task, files);
      Counters counters = DeliJob.finish(job, files, task.progress(), loading::checkWithPatience);
      loading.load(files.written());
      return new Written(
          counters.findCounter(Count.ROWS).getValue(),
          counters.findCounter(Count.ENTRIES).getValue(),
          counters.findCounter(Count.REFUSED).getValue(),
          files.refusals(1).stream().findFirst());
    }
  }
}
