package io.deli.client.internal.admin;

import io.deli.client.IndexStatistics;
import io.deli.client.ProgressListener;
import io.deli.client.internal.verify.BaseTableReader;
import io.deli.client.internal.verify.IndexTableReader;
import io.deli.entry.Entry;
import io.deli.service.IndexTableErrors;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/** Counts the entries of an index and checks a uniform sample of them against the base table. */
public record IndexSampler(Connection connection, Schema schema, ProgressListener progress) {
  private static final int BATCH = 1_000;
  private static final int REPORT_EVERY = 10_000;

  public IndexStatistics run(TableName table, String name, int sampleSize) throws IOException {
    Index index = Index.of(table, schema.definition(table, name));
    if (!index.strategy().keepsTable()) {
      return new IndexStatistics(0, 0, 0, 0);
    }
    schema.requireTable(table, index.definition());
    try {
      return run(index, sampleSize);
    } catch (IOException e) {
      ExceptionUtil.rethrowIfInterrupt(e);
      // It may have been built anew or dropped meanwhile.
      if (!Index.of(table, schema.definition(table, name)).table().equals(index.table())) {
        return run(table, name, sampleSize);
      }
      throw e;
    }
  }

  private IndexStatistics run(Index index, int sampleSize) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      long bytes = GarbageCollection.bytes(admin, index.table());
      List<Entry> sample = new ArrayList<>();
      long entries;
      try {
        entries = count(index, sampleSize, sample);
      } catch (IOException e) {
        throw IndexTableErrors.isCause(e)
            ? new DoNotRetryIOException(
                IndexTableErrors.message(index.baseTable(), index.table().getNameAsString(), e), e)
            : e;
      }
      return new IndexStatistics(entries, sample.size(), stale(index, sample), bytes);
    }
  }

  /** Reservoir sampling: after n entries, each is in the sample with the same probability. */
  private long count(Index index, int sampleSize, List<Entry> sample) throws IOException {
    SplittableRandom random = new SplittableRandom();
    IndexTableReader reader = new IndexTableReader(connection, index);
    // In pieces: a row may be a list of any length.
    Scan scan = new Scan().readAllVersions().setBatch(BATCH).setCacheBlocks(false);
    long entries = 0;
    try (Table table = connection.getTable(index.table());
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        for (Entry entry : reader.read(row).entries()) {
          entries++;
          if (sample.size() < sampleSize) {
            sample.add(entry);
          } else {
            long place = random.nextLong(entries);
            if (place < sampleSize) {
              sample.set((int) place, entry);
            }
          }
          if (entries % REPORT_EVERY == 0) {
            progress.progress("counting entries of " + index.table(), entries, 0);
          }
        }
      }
    }
    return entries;
  }

  private long stale(Index index, List<Entry> sample) throws IOException {
    long stale = 0;
    BaseTableReader base = new BaseTableReader(connection, index);
    for (int from = 0; from < sample.size(); from += BATCH) {
      List<Entry> some = sample.subList(from, Math.min(sample.size(), from + BATCH));
      Map<byte[], List<Cell>> visible = base.visible(some);
      stale +=
          some.stream()
              .filter(
                  entry ->
                      visible.getOrDefault(entry.key(), List.of()).stream()
                          .noneMatch(cell -> index.isOf(entry, cell)))
              .count();
      progress.progress("checking entries of " + index.table(), from + some.size(), sample.size());
    }
    return stale;
  }
}
