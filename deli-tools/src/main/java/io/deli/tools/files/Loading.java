package io.deli.tools.files;

import io.deli.client.BuildTask;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.MergeTime;
import io.deli.strategy.Strategies;
import io.deli.tools.Failures;
import java.io.IOException;
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
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.ExceptionUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a table load files that were made for it. Thread-safe if its listener is. */
public record Loading(
    Connection connection, TableName table, Work work, Staging staging, ProgressListener progress) {
  private static final Logger LOG = LoggerFactory.getLogger(Loading.class);

  /** In which a region server copies a region's files. */
  private static final Duration COPYING = Duration.ofMinutes(10);

  /** For so long a table is waited for that is disabled, or lacks a region. */
  private static final Duration ABSENCE = Duration.ofMinutes(10);

  /** Loads the entries of a build. */
  public Loading(BuildTask task, Staging staging, ProgressListener progress) {
    this(
        task.connection(),
        task.index().table(),
        new Work(
            task::check,
            "build index '%s' by threads that put".formatted(task.index().name()),
            "the next build goes on"),
        staging,
        progress);
  }

  /** Returns the same for another table of the work. */
  public Loading into(TableName other) {
    return new Loading(connection, other, work, staging, progress);
  }

  /** Checks whether work may go on; throws if it is of no use any more. */
  @FunctionalInterface
  public interface Check {
    void run() throws IOException;
  }

  /**
   * The work that has files loaded.
   *
   * @param otherWay to be recommended where files cannot be loaded
   * @param next what to expect or to do when they were loaded in part
   */
  public record Work(Check check, String otherWay, String next) {}

  /**
   * Throws if entries of such an index cannot be loaded.
   *
   * @param option which asks for that
   */
  public static void requireFit(IndexDefinition definition, String option) {
    if (Strategies.named(definition.strategy()).mergeTime() == MergeTime.AT_WRITE) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' merges each entry into a posting list as it is written, which loaded files would bypass: build it without %s"
              .formatted(definition.name(), definition.strategy(), option));
    }
  }

  /**
   * Throws if the cells are to be encrypted on disk: HBase encrypts what its own stores write, not
   * what they load.
   */
  public void requirePlain() throws IOException {
    TableDescriptor descriptor;
    try (Table each = connection.getTable(table)) {
      descriptor = each.getDescriptor();
    }
    for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
      if (family.getEncryptionType() != null) {
        throw new DoNotRetryIOException(
            "table %s encrypts its family '%s', and files that it loads would not be: %s"
                .formatted(table, family.getNameAsString(), work.otherWay()));
      }
    }
  }

  /**
   * Loads all files of a directory, which has them in one for their family, if the work is still of
   * use.
   *
   * @throws IOException if a region does not take its files; others may have taken theirs
   */
  public void load(Path directory) throws IOException {
    work.check().run();
    progress.progress("loading files into " + table, 0, 0);
    try {
      loadAll(patient(), directory);
    } catch (InterruptedException e) {
      throw Failures.stopped(e);
    }
  }

  private Configuration patient() {
    Configuration patient = new Configuration(connection.getConfiguration());
    patient.setBoolean(BulkLoadHFiles.RETRY_ON_IO_EXCEPTION, true);
    // A server that fails when it has moved some files leaves them where a retry does not find
    // them, and HBase passes over what it does not find: every try is to have all of them.
    patient.setBoolean(BulkLoadHFiles.ALWAYS_COPY_FILES, true);
    patient.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, (int) COPYING.toMillis());
    // That of an index which was dropped meanwhile is not to come back.
    patient.set(BulkLoadHFiles.CREATE_TABLE_CONF_KEY, "no");
    return patient;
  }

  private void loadAll(Configuration conf, Path directory)
      throws IOException, InterruptedException {
    Set<Path> written = staging.below(directory);
    long end = System.nanoTime() + ABSENCE.toNanos();
    while (!tryToLoad(conf, directory, end)) {
      progress.progress("waiting for all regions of " + table, 0, 0);
      TimeUnit.SECONDS.sleep(1);
      checkWithPatience();
      if (!staging.below(directory).containsAll(written)) {
        // Its halves may be, too: HBase deletes a file that it has cut for two regions.
        throw gone();
      }
    }
    if (!staging.has(written, directory)) {
      // HBase passes over what is not there.
      throw gone();
    }
  }

  /**
   * Loads all files.
   *
   * @return false if that is to be tried again: the table is there, but HBase finds it disabled, or
   *     a region without a server, as when one has just been split
   */
  private boolean tryToLoad(Configuration conf, Path directory, long end) throws IOException {
    try {
      BulkLoadHFiles.create(conf).bulkLoad(table, directory);
      return true;
    } catch (TableNotFoundException e) {
      if (System.nanoTime() < end && exists()) {
        LOG.debug("{} cannot be loaded now", table, e);
        return false;
      }
      throw refused(e);
    } catch (IOException e) {
      if (ExceptionUtil.isInterrupt(e)) {
        Thread.currentThread().interrupt();
        throw e;
      }
      // It tells more than HBase does when it has tried for long.
      checkWithPatience();
      throw refused(e);
    }
  }

  private IOException gone() {
    return refused(new IOException("files are gone"));
  }

  private IOException refused(IOException reason) {
    return new IOException(
        "table %s has not taken all files: %s; those that it took do no harm, and %s"
            .formatted(table, reason.getMessage(), work.next()),
        reason);
  }

  private boolean exists() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(table);
    }
  }

  /**
   * Throws if the work is known to be of no use any more. Whether it is is asked again before files
   * are loaded; a master may be away.
   */
  public void checkWithPatience() throws IOException {
    try {
      work.check().run();
    } catch (DoNotRetryIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("cannot tell whether the files are still wanted; the work goes on", e);
    }
  }
}
