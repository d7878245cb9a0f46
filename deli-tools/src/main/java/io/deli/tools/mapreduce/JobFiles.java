package io.deli.tools.mapreduce;

import io.deli.tools.files.Staging;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** The files of a job: those that it writes, and what it keeps beside them. */
record JobFiles(Staging staging) {
  private static final String NOTES = "deli.build.notes";

  /** Has a job keep its files here, beside those that it writes. */
  void configure(Configuration conf) {
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, staging.fileSystem().getUri().toString());
    conf.set(HConstants.TEMPORARY_FS_DIRECTORY_KEY, staging.directory().toString());
    conf.set(NOTES, notes().toString());
  }

  /** For a file in here, of which the file system was told that it is to go at the JVM's end. */
  void goesWithTheRest(Path file) {
    staging.fileSystem().cancelDeleteOnExit(file);
  }

  /** What the job writes; to be made by it. */
  Path written() {
    return staging.at("files");
  }

  private Path notes() {
    return staging.at("notes");
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
    FileSystem files = staging.fileSystem();
    if (!files.exists(notes())) {
      return Optional.empty();
    }
    for (FileStatus note : files.listStatus(notes())) {
      try (FSDataInputStream in = files.open(note.getPath())) {
        return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return Optional.empty();
  }
}
