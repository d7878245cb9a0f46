package io.deli.lab.experiment;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.config.DeliSettings;
import io.deli.service.Flush;
import io.deli.tools.files.EntryFiles;
import io.deli.tools.mapreduce.MapReduceEngine;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.MRConfig;

/** The operations that go through all rows of a table. */
record WholeTable(HBaseTable table) {
  /** A prime, so that neighbours in the table are none in the index. */
  private static final long STRIDE = 2_654_435_761L;

  /** Nobody writes meanwhile, for whom a build would have to wait. */
  private static final long LEASE_MILLIS = 100;

  /** So old that none of them may seem to be just being written. */
  private static final Duration AGE = Duration.ofHours(1);

  enum Engine {
    THREADS,
    FILES,
    MAPREDUCE
  }

  /** Creates it anew without an index and fills it with rows that were written long ago. */
  void fill() throws IOException {
    table.createWithoutIndex();
    long timestamp = System.currentTimeMillis() - AGE.toMillis();
    try (BufferedMutator rows = table.lab().plain().getBufferedMutator(table.name())) {
      for (long row = 0; row < table.rows(); row++) {
        rows.mutate(put(row, timestamp));
      }
    }
    // Not that of an index, which is not there yet.
    Flush.table(table.lab().admin(), table.name());
  }

  private Put put(long row, long timestamp) {
    long value = row * STRIDE % table.rows() * table.values() / table.rows();
    return new Put(Bytes.toBytes(Workloads.key(row)), timestamp)
        .addColumn(
            HBaseTable.FAMILY,
            Bytes.toBytes(Workloads.FIELD),
            Bytes.toBytes(Workloads.value(value)));
  }

  Outcome scan() throws IOException {
    long begun = System.nanoTime();
    long found = 0;
    try (Table open = table.lab().plain().getTable(table.name());
        ResultScanner scanner = open.getScanner(new Scan().setCacheBlocks(false))) {
      while (scanner.next() != null) {
        found++;
      }
    }
    return all(found, begun);
  }

  private Outcome all(long found, long begun) throws IOException {
    requireAll(found);
    return Outcome.of(found, (System.nanoTime() - begun) / 1e9);
  }

  private void requireAll(long found) throws IOException {
    if (found != table.rows()) {
      throw new IOException("went through %d rows of %d".formatted(found, table.rows()));
    }
  }

  /** Builds its index, which was created for that; the reading of the table is what is timed. */
  Outcome build(Engine engine) throws IOException {
    Configuration conf = new Configuration(table.lab().plain().getConfiguration());
    conf.setLong(DeliSettings.DEFINITIONS_LEASE.key(), LEASE_MILLIS);
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    BuildOptions options =
        engine == Engine.FILES
            ? BuildOptions.DEFAULT.withWriter(new EntryFiles())
            : BuildOptions.DEFAULT;
    try (DeliConnection builder = DeliConnection.wrap(ConnectionFactory.createConnection(conf))) {
      DeliAdmin admin = builder.getDeliAdmin();
      BuildReport report =
          engine == Engine.MAPREDUCE
              ? admin.build(
                  table.name(), HBaseTable.INDEX, new MapReduceEngine(), ProgressListener.NONE)
              : admin.build(table.name(), HBaseTable.INDEX, options, ProgressListener.NONE);
      requireAll(report.entries());
      return Outcome.of(report.entries(), report.reading().toNanos() / 1e9);
    }
  }

  Outcome dropIndex() throws IOException {
    table.lab().deliAdmin().dropIndex(table.name(), HBaseTable.INDEX);
    return Outcome.NONE;
  }

  Outcome verify(boolean bySums) throws IOException {
    VerifyOptions options = bySums ? VerifyOptions.DEFAULT.withSums() : VerifyOptions.DEFAULT;
    DeliAdmin admin = table.lab().deli().getDeliAdmin();
    long begun = System.nanoTime();
    VerifyReport report =
        admin.verify(table.name(), HBaseTable.INDEX, options, ProgressListener.NONE);
    requireAll(report.versions());
    if (!report.found().isEmpty()) {
      throw new IOException("an index in order seems damaged: " + report);
    }
    return all(report.entries(), begun);
  }
}
