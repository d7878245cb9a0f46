package io.deli.lab.soak;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Looks at the client's and the region servers' memory and queues. Not thread-safe. */
final class Watch implements AutoCloseable {
  private static final String CLIENT = "client";
  private static final String MEMORY = "java.lang:type=Memory";
  private static final String CALLS = "Hadoop:service=HBase,name=RegionServer,sub=IPC";
  private static final double GROWTH = 1.25;
  private static final long SLACK_BYTES = 32L << 20;

  private final Admin admin;

  /** Bytes in use, garbage included, at each look. */
  private final Map<String, List<Long>> heaps = new TreeMap<>();

  private long queuedCalls;

  Watch(Connection connection) throws IOException {
    admin = connection.getAdmin();
  }

  void look() throws IOException {
    add(CLIENT, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
      if (server.getInfoServerPort() > 0) {
        look(server);
      }
    }
  }

  private void add(String process, long bytes) {
    heaps.computeIfAbsent(process, p -> new ArrayList<>()).add(bytes);
  }

  /** Takes nothing in moments when HBase fills its beans anew, as when regions come or go. */
  private void look(ServerMetrics server) throws IOException {
    Optional<JsonElement> heap = attribute(server, MEMORY, "HeapMemoryUsage");
    Optional<JsonElement> calls = attribute(server, CALLS, "numCallsInGeneralQueue");
    if (heap.isPresent() && calls.isPresent()) {
      long used = heap.get().getAsJsonObject().get("used").getAsLong();
      add(server.getServerName().toShortString(), used);
      queuedCalls = Math.max(queuedCalls, calls.get().getAsLong());
    }
  }

  private static Optional<JsonElement> attribute(ServerMetrics server, String bean, String name)
      throws IOException {
    String page =
        "http://%s:%d/jmx?qry=%s"
            .formatted(server.getServerName().getHostname(), server.getInfoServerPort(), bean);
    try (Reader in =
        new InputStreamReader(URI.create(page).toURL().openStream(), StandardCharsets.UTF_8)) {
      JsonArray beans = JsonParser.parseReader(in).getAsJsonObject().getAsJsonArray("beans");
      return beans.isEmpty()
          ? Optional.empty()
          : Optional.ofNullable(beans.get(0).getAsJsonObject().get(name));
    }
  }

  List<SoakReport.Heap> heaps() {
    List<SoakReport.Heap> all = new ArrayList<>();
    heaps.forEach(
        (process, samples) -> {
          long middle = held(samples, 1);
          long last = held(samples, 2);
          boolean flat = last <= middle * GROWTH + SLACK_BYTES;
          all.add(new SoakReport.Heap(process, middle, last, flat));
        });
    return all;
  }

  /**
   * The bytes that were held in a third of the time: the first, when caches still fill, the second
   * or the third. Right after a collection there is no garbage, so the least of many samples is
   * what is held.
   */
  private static long held(List<Long> samples, int third) {
    int from = samples.size() * third / 3;
    int to = samples.size() * (third + 1) / 3;
    return samples.subList(from, to).stream().mapToLong(Long::longValue).min().orElse(0);
  }

  long queuedCalls() {
    return queuedCalls;
  }

  @Override
  public void close() throws IOException {
    admin.close();
  }
}
