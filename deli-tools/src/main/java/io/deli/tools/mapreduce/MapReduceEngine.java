package io.deli.tools.mapreduce;

import io.deli.client.BuildEngine;
import io.deli.client.BuildTask;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.tools.files.Loading;
import io.deli.tools.files.Staging;
import io.deli.tools.mapreduce.EntriesMapper.Count;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds by a MapReduce job on the framework that the configuration names, {@code
 * mapreduce.framework.name}, or in this process if it names none. If that has lost the counters of
 * the job, the build reports no rows and no entries, and one refused version if there are any.
 */
public final class MapReduceEngine implements BuildEngine {
  private static final Logger LOG = LoggerFactory.getLogger(MapReduceEngine.class);

  @Override
  public void requireFit(IndexDefinition definition) {
    Loading.requireFit(definition, "--mapreduce");
  }

  @Override
  public Written run(BuildTask task, Scan scan, ProgressListener progress) throws IOException {
    LocalRunner.requireUsable(task.connection().getConfiguration(), "build with --files");
    try (Staging staging = Staging.open(task)) {
      JobFiles files = new JobFiles(staging);
      Loading loading = new Loading(task, staging, progress);
      loading.requirePlain();
      Job job = EntriesJob.of(task, scan, files);
      DeliJob.finish(job, files, progress, loading::checkWithPatience);
      // YARN forgets them while files are loaded.
      Optional<Counters> counters = counters(job);
      loading.load(files.written());
      return written(counters, files.refusals(1).stream().findFirst());
    }
  }

  private static Optional<Counters> counters(Job job) {
    try {
      return Optional.of(DeliJob.counters(job));
    } catch (IOException e) {
      LOG.warn("cannot tell how much was built; the build goes on", e);
      return Optional.empty();
    }
  }

  private static Written written(Optional<Counters> counters, Optional<String> refusal) {
    return counters
        .map(
            known ->
                new Written(
                    known.findCounter(Count.ROWS).getValue(),
                    known.findCounter(Count.ENTRIES).getValue(),
                    known.findCounter(Count.REFUSED).getValue(),
                    refusal))
        .orElseGet(() -> new Written(0, 0, refusal.isPresent() ? 1 : 0, refusal));
  }
}
