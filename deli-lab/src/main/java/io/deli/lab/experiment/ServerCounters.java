package io.deli.lab.experiment;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The counters of all region servers, from {@code /prometheus} of their info servers: unlike {@code
 * /jmx}, which shows values some seconds old, it asks for them anew. Zeros where there are no info
 * servers.
 */
public record ServerCounters(long blocksCached, long blocksFromFiles) {
  private static final int ATTEMPTS = 100;
  private static final long PAUSE_NANOS = 100_000_000;
  private static final String METRICS = "server_block_cache_";
  private static final String HITS = METRICS + "hit_count{";
  private static final String MISSES = METRICS + "miss_count{";

  public static ServerCounters of(Connection connection) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
        if (server.getInfoServerPort() > 0) {
          lines.addAll(lines(server.getServerName().getHostname(), server.getInfoServerPort()));
        }
      }
    }
    return of(lines);
  }

  static ServerCounters of(List<String> lines) {
    return new ServerCounters(sum(lines, HITS), sum(lines, MISSES));
  }

  /**
   * Asks again in moments when HBase fills its metrics anew, as it does when regions come or go.
   */
  private static List<String> lines(String host, int port) throws IOException {
    URI page = URI.create("http://%s:%d/prometheus?qry=%s".formatted(host, port, METRICS));
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<String> lines = lines(page);
      if (has(lines, HITS) && has(lines, MISSES)) {
        return lines;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new IOException(page + " does not tell what the block cache counted");
  }

  private static List<String> lines(URI page) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(page.toURL().openStream(), StandardCharsets.UTF_8))) {
      return in.lines().filter(line -> line.startsWith(METRICS)).toList();
    } catch (FileNotFoundException e) {
      throw new IOException(
          page + " is not there, so blocks cannot be counted: HBase has had it since 2.6", e);
    }
  }

  private static boolean has(List<String> lines, String counter) {
    return lines.stream().anyMatch(line -> line.startsWith(counter));
  }

  private static long sum(List<String> lines, String counter) {
    return lines.stream()
        .filter(line -> line.startsWith(counter))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  public ServerCounters since(ServerCounters before) {
    return new ServerCounters(
        blocksCached - before.blocksCached, blocksFromFiles - before.blocksFromFiles);
  }

  /** Blocks that readers looked into, wherever they came from. */
  public long blocks() {
    return blocksCached + blocksFromFiles;
  }
}
