package io.deli.tools.mapreduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * A directory on HBase's file system for the files of one job, {@code
 * deli-build/CLUSTER/NAMESPACE/TABLE/...} in {@code hbase.fs.tmp.dir}. Its files are gone when this
 * is closed; what a builder left that was killed goes when the next one for the index table begins.
 */
final class Staging implements AutoCloseable {
  private static final String NOTES = "deli.build.notes";

  private final FileSystem files;
  private final Path directory;

  private Staging(FileSystem files, Path directory) {
    this.files = files;
    this.directory = directory;
  }

  static Staging open(Connection connection, TableName indexTable) throws IOException {
    Configuration conf = connection.getConfiguration();
    FileSystem files = CommonFSUtils.getRootDirFileSystem(conf);
    String parent =
        files instanceof LocalFileSystem
            // The default is for a file system of HBase's own.
            ? conf.get("hadoop.tmp.dir")
            : conf.get(
                HConstants.TEMPORARY_FS_DIRECTORY_KEY, HConstants.DEFAULT_TEMPORARY_HDFS_DIRECTORY);
    String own =
        String.join(
            Path.SEPARATOR,
            "deli-build",
            cluster(connection),
            indexTable.getNamespaceAsString(),
            indexTable.getQualifierAsString());
    Path table = new Path(files.makeQualified(new Path(parent)), own);
    files.delete(table, true);
    Staging staging = new Staging(files, new Path(table, UUID.randomUUID().toString()));
    files.mkdirs(staging.directory);
    files.deleteOnExit(staging.directory);
    return staging;
  }

  /** Tells it from others on the same file system, which may have a table of that name. */
  private static String cluster(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics(EnumSet.of(Option.CLUSTER_ID)).getClusterId();
    }
  }

  /** Has a job keep its files here, beside those that it writes. */
  void configure(Configuration conf) {
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, files.getUri().toString());
    conf.set(HConstants.TEMPORARY_FS_DIRECTORY_KEY, directory.toString());
    conf.set(NOTES, new Path(directory, "notes").toString());
  }

  /** For a file in here, of which the file system was told that it is to go at the JVM's end. */
  void goesWithTheRest(Path file) {
    files.cancelDeleteOnExit(file);
  }

  /** What the job writes; to be made by it. */
  Path files() {
    return new Path(directory, "files");
  }

  /** The files that the job has written. */
  Set<Path> written() throws IOException {
    Set<Path> written = new HashSet<>();
    RemoteIterator<LocatedFileStatus> all = files.listFiles(files(), true);
    while (all.hasNext()) {
      written.add(all.next().getPath());
    }
    return written;
  }

  /** Called by a task: notes why it fails, for the builder, whom frameworks tell little. */
  static void note(TaskAttemptContext context, Exception reason) {
    Configuration conf = context.getConfiguration();
    Path note = new Path(conf.get(NOTES), context.getTaskAttemptID().toString());
    String message = reason.getMessage() == null ? reason.toString() : reason.getMessage();
    try (FSDataOutputStream out = note.getFileSystem(conf).create(note)) {
      out.write(message.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  /** Why a task failed, if one said so. */
  Optional<String> reason() throws IOException {
    Path notes = new Path(directory, "notes");
    if (!files.exists(notes)) {
      return Optional.empty();
    }
    for (FileStatus note : files.listStatus(notes)) {
      try (FSDataInputStream in = files.open(note.getPath())) {
        return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    // Not what is beside it: another builder may have taken over.
    files.delete(directory, true);
    files.cancelDeleteOnExit(directory);
  }
}
