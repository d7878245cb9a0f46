package io.deli.lab.campaign;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.index.Column;
import io.deli.lab.torture.Audit;
import io.deli.strategy.Index;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
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
 * Base and indexes compared when nobody writes any more: by brute force, by {@code verify}, and by
 * a query for all that an index has.
 */
final class CellAudit {
  /** For what remains to be repaired or collected in the background. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static final int TOLD = 10;

  /** For whole tables, of which a part may take longer than clients are patient amid faults. */
  private static final Duration REQUEST = Duration.ofMinutes(1);

  private final Connection plain;
  private final DeliConnection indexed;
  private final TableName name;

  private CellAudit(Connection plain, TableName name) throws IOException {
    this.plain = plain;
    this.indexed = DeliConnection.wrap(plain);
    this.name = name;
  }

  /** Returns what is wrong, after pauses in which what failed writes have left becomes garbage. */
  static List<String> audit(Configuration cluster, TableName name, Duration pause)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(cluster);
    conf.setLong(HConstants.HBASE_RPC_TIMEOUT_KEY, REQUEST.toMillis());
    conf.setLong(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 2 * REQUEST.toMillis());
    try (Connection plain = ConnectionFactory.createConnection(conf)) {
      return new CellAudit(plain, name).run(pause);
    }
  }

  private List<String> run(Duration pause) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<String> wrong;
    boolean over;
    do {
      Thread.sleep(pause.toMillis());
      wrong = new ArrayList<>();
      compareQueries(wrong);
      DeliAdmin.of(plain).collect(name, ProgressListener.NONE);
      Audit audit = Audit.of(plain, name);
      tell(wrong, "version without an entry: ", audit.missing());
      tell(wrong, "entry without a version: ", audit.garbage());
      over = !audit.missing().isEmpty() || System.nanoTime() > deadline;
    } while (!wrong.isEmpty() && !over);
    verify(wrong);
    return wrong;
  }

  private static void tell(List<String> wrong, String what, List<String> found) {
    found.stream().limit(TOLD).forEach(each -> wrong.add(what + each));
    if (found.size() > TOLD) {
      wrong.add("%s%d more".formatted(what, found.size() - TOLD));
    }
  }

  private List<Index> indexes() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return Index.allOf(admin.getDescriptor(name));
    }
  }

  private void compareQueries(List<String> wrong) throws IOException {
    try (DeliTable table = indexed.getTable(name)) {
      for (Index index : indexes()) {
        Set<String> wanted = new TreeSet<>(inBase(index.column()));
        Set<String> found = new TreeSet<>();
        try (ValueScanner scanner =
            table.readValue(ValueQuery.on(index.name()).prefix(new byte[0]))) {
          scanner.forEach(hit -> found.add(text(hit.row(), hit.value())));
        }
        tell(wrong, "hit of " + index.name() + " that the base has not: ", less(found, wanted));
        tell(wrong, "row that " + index.name() + " misses: ", less(wanted, found));
      }
    }
  }

  private static List<String> less(Set<String> some, Set<String> others) {
    return some.stream().filter(each -> !others.contains(each)).toList();
  }

  private static String text(byte[] row, byte[] value) {
    return Bytes.toString(row) + " = " + Bytes.toString(value);
  }

  private List<String> inBase(Column column) throws IOException {
    List<String> all = new ArrayList<>();
    try (Table table = plain.getTable(name);
        ResultScanner scanner =
            table.getScanner(new Scan().addColumn(column.family(), column.qualifier()))) {
      for (Result row : scanner) {
        all.add(text(row.getRow(), row.getValue(column.family(), column.qualifier())));
      }
    }
    return all;
  }

  private void verify(List<String> wrong) throws IOException {
    for (Index index : indexes()) {
      if (index.strategy().keepsTable()) {
        VerifyReport report =
            DeliAdmin.of(plain)
                .verify(name, index.name(), VerifyOptions.DEFAULT, ProgressListener.NONE);
        if (!report.isClean()) {
          wrong.add("verify of " + index.name() + ": " + report.found());
          report.samples().forEach(each -> wrong.add("verify: " + each));
        }
      }
    }
  }
}
