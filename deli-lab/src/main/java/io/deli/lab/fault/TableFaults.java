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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

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

  /**
   * How long a server tells where a region moved. It does so, too, of one that came back and was
   * split since: two servers then send clients to one another, and nothing is written for so long.
   */
  private static final Duration REMEMBERED = Duration.ofMinutes(2);

  /** How long the master takes at most to refuse a split or merge of regions. */
  private static final Duration REFUSAL = Duration.ofMillis(500);

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

  /** The names of all. */
  public static Set<String> names() {
    // None of these is run.
    return new TableFaults(null, null).all().stream().map(Fault::name).collect(Collectors.toSet());
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
        Fault.of("split", this::split),
        Fault.of("merge", this::merge),
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

  private void split(Random random) throws IOException {
    change(
        1,
        random,
        (admin, regions) -> {
          RegionInfo region = regions.get(0);
          return admin.splitRegionAsync(region.getRegionName(), anyRow(region, random));
        });
  }

  private void merge(Random random) throws IOException {
    change(
        2,
        random,
        (admin, regions) ->
            admin.mergeRegionsAsync(
                regions.stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new),
                false));
  }

  private interface Change {
    Future<Void> of(Admin admin, List<RegionInfo> neighbours) throws IOException;
  }

  /** Changes some neighbours that HBase does not refuse, as it does while they have references. */
  private void change(int count, Random random, Change change) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      IOException refused = new IOException("all regions were moved a moment ago");
      for (List<RegionInfo> neighbours : settled(admin, count, random)) {
        try {
          FutureUtils.get(change.of(admin, neighbours), REFUSAL.toMillis(), TimeUnit.MILLISECONDS);
          return;
        } catch (TimeoutIOException e) {
          // It goes on beside the next faults.
          return;
        } catch (IOException e) {
          refused = e;
        }
      }
      throw refused;
    }
  }

  /** The settled neighbours of {@link #any} table, then of the base table, each in any order. */
  private List<List<RegionInfo>> settled(Admin admin, int count, Random random) throws IOException {
    List<List<RegionInfo>> all = new ArrayList<>();
    for (TableName table : List.of(any(admin, base, random), base)) {
      List<RegionInfo> regions = admin.getRegions(table);
      List<List<RegionInfo>> settled =
          IntStream.rangeClosed(count, regions.size())
              .mapToObj(end -> regions.subList(end - count, end))
              .filter(neighbours -> neighbours.stream().allMatch(this::isSettled))
              .collect(Collectors.toCollection(ArrayList::new));
      Collections.shuffle(settled, random);
      all.addAll(settled);
    }
    return all;
  }

  private boolean isSettled(RegionInfo region) {
    Long then = moved.get(region.getEncodedName());
    return then == null || System.nanoTime() - then > REMEMBERED.toNanos();
  }

  /** A row that is not the region's first possible one. */
  private byte[] anyRow(RegionInfo region, Random random) throws IOException {
    Scan keys =
        new Scan()
            .withStartRow(region.getStartKey())
            .withStopRow(region.getEndKey())
            .setFilter(new FirstKeyOnlyFilter());
    try (Table table = connection.getTable(region.getTable());
        ResultScanner scanner = table.getScanner(keys)) {
      List<byte[]> rows = new ArrayList<>();
      // Its iterator would hide that the table does not answer now.
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row.getRow());
      }
      rows.removeIf(row -> Bytes.equals(row, region.getStartKey()));
      if (rows.isEmpty()) {
        throw new IOException(region + " has no row to split at");
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

  /**
   * Has one server take half of the regions, and the balancer take some away again. They are
   * neighbours, so that others stay neighbours that may be merged.
   */
  private void balance(Random random) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      ServerName crowded = anyServer(admin, random);
      List<RegionInfo> regions = admin.getRegions(base);
      int half = regions.size() / 2;
      int first = random.nextBoolean() ? 0 : regions.size() - half;
      for (RegionInfo region : regions.subList(first, first + half)) {
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
