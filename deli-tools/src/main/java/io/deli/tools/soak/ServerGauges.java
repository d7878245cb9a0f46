package io.deli.tools.soak;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * What a region server says of itself at {@code /jmx} of its info server.
 *
 * @param heapBytes in use, garbage included
 * @param queuedCalls that wait for a handler
 */
record ServerGauges(long heapBytes, long queuedCalls) {
  private static final String MEMORY = "java.lang:type=Memory";
  private static final String CALLS = "Hadoop:service=HBase,name=RegionServer,sub=IPC";

  /** Those of all region servers that have an info server. */
  static Map<ServerName, ServerGauges> ofAll(Admin admin) throws IOException {
    Map<ServerName, ServerGauges> all = new TreeMap<>();
    for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
      if (server.getInfoServerPort() > 0) {
        all.put(server.getServerName(), of(server));
      }
    }
    return all;
  }

  private static ServerGauges of(ServerMetrics server) throws IOException {
    String jmx =
        "http://%s:%d/jmx?qry="
            .formatted(server.getServerName().getHostname(), server.getInfoServerPort());
    return new ServerGauges(
        bean(jmx + MEMORY).getAsJsonObject("HeapMemoryUsage").get("used").getAsLong(),
        bean(jmx + CALLS).get("queueSize").getAsLong());
  }

  private static JsonObject bean(String address) throws IOException {
    try (Reader in =
        new InputStreamReader(URI.create(address).toURL().openStream(), StandardCharsets.UTF_8)) {
      return JsonParser.parseReader(in)
          .getAsJsonObject()
          .getAsJsonArray("beans")
          .get(0)
          .getAsJsonObject();
    }
  }
}
