package io.deli.lab.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Looks at the client's and the region servers' memory and queues. Not thread-safe. */
final class Watch implements AutoCloseable {
  private static final String CLIENT = "client";

  private final Admin admin;
  private final Map<String, HeapFloor> heaps = new TreeMap<>();
  private long queuedCalls;

  Watch(Connection connection) throws IOException {
    admin = connection.getAdmin();
  }

  void look() throws IOException {
    heap(CLIENT).add(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    for (Map.Entry<ServerName, ServerGauges> server : ServerGauges.ofAll(admin).entrySet()) {
      heap(server.getKey().toShortString()).add(server.getValue().heapBytes());
      queuedCalls = Math.max(queuedCalls, server.getValue().queuedCalls());
    }
  }

  private HeapFloor heap(String process) {
    return heaps.computeIfAbsent(process, p -> new HeapFloor());
  }

  List<SoakReport.Heap> heaps() {
    return heaps.entrySet().stream()
        .map(
            heap ->
                new SoakReport.Heap(
                    heap.getKey(),
                    heap.getValue().bytes(1),
                    heap.getValue().bytes(2),
                    heap.getValue().isFlat()))
        .toList();
  }

  long queuedCalls() {
    return queuedCalls;
  }

  @Override
  public void close() throws IOException {
    admin.close();
  }
}
