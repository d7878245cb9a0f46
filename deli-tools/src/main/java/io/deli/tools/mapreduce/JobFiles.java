package io.deli.tools.mapreduce;

import io.deli.tools.files.Staging;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
  private static final String NOTES = "deli.job.notes";
  private static final String FAILURES = "failures";
  private static final String REFUSALS = "refusals";

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

  Path written() {
    return staging.at("files");
  }

  private Path notes() {
    return staging.at("notes");
  }

  /** Notes for the builder why a task fails, since frameworks tell it little. */
  static void note(TaskAttemptContext context, Exception reason) {
    try {
      note(
          context, FAILURES, reason.getMessage() == null ? reason.toString() : reason.getMessage());
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  /** Notes for the builder an example of the values that are left out. */
  static void noteRefusal(TaskAttemptContext context, String example) throws IOException {
    note(context, REFUSALS, example);
  }

  private static void note(TaskAttemptContext context, String kind, String text)
      throws IOException {
    Configuration conf = context.getConfiguration();
    Path note = new Path(new Path(conf.get(NOTES), kind), context.getTaskAttemptID().toString());
    try (FSDataOutputStream out = note.getFileSystem(conf).create(note)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The reason why a task failed, if one gave it. */
  Optional<String> reason() throws IOException {
    return read(FAILURES, 1).stream().findFirst();
  }

  /** Examples of the values that are left out, of so many tasks at most. */
  List<String> refusals(int tasks) throws IOException {
    return read(REFUSALS, tasks);
  }

  private List<String> read(String kind, int most) throws IOException {
    FileSystem files = staging.fileSystem();
    Path directory = new Path(notes(), kind);
    List<String> read = new ArrayList<>();
    if (files.exists(directory)) {
      FileStatus[] notes = files.listStatus(directory);
      for (int i = 0; i < Math.min(most, notes.length); i++) {
        try (FSDataInputStream in = files.open(notes[i].getPath())) {
          read.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return read;
  }
}
