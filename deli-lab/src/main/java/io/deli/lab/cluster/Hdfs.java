package io.deli.lab.cluster;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

/** The files that a cluster of ours keeps in HDFS beside HBase's. */
public record Hdfs(Configuration conf) {
  /**
   * Settings of clients that write small files. A file is complete milliseconds after its last
   * byte, and they would look again after 400.
   */
  public static final Map<String, String> PROMPT =
      Map.of(
          "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5",
          "dfs.client.block.write.locateFollowingBlock.retries", "12");

  private static final String OURS = "/deli/";

  static String address(Plan plan, java.nio.file.Path jar) {
    return plan.fileSystem() + OURS + jar.getFileName();
  }

  /** Says what it lacks to take files; empty if it is not in safe mode and has a data node. */
  public Optional<String> lack() {
    try (FileSystem files = FileSystem.newInstance(conf);
        FSDataOutputStream out = files.create(new Path(OURS, "started"), true)) {
      // A file without content would need no data node.
      out.writeUTF(Instant.now().toString());
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("it takes no file: " + e.getMessage());
    }
  }

  void get(String address, java.nio.file.Path copy) throws IOException {
    try (FileSystem files = FileSystem.newInstance(conf)) {
      files.copyToLocalFile(false, new Path(address), new Path(copy.toUri()), true);
    }
  }

  /** Puts a file in the place of another at once: whoever opens it gets one or the other. */
  void replace(String address, java.nio.file.Path file) throws IOException {
    Path fresh = new Path(address + ".new");
    try (FileSystem files = FileSystem.newInstance(conf)) {
      files.copyFromLocalFile(false, true, new Path(file.toUri()), fresh);
    }
    FileContext.getFileContext(conf).rename(fresh, new Path(address), Options.Rename.OVERWRITE);
  }

  void put(java.nio.file.Path jar) {
    try (FileSystem files = FileSystem.newInstance(conf)) {
      files.copyFromLocalFile(
          false, true, new Path(jar.toUri()), new Path(OURS, jar.getFileName().toString()));
    } catch (IOException e) {
      throw new Failure(
          ExitCode.UNAVAILABLE, "cannot put %s on HDFS: %s".formatted(jar, e.getMessage()), e);
    }
  }
}
