package io.deli.tools.mapreduce;

import io.deli.client.BuildEngine;
import io.deli.index.IndexDefinition;
import io.deli.tools.files.Loading;
import io.deli.tools.files.Staging;
import io.deli.tools.mapreduce.EntriesMapper.Count;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;

/**
 * Builds by a MapReduce job on the framework that the configuration names, {@code
 * mapreduce.framework.name}, or in this process if it names none.
 */
public final class MapReduceEngine implements BuildEngine {
  private static final long POLL_MILLIS = 200;
  private static final long CHECK_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int PERCENT = 100;

  @Override
  public void requireFit(IndexDefinition definition) {
    Loading.requireFit(definition, "--mapreduce");
  }

  @Override
  public Written run(Task task) throws IOException {
    LocalRunner.requireUsable(task.connection().getConfiguration());
    try (Staging staging = Staging.open(task)) {
      JobFiles files = new JobFiles(staging);
      Loading loading = new Loading(task, staging, task.progress());
      loading.requirePlain();
      Job job = EntriesJob.of(task, files);
      finish(job, task, files, loading);
      loading.load(files.written());
      Counters counters = job.getCounters();
      return new Written(
          counters.findCounter(Count.ROWS).getValue(),
          counters.findCounter(Count.ENTRIES).getValue(),
          counters.findCounter(Count.REFUSED).getValue(),
          files.refusal());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("stopped").initCause(e);
    }
  }

  /** Runs the job to its end, while the work is of use. */
  private static void finish(Job job, Task task, JobFiles files, Loading loading)
      throws IOException, InterruptedException {
    try {
      job.submit();
      try {
        follow(job, task, loading);
      } finally {
        if (!job.isComplete()) {
          job.killJob();
        }
      }
      if (!job.isSuccessful()) {
        task.check();
        throw new DoNotRetryIOException(
            "%s failed: %s"
                .formatted(
                    job.getJobID(), files.reason().orElse(job.getStatus().getFailureInfo())));
      }
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is missing", e);
    }
  }

  private static void follow(Job job, Task task, Loading loading)
      throws IOException, InterruptedException {
    long checked = System.nanoTime();
    while (!job.isComplete()) {
      float parts = job.mapProgress() + job.reduceProgress();
      task.progress().progress("running " + job.getJobID(), (long) (PERCENT * parts), 2 * PERCENT);
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      if (System.nanoTime() - checked > CHECK_NANOS) {
        loading.checkWithPatience();
        checked = System.nanoTime();
      }
    }
  }
}
