package io.deli.tools.mapreduce;

import com.google.protobuf.CodedOutputStream;
import io.deli.client.BuildEngine;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.tools.Failures;
import io.deli.tools.files.Loading;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.csv.CSVFormat;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/** The common part of all jobs: what tasks know of the index, their classes, and the wait. */
final class DeliJob {
  private static final String TABLE = "deli.job.table";
  private static final String INDEX = "deli.job.index";
  private static final String JARS = "tmpjars";

  /** Property for the directory of the jars that HBase makes of directories with classes. */
  private static final String MADE_JARS = "test.build.dir";

  private static final long POLL_MILLIS = 200;
  private static final long CHECK_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int PERCENT = 100;

  private DeliJob() {}

  /** A job on an index. */
  static Job of(Connection connection, String name, Index index, JobFiles files)
      throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(index.baseTable());
    Job job = of(connection, name, IndexDefinitions.put(table, index.definition()).build(), files);
    job.getConfiguration().set(INDEX, index.name());
    return job;
  }

  /** A job on a table. */
  static Job of(Connection connection, String name, TableDescriptor table, JobFiles files)
      throws IOException {
    Job job = Job.getInstance(connection.getConfiguration(), name);
    Configuration conf = job.getConfiguration();
    files.configure(conf);
    byte[] descriptor = TableDescriptorBuilder.toByteArray(table);
    conf.set(TABLE, Base64.getEncoder().encodeToString(descriptor));
    // Two attempts at once would only read twice.
    job.setSpeculativeExecution(false);
    // A site may take a job for successful that lacks some of its tasks.
    conf.setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 0);
    conf.setInt(MRJobConfig.REDUCE_FAILURES_MAXPERCENT, 0);
    job.setJarByClass(DeliJob.class);
    return job;
  }

  /** Has a job that is ready otherwise bring the classes that its tasks need. */
  static void bringClasses(Job job, List<Index> indexes) throws IOException {
    Configuration conf = job.getConfiguration();
    if (LocalRunner.isFrameworkOf(conf)) {
      // Its tasks have this class path.
      conf.unset(JARS);
      Runtime runtime = Runtime.getRuntime();
      LocalRunner.useAll(conf, runtime.availableProcessors(), runtime.maxMemory());
      return;
    }
    if (System.getProperty(MADE_JARS) == null) {
      System.setProperty(MADE_JARS, System.getProperty("java.io.tmpdir"));
    }
    TableMapReduceUtil.addDependencyJars(job);
    List<Class<?>> classes =
        new ArrayList<>(
            List.of(
                DeliJob.class,
                BuildEngine.class,
                Index.class,
                CodedOutputStream.class,
                Gson.class,
                CSVFormat.class));
    for (Index index : indexes) {
      classes.add(index.strategy().getClass());
      classes.add(index.tokenizer().getClass());
    }
    TableMapReduceUtil.addDependencyJarsForClasses(conf, classes.toArray(Class<?>[]::new));
  }

  /** The table as it was when the job was made. */
  static TableDescriptor table(Configuration conf) throws IOException {
    try {
      return TableDescriptorBuilder.parseFrom(Base64.getDecoder().decode(conf.get(TABLE)));
    } catch (DeserializationException e) {
      throw new DoNotRetryIOException("the job does not say which table it is of", e);
    }
  }

  /** The index as it was when the job was made. */
  static Index index(Configuration conf) throws IOException {
    TableDescriptor descriptor = table(conf);
    IndexDefinition definition =
        IndexDefinitions.of(descriptor).stream()
            .filter(each -> each.name().equals(conf.get(INDEX)))
            .findFirst()
            .orElseThrow();
    return Index.of(descriptor.getTableName(), definition);
  }

  /** Runs the job to its end, while the work is of use; throws unless it succeeds. */
  static void finish(Job job, JobFiles files, ProgressListener progress, Loading.Check check)
      throws IOException {
    try {
      job.submit();
      try {
        follow(job, progress, check);
      } finally {
        if (!job.isComplete()) {
          job.killJob();
        }
      }
      if (!job.isSuccessful()) {
        check.run();
        throw new DoNotRetryIOException(
            "%s failed: %s".formatted(job.getJobID(), reason(job, files)));
      }
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is missing", e);
    } catch (InterruptedException e) {
      throw Failures.stopped(e);
    }
  }

  /** Returns the counters of a job that has just ended; throws if they are lost. */
  static Counters counters(Job job) throws IOException {
    return requireCounters(job.getJobID(), job.getCounters());
  }

  /**
   * Throws if counters are lost: YARN without MapReduce's history server has none for a job that
   * has ended, and says so by none at all, though any task counts something.
   */
  static Counters requireCounters(JobID job, Counters counters) throws IOException {
    if (counters == null || counters.countCounters() == 0) {
      throw new DoNotRetryIOException(
          "%s succeeded, but its counters are lost, so that its result is not known: start MapReduce's history server, then try again"
              .formatted(job));
    }
    return counters;
  }

  private static void follow(Job job, ProgressListener progress, Loading.Check check)
      throws IOException, InterruptedException {
    long checked = System.nanoTime();
    while (!job.isComplete()) {
      float parts = job.mapProgress() + job.reduceProgress();
      progress.progress("running " + job.getJobID(), (long) (PERCENT * parts), 2 * PERCENT);
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      if (System.nanoTime() - checked > CHECK_NANOS) {
        check.run();
        checked = System.nanoTime();
      }
    }
  }

  private static String reason(Job job, JobFiles files) throws IOException, InterruptedException {
    return files.reason().orElse(job.getStatus().getFailureInfo());
  }
}
