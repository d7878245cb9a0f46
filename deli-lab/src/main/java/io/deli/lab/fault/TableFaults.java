package io.deli.lab.fault;

import io.deli.service.Flush;
import io.deli.strategy.Index;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/**
 * Faults that happen to any table in time: flushes, compactions, splits, merges, moves and balance
 * of regions.
 */
public final class TableFaults {
  /**
   * Settings of a cluster whose balancer is to be done within seconds: it computes for 30 seconds
   * and spreads the moves of all tables over five minutes otherwise.
   */
  public static final Map<String, String> SETTINGS =
      Map.of(
          HConstants.HBASE_BALANCER_MAX_BALANCING,
          "1000",
          "hbase.master.balancer.stochastic.maxRunningTime",
          "1000");

  private static final int REGIONS = 6;

  /**
   * How long a server tells where a region moved. It does so, too, of one that came back and was
   * split since: two servers then send clients to one another, and nothing is written for so long.
   */
  private static final Duration REMEMBERED = Duration.ofMinutes(2);

  private final Connection connection;
  private final TableName base;
  private final Map<String, Long> moved = new ConcurrentHashMap<>();

  /**
   * @param base the table under torture; its index tables, if it has any, suffer as well
   */
  public TableFaults(Connection connection, TableName base) {
    this.connection = connection;
    this.base = base;
  }

  public List<Fault> all() {
    return List.of(
        Fault.of("flush", random -> with(random, Flush::table)),
        Fault.of(
            "flush and compaction",
            random ->
                with(
                    random,
                    (admin, table) -> {
                      Flush.table(admin, table);
                      admin.compact(table);
                    })),
        Fault.of("major compaction", random -> with(random, Admin::majorCompact)),
        Fault.of("split or merge", this::splitOrMerge),
        Fault.of("move", this::move),
        Fault.of("balance", this::balance));
  }

  private interface Step {
    void run(Admin admin, TableName table) throws IOException;
  }

  private void with(Random random, Step step) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      step.run(admin, any(admin, base, random));
    }
  }

  /** The base table half of the time, else one of its index tables. */
  static TableName any(Admin admin, TableName base, Random random) throws IOException {
    List<TableName> tables =
        Index.allOf(admin.getDescriptor(base)).stream()
            .filter(index -> index.strategy().keepsTable())
            .map(Index::table)
            .toList();
    return tables.isEmpty() || random.nextBoolean() ? base : Fault.any(tables, random);
  }

  private void splitOrMerge(Random random) throws IOException {
    with(
        random,
        (admin, table) -> {
          List<RegionInfo> regions = admin.getRegions(table);
          if (regions.size() < REGIONS) {
            List<RegionInfo> settled = regions.stream().filter(this::isSettled).toList();
            admin.split(table, anyRow(table, anyOf(settled, random), random));
          } else {
            List<List<RegionInfo>> pairs =
                IntStream.range(1, regions.size())
                    .mapToObj(i -> regions.subList(i - 1, i + 1))
                    .filter(pair -> pair.stream().allMatch(this::isSettled))
                    .toList();
            byte[][] pair =
                anyOf(pairs, random).stream()
                    .map(RegionInfo::getEncodedNameAsBytes)
                    .toArray(byte[][]::new);
            var unused = admin.mergeRegionsAsync(pair, false);
          }
        });
  }

  private boolean isSettled(RegionInfo region) {
    Long then = moved.get(region.getEncodedName());
    return then == null || System.nanoTime() - then > REMEMBERED.toNanos();
  }

  private static <T> T anyOf(List<T> settled, Random random) throws IOException {
    if (settled.isEmpty()) {
      throw new IOException("all regions were moved a moment ago");
    }
    return Fault.any(settled, random);
  }

  private byte[] anyRow(TableName name, RegionInfo region, Random random) throws IOException {
    Scan keys =
        new Scan()
            .withStartRow(region.getStartKey())
            .withStopRow(region.getEndKey())
            .setFilter(new FirstKeyOnlyFilter());
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
      return Fault.any(rows, random);
    }
  }

  private void move(Random random) throws IOException {
    with(
        random,
        (admin, table) ->
            move(admin, Fault.any(admin.getRegions(table), random), anyServer(admin, random)));
  }

  private static ServerName anyServer(Admin admin, Random random) throws IOException {
    return Fault.any(List.copyOf(admin.getRegionServers(true)), random);
  }

  private void move(Admin admin, RegionInfo region, ServerName server) throws IOException {
    moved.put(region.getEncodedName(), System.nanoTime());
    admin.move(region.getEncodedNameAsBytes(), server);
  }

  /** Has one server take half of the regions, and the balancer take some away again. */
  private void balance(Random random) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      ServerName crowded = anyServer(admin, random);
      List<RegionInfo> regions = new ArrayList<>(admin.getRegions(base));
      Collections.shuffle(regions, random);
      for (RegionInfo region : regions.subList(0, regions.size() / 2)) {
        move(admin, region, crowded);
      }
      boolean on = admin.balancerSwitch(true, true);
      try {
        if (!admin
            .balance(BalanceRequest.newBuilder().setIgnoreRegionsInTransition(true).build())
            .isBalancerRan()) {
          throw new IOException("the balancer did not run");
        }
      } finally {
        admin.balancerSwitch(on, false);
      }
    }
  }
}
