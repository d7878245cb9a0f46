package io.deli.tools.mapreduce;

import io.deli.client.BuildEngine;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.Folding;
import io.deli.strategy.Strategies;
import io.deli.tools.mapreduce.EntriesMapper.Count;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds by a MapReduce job on the framework that the configuration names, {@code
 * mapreduce.framework.name}, or in this process if it names none.
 */
public final class MapReduceEngine implements BuildEngine {
  private static final Logger LOG = LoggerFactory.getLogger(MapReduceEngine.class);

  private static final long POLL_MILLIS = 200;
  private static final long CHECK_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int PERCENT = 100;

  /** In which a region server copies a region's files. */
  private static final Duration COPYING = Duration.ofMinutes(10);

  /** For so long an index table is waited for that is disabled, or lacks a region. */
  private static final Duration ABSENCE = Duration.ofMinutes(10);

  @Override
  public void requireFit(IndexDefinition definition) {
    if (Strategies.named(definition.strategy()).folding() == Folding.AT_WRITE) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' folds each entry into a list as it is written, past which files would be loaded: build it without --mapreduce"
              .formatted(definition.name(), definition.strategy()));
    }
  }

  @Override
  public Written run(Task task) throws IOException {
    Configuration conf = task.connection().getConfiguration();
    try (Staging staging = Staging.open(task.connection(), task.index().table())) {
      Job job = EntriesJob.of(task, staging);
      finish(job, task, staging);
      task.check();
      task.progress().progress("loading files of entries", 0, 0);
      load(conf, task, staging);
      Counters counters = job.getCounters();
      return new Written(
          counters.findCounter(Count.ROWS).getValue(),
          counters.findCounter(Count.ENTRIES).getValue(),
          counters.findCounter(Count.REFUSED).getValue());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("stopped").initCause(e);
    }
  }

  /** Runs the job to its end, while the work is of use. */
  private static void finish(Job job, Task task, Staging staging)
      throws IOException, InterruptedException {
    try {
      job.submit();
      try {
        follow(job, task);
      } finally {
        if (!job.isComplete()) {
          job.killJob();
        }
      }
      if (!job.isSuccessful()) {
        task.check();
        throw new DoNotRetryIOException(
            "%s failed: %s".formatted(job.getJobID(), reason(job, staging)));
      }
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is missing", e);
    }
  }

  private static void follow(Job job, Task task) throws IOException, InterruptedException {
    long checked = System.nanoTime();
    while (!job.isComplete()) {
      float parts = job.mapProgress() + job.reduceProgress();
      task.progress().progress("running " + job.getJobID(), (long) (PERCENT * parts), 2 * PERCENT);
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      if (System.nanoTime() - checked > CHECK_NANOS) {
        checkWithPatience(task);
        checked = System.nanoTime();
      }
    }
  }

  /** Whether it is of use is asked again before the files are loaded; a master may be away. */
  private static void checkWithPatience(Task task) throws IOException {
    try {
      task.check();
    } catch (DoNotRetryIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("cannot tell whether the job is still wanted; it goes on", e);
    }
  }

  private static String reason(Job job, Staging staging) throws IOException, InterruptedException {
    return staging.reason().orElse(job.getStatus().getFailureInfo());
  }

  private static void load(Configuration conf, Task task, Staging staging)
      throws IOException, InterruptedException {
    Configuration patient = new Configuration(conf);
    patient.setBoolean(BulkLoadHFiles.RETRY_ON_IO_EXCEPTION, true);
    // A server that fails when it has moved some files leaves them where a retry does not find
    // them,
    // and HBase passes over what it does not find: every try is to have all of them.
    patient.setBoolean(BulkLoadHFiles.ALWAYS_COPY_FILES, true);
    patient.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, (int) COPYING.toMillis());
    // That of an index which was dropped meanwhile is not to come back.
    patient.set(BulkLoadHFiles.CREATE_TABLE_CONF_KEY, "no");
    Set<Path> written = staging.written();
    long end = System.nanoTime() + ABSENCE.toNanos();
    while (!tryToLoad(patient, task, staging, end)) {
      task.progress().progress("waiting for all regions of " + task.index().table(), 0, 0);
      TimeUnit.SECONDS.sleep(1);
      checkWithPatience(task);
      if (!staging.written().containsAll(written)) {
        // HBase deletes a file that it cut for two regions, and passes over what is not there.
        throw refused(task.index().table(), new IOException("files of the job are gone"));
      }
    }
  }

  /**
   * Loads all files.
   *
   * @return false if that is to be tried again: the table is there, but HBase finds it disabled, or
   *     a region without a server, as when one has just been split
   */
  private static boolean tryToLoad(Configuration conf, Task task, Staging staging, long end)
      throws IOException {
    TableName table = task.index().table();
    try {
      BulkLoadHFiles.create(conf).bulkLoad(table, staging.files());
      return true;
    } catch (TableNotFoundException e) {
      if (System.nanoTime() < end && exists(task, table)) {
        LOG.debug("{} cannot be loaded now", table, e);
        return false;
      }
      throw refused(table, e);
    } catch (InterruptedIOException e) {
      Thread.currentThread().interrupt();
      throw e;
    } catch (IOException e) {
      throw refused(table, e);
    }
  }

  private static IOException refused(TableName table, IOException reason) {
    return new IOException(
        "table %s has not taken all files of entries: %s; those that it took do no harm, and the next build goes on"
            .formatted(table, reason.getMessage()),
        reason);
  }

  private static boolean exists(Task task, TableName table) throws IOException {
    try (Admin admin = task.connection().getAdmin()) {
      return admin.tableExists(table);
    }
  }
}
