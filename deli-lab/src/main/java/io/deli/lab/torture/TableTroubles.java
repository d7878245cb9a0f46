package io.deli.lab.torture;

import io.deli.client.BuildOptions;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.Strategies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** What happens to any table in time: flushes, compactions, splits, merges and moves of regions. */
public final class TableTroubles {
  private static final int REGIONS = 6;
  private static final int TRIES = 5;

  private final Connection connection;
  private final TableName base;
  private final Workload workload;
  private final List<TableName> tables;

  /**
   * @param base the table under torture; its index tables, if it has any, suffer as well
   */
  public TableTroubles(Connection connection, TableName base, Workload workload) {
    this.connection = connection;
    this.base = base;
    this.workload = workload;
    this.tables =
        Strategies.named(workload.strategy()).keepsTable()
            ? List.of(
                base,
                base,
                IndexDefinitions.indexTable(base, Workload.BY_KEY),
                IndexDefinitions.indexTable(base, Workload.BY_TIME))
            : List.of(base);
  }

  /** Each of them. */
  public List<Trouble> all() {
    return List.of(
        Trouble.of("flush", random -> with(random, Admin::flush)),
        Trouble.of("flush and compaction", this::compact),
        Trouble.of("major compaction", random -> with(random, Admin::majorCompact)),
        Trouble.of("split or merge", this::splitOrMerge),
        Trouble.of("move", this::move));
  }

  /**
   * What happens to indexes whose definitions change while they are used. Needs {@link
   * ContendedRows}, whose indexes these are.
   */
  public List<Trouble> redefinitions() {
    return List.of(
        Trouble.of("drop and re-creation of an index", this::recreate),
        Trouble.of("rebuild of an index", this::rebuild));
  }

  private static String contended(Random random) {
    return random.nextBoolean() ? ContendedRows.BY_A : ContendedRows.BY_B;
  }

  /** Tried again until there is an index, for others may have troubles of their own meanwhile. */
  private void recreate(Random random) throws IOException {
    String index = contended(random);
    DeliAdmin deli = DeliAdmin.of(connection);
    IOException refused = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        if (deli.list(base).stream().anyMatch(each -> each.name().equals(index))) {
          deli.dropIndex(base, index);
        }
        deli.createIndex(
            base,
            TortureTable.contended(index, workload),
            CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
        if (deli.describe(base, index).state() != IndexState.ACTIVE) {
          deli.build(base, index, BuildOptions.DEFAULT, ProgressListener.NONE);
        }
        return;
      } catch (IOException e) {
        refused = e;
      }
    }
    throw new IllegalStateException(
        "index %s is gone after %d tries".formatted(index, TRIES), refused);
  }

  private void rebuild(Random random) throws IOException {
    DeliAdmin.of(connection)
        .build(base, contended(random), BuildOptions.DEFAULT, ProgressListener.NONE);
  }

  private interface Step {
    void run(Admin admin, TableName table) throws IOException;
  }

  private void with(Random random, Step step) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      step.run(admin, tables.get(random.nextInt(tables.size())));
    }
  }

  private void compact(Random random) throws IOException {
    with(
        random,
        (admin, table) -> {
          admin.flush(table);
          admin.compact(table);
        });
  }

  private void splitOrMerge(Random random) throws IOException {
    with(
        random,
        (admin, table) -> {
          List<RegionInfo> regions = admin.getRegions(table);
          if (regions.size() < REGIONS) {
            admin.split(table, anyRow(table, random));
          } else {
            int first = random.nextInt(regions.size() - 1);
            byte[][] pair = {
              regions.get(first).getEncodedNameAsBytes(),
              regions.get(first + 1).getEncodedNameAsBytes()
            };
            var unused = admin.mergeRegionsAsync(pair, false);
          }
        });
  }

  private byte[] anyRow(TableName name, Random random) throws IOException {
    Scan keys = new Scan().setFilter(new FirstKeyOnlyFilter());
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(keys)) {
      List<byte[]> rows = new ArrayList<>();
      // Its iterator would hide that the table does not answer now.
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row.getRow());
      }
      if (rows.isEmpty()) {
        throw new IOException(name + " has no row to split at");
      }
      return rows.get(random.nextInt(rows.size()));
    }
  }

  private void move(Random random) throws IOException {
    with(
        random,
        (admin, table) -> {
          List<RegionInfo> regions = admin.getRegions(table);
          List<ServerName> servers = List.copyOf(admin.getRegionServers(true));
          admin.move(
              regions.get(random.nextInt(regions.size())).getEncodedNameAsBytes(),
              servers.get(random.nextInt(servers.size())));
        });
  }
}
