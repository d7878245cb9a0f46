package io.deli.tools.command;

import io.deli.tools.Failure;
import io.deli.tools.load.RecordReader;
import io.deli.tools.load.RowFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The input of a load by MapReduce: files of one form and the same columns, on file systems of
 * Hadoop's.
 */
record HadoopInput(List<Path> files, RowFormat format, List<String> columns) {
  /** Tells the columns of an input, and refuses those that it should not have, or lacks. */
  @FunctionalInterface
  interface Columns {
    List<String> of(RecordReader reader) throws IOException;
  }

  /**
   * Looks at files.
   *
   * @param names paths or patterns
   */
  static HadoopInput of(
      List<String> names, Configuration conf, InputOptions options, Columns columns)
      throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : names) {
      files.addAll(matching(name, conf));
    }
    HadoopInput first = null;
    for (Path file : files) {
      try (InputStream in = file.getFileSystem(conf).open(file)) {
        RecordReader reader = options.reader(in, file.getName());
        HadoopInput own =
            new HadoopInput(files, options.format(file.getName()), columns.of(reader));
        if (first != null && !own.equals(first)) {
          throw Failure.usage(
              "%s has another form or other columns than %s: load it by itself"
                  .formatted(file, files.get(0)));
        }
        first = own;
      }
    }
    return first;
  }

  private static List<Path> matching(String name, Configuration conf) throws IOException {
    Path pattern = new Path(name);
    FileStatus[] found = pattern.getFileSystem(conf).globStatus(pattern);
    if (found == null || found.length == 0) {
      throw Failure.usage("cannot read %s: no such file".formatted(name));
    }
    List<Path> files = new ArrayList<>();
    for (FileStatus each : found) {
      if (each.isDirectory()) {
        throw Failure.usage(
            "cannot read %s: it is a directory: name its files, as in %s/*"
                .formatted(each.getPath(), name));
      }
      files.add(each.getPath());
    }
    return files;
  }
}
