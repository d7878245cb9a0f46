package io.deli.test.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/**
 * What conf/grafana-deli.json and docs/reference.md name is what HBase's own endpoint answers,
 * after writes and a collection.
 */
class GrafanaTest {
  private static final String PREFIX =
      "coprocessor_region_cp_io_deli_coprocessor_deli_region_observer_";

  private static final Pattern NAME = Pattern.compile(PREFIX + "[a-z0-9_]+");

  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Test
  @SuppressWarnings("deprecation") // nothing else tells the port
  void everyNameIsAnswered() throws Exception {
    work();
    MiniCluster.temporaryDirectory();
    InfoServer server =
        new InfoServer("regionserver", "127.0.0.1", 0, true, MiniCluster.configuration());
    server.start();
    try {
      URI endpoint = URI.create("http://127.0.0.1:" + server.getPort() + "/prometheus");
      Set<String> shown = names(dashboard().toString());
      assertThat(shown).hasSizeGreaterThan(15);
      Set<String> documented = documented(metric -> true);
      assertThat(shown).containsAll(documented(MetricsPage.Metric::watched));
      // HBase looks for new metrics every ten seconds.
      Eventually.holdsElsewhere(
          () -> {
            String answer = get(endpoint);
            assertThat(names(answer)).containsAll(shown).containsAll(documented);
            assertThat(answer).containsPattern(PREFIX + "collections\\{[^}]*} [1-9]");
          });
    } finally {
      server.stop();
    }
  }

  private static Set<String> documented(Predicate<MetricsPage.Metric> which) throws IOException {
    return MetricsPage.below("Region servers").stream()
        .filter(which)
        .map(metric -> PREFIX + snake(metric))
        .collect(Collectors.toSet());
  }

  private static JsonObject dashboard() throws IOException {
    Path file = Path.of(System.getProperty("deli.root"), "conf", "grafana-deli.json");
    return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
  }

  private static String snake(MetricsPage.Metric metric) {
    String snake = metric.name().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    return metric.kind().startsWith("timer") ? snake + "_num_ops" : snake;
  }

  private static Set<String> names(String text) {
    Matcher matcher = NAME.matcher(text);
    Set<String> names = new TreeSet<>();
    while (matcher.find()) {
      names.add(matcher.group());
    }
    return names;
  }

  private static String get(URI endpoint) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(endpoint).timeout(Duration.ofMinutes(1)).build(),
            BodyHandlers.ofString())
        .body();
  }

  /** Writes to an index of each maintenance, and collects. */
  private static void work() throws Exception {
    IndexDefinition byClients = IndexDefinition.on("a", Column.of(FAMILY, Bytes.toBytes("a")));
    IndexDefinition byServers =
        IndexDefinition.on("b", Column.of(FAMILY, Bytes.toBytes("b")))
            .withMaintenance(Maintenance.SERVER);
    try (ClientTable table =
        ClientTable.createIndexed(TestTable.describe("grafana", 1), byClients, byServers)) {
      for (String value : new String[] {"old", "new"}) {
        table
            .client()
            .put(
                new Put(Bytes.toBytes("r"))
                    .addColumn(FAMILY, Bytes.toBytes("a"), Bytes.toBytes(value))
                    .addColumn(FAMILY, Bytes.toBytes("b"), Bytes.toBytes(value)));
      }
      table.collect();
    }
  }
}
