package io.deli.tools.mapreduce;

import io.deli.client.Finding;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery.Rows;
import io.deli.client.VerifyEngine;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import io.deli.tools.files.Staging;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * Verifies by MapReduce jobs, one for each step, with a mapper for each region of the base table
 * and of the index table.
 *
 * <p>The input is a file with a line for each mapper: its direction and the rows that it scans. The
 * region may be split or moved by then, since the rows are read by an ordinary scan. Counts come
 * back as counters of the job; examples of findings, and sums of ranges, in the files that mappers
 * which succeed leave.
 */
public final class VerifyJob implements VerifyEngine {
  private static final String STEP = "deli.verify.";
  private static final String RANGES = STEP + "ranges";
  private static final String UNTIL = STEP + "until";
  private static final String SAMPLES = STEP + "samples";
  private static final String REPAIR = STEP + "repair";

  private static final Rows ALL = new Rows(HConstants.EMPTY_START_ROW, HConstants.EMPTY_END_ROW);

  @Override
  public Outcome run(Connection connection, Step step, ProgressListener progress)
      throws IOException {
    try (Staging staging = Staging.open(connection, "deli-verify", step.index().table())) {
      JobFiles files = new JobFiles(staging);
      Job job = job(connection, step, files);
      DeliJob.finish(job, files, progress, () -> {});
      return outcome(job.getConfiguration(), DeliJob.counters(job), step, files);
    }
  }

  private static Job job(Connection connection, Step step, JobFiles files) throws IOException {
    String name = "deli verify " + step.index().table();
    Job job = DeliJob.of(connection, name, step.index(), files);
    Configuration conf = job.getConfiguration();
    conf.setStrings(RANGES, step.ranges().stream().map(VerifyJob::write).toArray(String[]::new));
    step.until().ifPresent(until -> conf.setLong(UNTIL, until));
    conf.setInt(SAMPLES, step.options().samples());
    conf.setBoolean(REPAIR, step.options().repair());
    job.setMapperClass(VerifyMapper.class);
    job.setNumReduceTasks(0);
    Path parts = files.staging().at("parts");
    writeParts(connection, step, files, parts);
    job.setInputFormatClass(NLineInputFormat.class);
    NLineInputFormat.addInputPath(job, parts);
    NLineInputFormat.setNumLinesPerSplit(job, 1);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(IntWritable.class);
    job.setOutputValueClass(BytesWritable.class);
    FileOutputFormat.setOutputPath(job, files.written());
    TableMapReduceUtil.initCredentials(job);
    DeliJob.bringClasses(job, List.of(step.index()));
    return job;
  }

  private static void writeParts(Connection connection, Step step, JobFiles files, Path file)
      throws IOException {
    VerifyOptions options = step.options();
    // Ranges that are summed up meet, and may be many in a region.
    List<Rows> ranges =
        step.until().isPresent() ? List.of(new Rows(options.from(), options.to())) : step.ranges();
    try (FSDataOutputStream out = files.staging().fileSystem().create(file)) {
      for (Rows range : ranges) {
        writeParts(connection, VerifyPosition.Pass.BASE, step.index().baseTable(), range, out);
      }
      writeParts(connection, VerifyPosition.Pass.INDEX, step.index().table(), ALL, out);
    }
  }

  private static void writeParts(
      Connection connection,
      VerifyPosition.Pass pass,
      TableName table,
      Rows rows,
      FSDataOutputStream out)
      throws IOException {
    for (TableSplit part : DeliInputFormat.splits(connection, table, rows)) {
      String text = write(new Rows(part.getStartRow(), part.getEndRow()));
      out.write("%s %s%n".formatted(pass, text).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** A text without white space and comma. */
  private static String write(Rows rows) {
    return Stream.of(rows.from(), rows.before())
        .map(Base64.getEncoder()::encodeToString)
        .collect(Collectors.joining(":"));
  }

  static Rows rows(String text) {
    String[] keys = text.split(":", -1);
    return new Rows(Base64.getDecoder().decode(keys[0]), Base64.getDecoder().decode(keys[1]));
  }

  /** The step that a task has a part of. */
  static Step step(Configuration conf) throws IOException {
    VerifyOptions options =
        VerifyOptions.DEFAULT.withThreads(1).withSamples(conf.getInt(SAMPLES, 0));
    String until = conf.get(UNTIL);
    return new Step(
        DeliJob.index(conf),
        conf.getBoolean(REPAIR, false) ? options.withRepair() : options,
        Arrays.stream(conf.getStrings(RANGES)).map(VerifyJob::rows).toList(),
        until == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(until)));
  }

  private static Outcome outcome(Configuration conf, Counters counters, Step step, JobFiles files)
      throws IOException {
    List<Finding> samples = new ArrayList<>();
    long[] sums = new long[step.until().isPresent() ? step.ranges().size() : 0];
    for (FileStatus file : files.staging().fileSystem().listStatus(files.written())) {
      read(conf, file.getPath(), samples, sums);
    }
    Map<Finding.Kind, Long> found = new EnumMap<>(Finding.Kind.class);
    for (Finding.Kind kind : Finding.Kind.values()) {
      long count = counters.findCounter(kind).getValue();
      if (count > 0) {
        found.put(kind, count);
      }
    }
    VerifyReport report =
        new VerifyReport(
            counters.findCounter(VerifyMapper.Count.VERSIONS).getValue(),
            counters.findCounter(VerifyMapper.Count.ENTRIES).getValue(),
            found,
            samples,
            counters.findCounter(VerifyMapper.Count.WRITTEN).getValue(),
            counters.findCounter(VerifyMapper.Count.REPORTED).getValue(),
            Optional.empty());
    return new Outcome(report, Arrays.stream(sums).boxed().toList());
  }

  private static void read(Configuration conf, Path file, List<Finding> samples, long[] sums)
      throws IOException {
    if (!file.getName().startsWith("part-")) {
      return;
    }
    IntWritable range = new IntWritable();
    BytesWritable value = new BytesWritable();
    try (SequenceFile.Reader in = new SequenceFile.Reader(conf, SequenceFile.Reader.file(file))) {
      while (in.next(range, value)) {
        if (range.get() == VerifyMapper.FINDING) {
          samples.add(VerifyMapper.finding(value.copyBytes()));
        } else {
          sums[range.get()] += Bytes.toLong(value.copyBytes());
        }
      }
    }
  }
}
