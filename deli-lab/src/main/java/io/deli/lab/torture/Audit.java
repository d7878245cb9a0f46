package io.deli.lab.torture;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.config.DeliSettings;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Base and indexes compared by brute force when nobody writes: versions without an entry are
 * missing, which must never be, entries without a version are garbage.
 *
 * @param differences that queries and {@code verify} show, if they were asked
 */
public record Audit(
    int versions, List<String> missing, List<String> garbage, List<String> differences) {
  /** For what remains to be repaired or collected in the background. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** For whole tables, of which a part may take longer than clients are patient amid faults. */
  private static final Duration REQUEST = Duration.ofMinutes(1);

  private static final int TOLD = 10;

  public Audit {
    missing = List.copyOf(missing);
    garbage = List.copyOf(garbage);
    differences = List.copyOf(differences);
  }

  public Audit(int versions, List<String> missing, List<String> garbage) {
    this(versions, missing, garbage, List.of());
  }

  /**
   * Has failed writes repaired by queries for all that indexes have, and dead versions collected,
   * until nothing is wrong or patience ends; and verifies. Only garbage is given time: a query that
   * errs when nobody writes is wrong, though a later one may not be.
   *
   * @param graceMillis of read repair
   * @param pause after which what failed writes have left is garbage
   */
  public static Audit settled(
      Configuration cluster,
      TableName base,
      long graceMillis,
      Duration pause,
      ProgressListener progress)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(cluster);
    conf.setLong(DeliSettings.REPAIR_GRACE.key(), graceMillis);
    conf.setLong(HConstants.HBASE_RPC_TIMEOUT_KEY, REQUEST.toMillis());
    conf.setLong(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 2 * REQUEST.toMillis());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (Connection plain = ConnectionFactory.createConnection(conf)) {
      Audit audit;
      do {
        Thread.sleep(pause.toMillis());
        List<String> differences = queryDifferences(plain, base);
        DeliAdmin.of(plain).collect(base, progress);
        audit = of(plain, base).with(differences);
      } while (audit.hasOnlyGarbage() && System.nanoTime() < deadline);
      return audit.with(verifyDifferences(plain, base));
    }
  }

  private boolean hasOnlyGarbage() {
    return missing.isEmpty() && differences.isEmpty() && !garbage.isEmpty();
  }

  private Audit with(List<String> more) {
    List<String> all = new ArrayList<>(differences);
    all.addAll(more);
    return new Audit(versions, missing, garbage, all);
  }

  private static List<String> queryDifferences(Connection plain, TableName base)
      throws IOException {
    List<String> differences = new ArrayList<>();
    // Its connection is another's to close.
    try (DeliTable table = DeliConnection.wrap(plain).getTable(base)) {
      for (Index index : indexes(plain, base)) {
        Set<String> wanted = newest(plain, base, index.column());
        Set<String> found = new TreeSet<>();
        try (ValueScanner hits = table.readValue(ValueQuery.on(index.name()).prefix(new byte[0]))) {
          hits.forEach(hit -> found.add(text(hit.row(), hit.value())));
        }
        tell(differences, "hit of %s that the base has not: ", index, found, wanted);
        tell(differences, "row that %s misses: ", index, wanted, found);
      }
    }
    return differences;
  }

  private static Set<String> newest(Connection plain, TableName base, Column column)
      throws IOException {
    Set<String> all = new TreeSet<>();
    for (Result row :
        rows(plain, base, new Scan().addColumn(column.family(), column.qualifier()))) {
      all.add(text(row.getRow(), row.getValue(column.family(), column.qualifier())));
    }
    return all;
  }

  private static String text(byte[] row, byte[] value) {
    return Bytes.toString(row) + " = " + Bytes.toString(value);
  }

  private static void tell(
      List<String> told, String what, Index index, Set<String> some, Set<String> others) {
    some.stream()
        .filter(each -> !others.contains(each))
        .forEach(each -> told.add(what.formatted(index.name()) + each));
  }

  private static List<String> verifyDifferences(Connection plain, TableName base)
      throws IOException {
    List<String> differences = new ArrayList<>();
    for (Index index : indexes(plain, base)) {
      if (index.strategy().keepsTable()) {
        VerifyReport report =
            DeliAdmin.of(plain)
                .verify(base, index.name(), VerifyOptions.DEFAULT, ProgressListener.NONE);
        if (!report.isClean()) {
          differences.add("verify of " + index.name() + ": " + report.found());
          report.samples().forEach(each -> differences.add("verify: " + each));
        }
      }
    }
    return differences;
  }

  public static Audit of(Connection plain, TableName base) throws IOException {
    List<Cell> versions = new ArrayList<>();
    rows(plain, base, new Scan().readAllVersions())
        .forEach(row -> versions.addAll(row.listCells()));
    List<String> missing = new ArrayList<>();
    List<String> garbage = new ArrayList<>();
    for (Index index : indexes(plain, base)) {
      if (!index.strategy().keepsTable()) {
        continue;
      }
      Set<Entry> wanted = entries(index, known(index, versions));
      Set<Entry> justified = entries(index, versions);
      Set<Entry> present = new HashSet<>();
      for (Result row : rows(plain, index.table(), new Scan().readAllVersions())) {
        index.entries(row).forEach(entry -> present.add(entry.withoutId()));
      }
      wanted.stream().filter(e -> !present.contains(e)).forEach(e -> missing.add(in(index, e)));
      present.stream().filter(e -> !justified.contains(e)).forEach(e -> garbage.add(in(index, e)));
    }
    return new Audit(versions.size(), missing, garbage);
  }

  private static List<Index> indexes(Connection plain, TableName base) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return Index.allOf(admin.getDescriptor(base));
    }
  }

  private static String in(Index index, Entry entry) {
    return index.name() + ": " + entry;
  }

  /** The versions that must have entries: some indexes know the newest of a row only. */
  private static List<Cell> known(Index index, List<Cell> versions) {
    if (index.versions() > 1) {
      return versions;
    }
    Set<ByteBuffer> seen = new HashSet<>();
    return versions.stream()
        .filter(index.column()::matches)
        .filter(version -> seen.add(ByteBuffer.wrap(CellUtil.cloneRow(version))))
        .toList();
  }

  private static Set<Entry> entries(Index index, List<Cell> versions) {
    Set<Entry> entries = new HashSet<>();
    for (Cell version : versions) {
      if (index.column().matches(version)) {
        entries.addAll(index.entries(BaseVersion.of(version, WriteId.NONE)));
      }
    }
    return entries;
  }

  private static List<Result> rows(Connection plain, TableName name, Scan scan) throws IOException {
    try (Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      List<Result> rows = new ArrayList<>();
      scanner.forEach(rows::add);
      return rows;
    }
  }

  public boolean isExact() {
    return missing.isEmpty() && garbage.isEmpty() && differences.isEmpty();
  }

  public String line() {
    return "base versions in the end %d, without entry %d, entries without version %d"
        .formatted(versions, missing.size(), garbage.size());
  }

  public List<String> findings() {
    List<String> findings = new ArrayList<>();
    tell(findings, "version without an entry: ", missing);
    tell(findings, "entry without a version: ", garbage);
    tell(findings, "", differences);
    return findings;
  }

  private static void tell(List<String> told, String what, List<String> found) {
    found.stream().limit(TOLD).forEach(each -> told.add(what + each));
    if (found.size() > TOLD) {
      told.add("%s%d more".formatted(what, found.size() - TOLD));
    }
  }
}
