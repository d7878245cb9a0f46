package io.deli.tools.mapreduce;

import io.deli.client.Finding;
import io.deli.client.VerifyEngine.Outcome;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** Runs a part of a verification, a line of the input, as a thread of one would. */
final class VerifyMapper extends Mapper<LongWritable, Text, IntWritable, BytesWritable> {
  /** The key of a finding; the sum of a range has its number. */
  static final int FINDING = -1;

  enum Count {
    VERSIONS,
    ENTRIES,
    WRITTEN,
    REPORTED
  }

  @Override
  protected void map(LongWritable position, Text line, Context context)
      throws IOException, InterruptedException {
    String[] part = line.toString().split(" ", -1);
    try (Connection connection = ConnectionFactory.createConnection(context.getConfiguration())) {
      Outcome outcome =
          VerifyJob.step(context.getConfiguration())
              .run(
                  connection,
                  VerifyPosition.Pass.valueOf(part[0]),
                  VerifyJob.rows(part[1]),
                  (stage, done, total) -> context.progress());
      write(outcome, context);
    } catch (IOException | RuntimeException e) {
      JobFiles.note(context, e);
      throw e;
    }
  }

  private static void write(Outcome outcome, Context context)
      throws IOException, InterruptedException {
    VerifyReport report = outcome.report();
    context.getCounter(Count.VERSIONS).increment(report.versions());
    context.getCounter(Count.ENTRIES).increment(report.entries());
    context.getCounter(Count.WRITTEN).increment(report.written());
    context.getCounter(Count.REPORTED).increment(report.reported());
    report.found().forEach((kind, count) -> context.getCounter(kind).increment(count));
    for (Finding finding : report.samples()) {
      context.write(new IntWritable(FINDING), new BytesWritable(bytes(finding)));
    }
    List<Long> sums = outcome.sums();
    for (int range = 0; range < sums.size(); range++) {
      if (sums.get(range) != 0) {
        byte[] sum = Bytes.toBytes(sums.get(range));
        context.write(new IntWritable(range), new BytesWritable(sum));
      }
    }
  }

  /** To be read by the version that wrote it. */
  private static byte[] bytes(Finding finding) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutput out = new DataOutputStream(bytes);
    out.writeUTF(finding.kind().name());
    Bytes.writeByteArray(out, finding.row());
    out.writeBoolean(finding.entry().isPresent());
    if (finding.entry().isPresent()) {
      Entry entry = finding.entry().get();
      Bytes.writeByteArray(out, entry.token());
      Bytes.writeByteArray(out, entry.key());
      out.writeLong(entry.timestamp());
      Bytes.writeByteArray(out, entry.writeId().toBytes());
    }
    return bytes.toByteArray();
  }

  static Finding finding(byte[] bytes) throws IOException {
    DataInput in = new DataInputStream(new ByteArrayInputStream(bytes));
    Finding.Kind kind = Finding.Kind.valueOf(in.readUTF());
    byte[] row = Bytes.readByteArray(in);
    if (!in.readBoolean()) {
      return new Finding(kind, row, Optional.empty());
    }
    byte[] token = Bytes.readByteArray(in);
    byte[] key = Bytes.readByteArray(in);
    long timestamp = in.readLong();
    WriteId id = WriteId.from(Bytes.readByteArray(in));
    return new Finding(kind, row, Optional.of(new Entry(token, key, timestamp, id)));
  }
}
