package io.deli.lab.soak;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * The gauges of a region server at {@code /jmx} of its info server.
 *
 * @param heapBytes in use, garbage included
 * @param queuedCalls that wait for a handler
 */
record ServerGauges(long heapBytes, long queuedCalls) {
  private static final String MEMORY = "java.lang:type=Memory";
  private static final String CALLS = "Hadoop:service=HBase,name=RegionServer,sub=IPC";

  /** The gauges of all region servers that have an info server and answer. */
  static Map<ServerName, ServerGauges> ofAll(Admin admin) throws IOException {
    Map<ServerName, ServerGauges> all = new TreeMap<>();
    for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
      if (server.getInfoServerPort() > 0) {
        of(server).ifPresent(gauges -> all.put(server.getServerName(), gauges));
      }
    }
    return all;
  }

  /** None in moments when HBase fills its beans anew, as it does when regions come or go. */
  private static Optional<ServerGauges> of(ServerMetrics server) throws IOException {
    String jmx =
        "http://%s:%d/jmx?qry="
            .formatted(server.getServerName().getHostname(), server.getInfoServerPort());
    Optional<Long> heap =
        attribute(jmx + MEMORY, "HeapMemoryUsage")
            .map(usage -> usage.getAsJsonObject().get("used").getAsLong());
    Optional<Long> calls =
        attribute(jmx + CALLS, "numCallsInGeneralQueue").map(JsonElement::getAsLong);
    return heap.flatMap(bytes -> calls.map(queued -> new ServerGauges(bytes, queued)));
  }

  private static Optional<JsonElement> attribute(String bean, String name) throws IOException {
    try (Reader in =
        new InputStreamReader(URI.create(bean).toURL().openStream(), StandardCharsets.UTF_8)) {
      JsonArray beans = JsonParser.parseReader(in).getAsJsonObject().getAsJsonArray("beans");
      return beans.isEmpty()
          ? Optional.empty()
          : Optional.ofNullable(beans.get(0).getAsJsonObject().get(name));
    }
  }
}
