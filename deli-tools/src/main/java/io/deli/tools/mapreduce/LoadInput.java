package io.deli.tools.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;

/** The lines of exactly the files of a load, whose names are no patterns any more. */
final class LoadInput extends TextInputFormat {
  private static final String LINE_DELIMITER = "textinputformat.record.delimiter";

  /** Has a job read its files so, whatever a site takes for lines, or leaves out. */
  static void setOn(Job job) {
    job.setInputFormatClass(LoadInput.class);
    job.getConfiguration().unset(LINE_DELIMITER);
    job.getConfiguration().unset(LineRecordReader.MAX_LINE_LENGTH);
  }

  @Override
  protected List<FileStatus> listStatus(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    List<Path> files = LoadJob.Spec.of(conf).files().stream().map(Path::new).toList();
    TokenCache.obtainTokensForNamenodes(job.getCredentials(), files.toArray(Path[]::new), conf);
    List<FileStatus> found = new ArrayList<>();
    for (Path file : files) {
      FileStatus status = file.getFileSystem(conf).getFileStatus(file);
      // Mappers look for it under the name by which it was found.
      status.setPath(file);
      found.add(status);
    }
    return found;
  }
}
