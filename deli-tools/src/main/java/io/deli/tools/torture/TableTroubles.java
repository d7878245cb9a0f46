package io.deli.tools.torture;

import io.deli.index.IndexDefinitions;
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
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** What happens to any table in time: flushes, compactions, splits, merges and moves of regions. */
public final class TableTroubles {
  private static final int REGIONS = 6;

  private final Connection connection;
  private final List<TableName> tables;

  /**
   * @param base the table under torture; its index tables, if it has any, suffer as well
   */
  public TableTroubles(Connection connection, TableName base, Workload workload) {
    this.connection = connection;
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
      scanner.forEach(row -> rows.add(row.getRow()));
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
