package io.deli.tools.mapreduce;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.service.PrimaryRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * The hits of a {@link ValueQuery} as the input of a job, or of Spark's {@code newAPIHadoopRDD}:
 * row keys, and the columns that the query projects.
 *
 * <p>There is a split for each region of the base table. A row is in one of them, wherever its
 * values move, so each split has of its rows what {@link ValueScanner} promises, and none comes
 * twice. Each split reads the entries of the whole condition, but only its own base rows: ask for
 * what an index is good for, and scan the table for a great part of it. A task that is tried again
 * reads what is there by then.
 */
public final class DeliInputFormat extends InputFormat<ImmutableBytesWritable, Result> {
  private static final String TABLE = "deli.input.table";
  private static final String QUERY = "deli.input.query";

  /**
   * Has a job read the hits of a query on a table.
   *
   * @param query without limit, mostRecent, continuation or reversed, which are of one scanner
   * @throws IllegalArgumentException if it has one of these
   */
  public static void configure(Configuration job, TableName table, ValueQuery query) {
    job.set(TABLE, table.getNameAsString());
    job.set(QUERY, QueryText.write(query));
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration job = context.getConfiguration();
    TableName table = table(job);
    ValueQuery.Rows rows = query(job).options().rows();
    try (Connection connection = ConnectionFactory.createConnection(job)) {
      return List.copyOf(splits(connection, table, rows));
    }
  }

  /** Cuts a range of rows at the regions of a table. */
  static List<TableSplit> splits(Connection connection, TableName table, ValueQuery.Rows rows)
      throws IOException {
    List<TableSplit> splits = new ArrayList<>();
    for (HRegionLocation region : PrimaryRegions.locations(connection, table)) {
      byte[] from = later(rows.from(), region.getRegion().getStartKey());
      byte[] before = earlier(rows.before(), region.getRegion().getEndKey());
      if (before.length == 0 || Bytes.compareTo(from, before) < 0) {
        String host = region.getServerName() == null ? "" : region.getHostname();
        splits.add(new TableSplit(table, from, before, host));
      }
    }
    return splits;
  }

  private static byte[] later(byte[] one, byte[] other) {
    return Bytes.compareTo(one, other) > 0 ? one : other;
  }

  private static byte[] earlier(byte[] one, byte[] other) {
    return other.length == 0 || (one.length > 0 && Bytes.compareTo(one, other) < 0) ? one : other;
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new HitReader();
  }

  private static TableName table(Configuration job) throws IOException {
    return TableName.valueOf(required(job, TABLE));
  }

  private static ValueQuery query(Configuration job) throws IOException {
    return QueryText.read(required(job, QUERY));
  }

  private static String required(Configuration job, String key) throws IOException {
    return Optional.ofNullable(job.get(key))
        .orElseThrow(
            () -> new IOException(key + " is not set: call DeliInputFormat.configure first"));
  }

  private static final class HitReader extends RecordReader<ImmutableBytesWritable, Result> {
    private DeliConnection connection;
    private DeliTable table;
    private ValueScanner hits;
    private ValueHit hit;
    private boolean done;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      Configuration job = context.getConfiguration();
      TableSplit range = (TableSplit) split;
      connection = DeliConnection.wrap(ConnectionFactory.createConnection(job));
      table = connection.getTable(range.getTable());
      hits = table.readValue(query(job).rows(range.getStartRow(), range.getEndRow()));
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      Optional<ValueHit> next = hits.next();
      done = next.isEmpty();
      hit = next.orElse(null);
      return !done;
    }

    @Override
    public ImmutableBytesWritable getCurrentKey() {
      return new ImmutableBytesWritable(hit.row());
    }

    @Override
    public Result getCurrentValue() {
      return hit.projected();
    }

    @Override
    public float getProgress() {
      return done ? 1 : 0;
    }

    @Override
    public void close() throws IOException {
      if (hits != null) {
        hits.close();
      }
      if (table != null) {
        table.close();
      }
      if (connection != null) {
        connection.close();
      }
    }
  }
}
