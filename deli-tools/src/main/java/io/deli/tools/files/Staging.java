package io.deli.tools.files;

import io.deli.client.BuildTask;
import io.deli.strategy.IndexDefinitions;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
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

/**
 * A directory on HBase's file system for the files of one build, verification or load, {@code
 * deli-build/CLUSTER/NAMESPACE/TABLE/...}, {@code deli-verify/...} or {@code deli-load/...} in
 * {@code hbase.fs.tmp.dir}. Its files are gone when this is closed; what a builder left that was
 * killed goes when the next one for the index begins. Thread-safe.
 */
public final class Staging implements AutoCloseable {
  /** The directory in which HBase has the halves of files that it cuts, beside these. */
  private static final String HALVES = ".tmp";

  private final FileSystem files;
  private final Path directory;

  private Staging(FileSystem files, Path directory) {
    this.files = files;
    this.directory = directory;
  }

  /** Opens one for a build, and clears away what earlier ones left. */
  public static Staging open(BuildTask task) throws IOException {
    // Of all generations: who gives up a build begins another one, or none.
    TableName entries = IndexDefinitions.indexTable(task.index().baseTable(), task.index().name());
    Path table = parent(task.connection(), "deli-build", entries);
    FileSystem files = table.getFileSystem(task.connection().getConfiguration());
    Set<Path> left = in(files, table);
    // Whoever takes over from here on has a directory that is not among these.
    task.check();
    for (Path path : left) {
      files.delete(path, true);
    }
    return open(files, table);
  }

  /** Opens one of another kind, beside those of others. */
  public static Staging open(Connection connection, String kind, TableName table)
      throws IOException {
    Path parent = parent(connection, kind, table);
    return open(parent.getFileSystem(connection.getConfiguration()), parent);
  }

  private static Staging open(FileSystem files, Path table) throws IOException {
    Staging staging = new Staging(files, new Path(table, UUID.randomUUID().toString()));
    files.mkdirs(staging.directory);
    files.deleteOnExit(staging.directory);
    return staging;
  }

  private static Path parent(Connection connection, String kind, TableName table)
      throws IOException {
    Configuration conf = connection.getConfiguration();
    FileSystem files = CommonFSUtils.getRootDirFileSystem(conf);
    String forShared = HConstants.DEFAULT_TEMPORARY_HDFS_DIRECTORY;
    String parent = conf.get(HConstants.TEMPORARY_FS_DIRECTORY_KEY, forShared);
    if (files instanceof LocalFileSystem && parent.equals(forShared)) {
      parent = conf.get("hadoop.tmp.dir");
    }
    String own =
        String.join(
            Path.SEPARATOR,
            kind,
            cluster(connection),
            table.getNamespaceAsString(),
            table.getQualifierAsString());
    return new Path(files.makeQualified(new Path(parent)), own);
  }

  private static Set<Path> in(FileSystem files, Path directory) throws IOException {
    Set<Path> found = new HashSet<>();
    if (files.exists(directory)) {
      for (FileStatus each : files.listStatus(directory)) {
        found.add(each.getPath());
      }
    }
    return found;
  }

  /** Tells it from others on the same file system, which may have a table of that name. */
  private static String cluster(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics(EnumSet.of(Option.CLUSTER_ID)).getClusterId();
    }
  }

  public FileSystem fileSystem() {
    return files;
  }

  /** Itself. */
  public Path directory() {
    return directory;
  }

  /** A path in it, of nothing yet. */
  public Path at(String name) {
    return new Path(directory, name);
  }

  Set<Path> below(Path path) throws IOException {
    Set<Path> found = new HashSet<>();
    if (!files.exists(path)) {
      return found;
    }
    RemoteIterator<LocatedFileStatus> all = files.listFiles(path, true);
    while (all.hasNext()) {
      found.add(all.next().getPath());
    }
    return found;
  }

  /**
   * Whether files that were below a path in it still are; those that HBase cut for two regions may
   * be gone, but leave a directory of their halves.
   */
  boolean has(Set<Path> known, Path path) throws IOException {
    Set<Path> missing = new HashSet<>(known);
    missing.removeAll(below(path));
    for (Path file : missing) {
      if (!files.exists(new Path(file.getParent(), HALVES))) {
        return false;
      }
    }
    return true;
  }

  /** Deletes what is at a path in it, and below. */
  void delete(Path path) throws IOException {
    files.delete(path, true);
  }

  @Override
  public void close() throws IOException {
    // Not what is beside it: another builder may have taken over.
    files.delete(directory, true);
    files.cancelDeleteOnExit(directory);
  }
}
