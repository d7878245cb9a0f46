package io.deli.tools.command;

import io.deli.tools.Failure;
import io.deli.tools.load.RecordReader;
import io.deli.tools.load.RowFormat;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

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
    requireReadable(files, conf);
    HadoopInput first = null;
    for (Path file : files) {
      RowFormat format = options.format(file.getName());
      try (InputStream in = file.getFileSystem(conf).open(file)) {
        RecordReader reader = format.reader(firstLine(in));
        HadoopInput own = new HadoopInput(files, format, columns.of(reader));
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

  private static void requireReadable(List<Path> files, Configuration conf) {
    CompressionCodecFactory codecs = new CompressionCodecFactory(conf);
    Set<Path> distinct = new HashSet<>();
    for (Path file : files) {
      if (codecs.getCodec(file) != null) {
        throw Failure.usage(
            "cannot read %s: it is compressed, as its name says. Decompress it.".formatted(file));
      }
      if (!distinct.add(file)) {
        throw Failure.usage("%s is named twice: name it once".formatted(file));
      }
    }
  }

  /** The first line with text, by itself, as mappers take it. */
  private static InputStream firstLine(InputStream in) throws IOException {
    // A character for each byte, whatever the encoding.
    Charset bytes = StandardCharsets.ISO_8859_1;
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, bytes));
    String line = lines.readLine();
    while (line != null && line.isEmpty()) {
      line = lines.readLine();
    }
    return new ByteArrayInputStream(line == null ? new byte[0] : line.getBytes(bytes));
  }

  private static List<Path> matching(String name, Configuration conf) throws IOException {
    Path pattern = new Path(name);
    FileStatus[] found = pattern.getFileSystem(conf).globStatus(pattern);
    List<Path> files = new ArrayList<>();
    for (FileStatus each : found == null ? new FileStatus[0] : found) {
      if (each.isDirectory()) {
        throw Failure.usage(
            "cannot read %s: it is a directory: name its files, as in %s/*"
                .formatted(each.getPath(), name));
      }
      // Jobs leave such beside what they write.
      boolean isNote = each.getPath().getName().matches("[_.].*");
      if (each.getLen() > 0 && (!isNote || each.getPath().getName().equals(pattern.getName()))) {
        files.add(each.getPath());
      }
    }
    if (files.isEmpty()) {
      throw Failure.usage("cannot read %s: no such file, or empty".formatted(name));
    }
    return files;
  }
}
