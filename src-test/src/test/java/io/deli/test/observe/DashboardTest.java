package io.deli.test.observe;

import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.DeliSettings;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.tools.DeliCommand;
import io.deli.tools.Session;
import io.deli.tools.Target;
import io.deli.tools.dashboard.Dashboard;
import io.deli.tools.embedded.DataDirectory;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The web page, over HTTP and, where there is one, in a browser. */
class DashboardTest {
  private static final String HOSTILE = "<script>document.title='taken'</script>";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private static Path home;
  private static TableName table;
  private static Dashboard dashboard;

  @BeforeAll
  static void serve() throws Exception {
    try (ClientTable shown =
        ClientTable.createIndexed(TestTable.describe("dashboard", 1), TestTable.byQ())) {
      table = shown.name();
      shown.client().put(List.of(put("r1", "red"), put("r2", "red"), put("r3", HOSTILE)));
      shown.client().put(put("r2", "blue"));
    }
    dashboard = start(home);
  }

  private static Target target() {
    return new Target(
        Optional.of(MiniCluster.zooKeeper()),
        Optional.empty(),
        new DataDirectory(Path.of("unused")));
  }

  @AfterAll
  static void stop() throws IOException {
    if (dashboard != null) {
      dashboard.close();
    }
  }

  private static HttpRequest.Builder request(String path) {
    return request(dashboard, path);
  }

  private static HttpRequest.Builder request(Dashboard asked, String path) {
    return HttpRequest.newBuilder(URI.create(asked.address() + path))
        .timeout(Duration.ofMinutes(2));
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return get(dashboard, path);
  }

  private static HttpResponse<String> get(Dashboard asked, String path) throws Exception {
    HttpRequest request = request(asked, path).header(Dashboard.OWN_HEADER, "test").build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  private static JsonObject json(String path) throws Exception {
    return json(dashboard, path);
  }

  private static JsonObject json(Dashboard asked, String path) throws Exception {
    HttpResponse<String> answer = get(asked, path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  private static String of(String parameters) {
    return "?table=" + table.getNameAsString() + parameters;
  }

  @Test
  void listsTablesAndIndexes() throws Exception {
    String tables = json("/api/tables").toString();
    assertThat(tables)
        .contains("\"table\":\"" + table + "\",\"regions\":1,")
        .contains(
            "\"index\":\"by_q\",\"column\":\"f:q\",\"type\":\"BYTES\",\"strategy\":\"deferred\"")
        .contains("\"state\":\"ACTIVE\"");
  }

  /** One whose definitions are of a newer DELI, say. */
  @Test
  void aTableThatCannotBeReadHidesNoOther() throws Exception {
    TableName newer =
        TestTable.createAsOperator(
                TestTable.describe("newer", 1)
                    .setValue("deli.index.future", "{\"version\":99,\"name\":\"future\"}"),
                List.of())
            .name();
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      String tables = json("/api/tables").toString();
      assertThat(tables).contains("\"table\":\"" + table + "\",\"regions\":1,");
      assertThat(tables).containsPattern("\"table\":\"" + newer + "\"[^}]*upgrade");
      assertThat(json("/api/tables" + of("")).toString()).doesNotContain(newer.getNameAsString());
      admin.disableTable(newer);
      admin.deleteTable(newer);
    }
  }

  @Test
  void countsEntriesAndGarbage() throws Exception {
    JsonObject statistics = json("/api/statistics" + of("&index=by_q"));
    assertThat(statistics.get("entries").getAsLong()).isEqualTo(4);
    assertThat(statistics.get("garbageRatio").getAsDouble()).isEqualTo(0.25);
  }

  @Test
  void keepsWhatItSawOfAnIndex(@TempDir Path kept) throws Exception {
    String history = "/api/history" + of("&index=by_q");
    try (Dashboard first = start(kept);
        Dashboard second = start(kept)) {
      json(first, "/api/tables");
      json(first, "/api/statistics" + of("&index=by_q"));
      JsonObject none = json(second, history);
      assertThat(none.getAsJsonArray("points")).isEmpty();
      assertThat(none.get("lack").getAsString()).contains("another dashboard keeps it");
    }
    try (Dashboard later = start(kept)) {
      JsonObject known = json(later, history);
      assertThat(known.get("lack").getAsString()).isEmpty();
      assertThat(known.getAsJsonArray("points").toString())
          .contains("\"state\":\"ACTIVE\"", "\"garbage\":0.25", "\"time\":");
    }
  }

  private static Dashboard start(Path home) {
    return Dashboard.start(
        0,
        home,
        MiniCluster.configuration(),
        () -> new DeliCommand(Terminal.system()).openToRead(target()));
  }

  @Test
  void tellsWhenRegionsWereCollected() throws Exception {
    JsonObject region =
        json("/api/regions" + of("")).getAsJsonArray("regions").get(0).getAsJsonObject();
    assertThat(region.get("server").getAsString()).isNotEmpty();
    assertThat(region.has("compacted")).as("nothing was compacted yet").isFalse();
  }

  @Test
  void answersQueriesWithoutMarkup() throws Exception {
    JsonObject red = json("/api/query" + of("&index=by_q&kind=equal&value=red"));
    assertThat(red.getAsJsonArray("hits")).hasSize(1);
    assertThat(red.toString()).contains("\"row\":\"r1\"", "\"limited\":false");
    String all = get("/api/query" + of("&index=by_q&kind=atLeast&value=&limit=2")).body();
    assertThat(all).contains("\\u003cscript").doesNotContain("<").contains("\"limited\":true");
  }

  @Test
  void refusesWhatIsWrong() throws Exception {
    assertThat(get("/api/query" + of("&index=none&value=x")).statusCode()).isEqualTo(400);
    assertThat(get("/api/query" + of("&index=by_q&value=x&limit=100000")).body())
        .contains("give a number from 1 to 200");
    assertThat(get("/api/query").body()).contains("lacks");
    assertThat(get("/api/nothing").statusCode()).isEqualTo(404);
    assertThat(get("/../pom.xml").statusCode()).isEqualTo(404);
  }

  @Test
  void onlyReads() throws Exception {
    for (String method : List.of("POST", "PUT", "DELETE")) {
      HttpRequest request =
          request("/api/tables").method(method, BodyPublishers.ofString("{}")).build();
      assertThat(CLIENT.send(request, BodyHandlers.ofString()).statusCode())
          .as(method)
          .isEqualTo(405);
    }
  }

  /** Not even an entry that a query finds stale is reported to its region. */
  @Test
  void hasNothingRepaired() throws IOException {
    try (Session session = new DeliCommand(Terminal.system()).openToRead(target())) {
      assertThat(DeliSettings.REPAIR_QUEUE.get(session.connection().getConfiguration())).isZero();
    }
  }

  @Test
  void answersNoOtherSite() throws Exception {
    HttpRequest foreign = request("/").header("Sec-Fetch-Site", "cross-site").build();
    HttpRequest old = request("/api/tables").build(); // of a browser that does not say
    assertThat(CLIENT.send(old, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    assertThat(CLIENT.send(foreign, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    assertThat(statusFor("attacker.example")).contains(" 403 ");
    assertThat(statusFor("localhost.attacker.example:80")).contains(" 403 ");
    assertThat(statusFor("127.0.0.1")).contains(" 200 ");
  }

  /** The status line of a request under a host name that the HTTP client would not send. */
  private static String statusFor(String host) throws IOException {
    URI address = URI.create(dashboard.address());
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      String request = "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.lines().findFirst().orElse("");
    }
  }

  @Test
  void loadsNothingFromElsewhere() throws Exception {
    HttpResponse<String> page = get("/");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'none'");
    for (String file : List.of("/", "/dashboard.js", "/dashboard.css")) {
      assertThat(get(file).body()).as(file).isNotEmpty().doesNotContain("http:", "https:");
    }
    assertThat(get("/dashboard.js").body()).doesNotContain("innerHTML");
  }

  @Test
  void cellsDoNotBreakWithinWords() throws Exception {
    assertThat(get("/dashboard.css").body()).doesNotContain("overflow-wrap: anywhere");
  }

  /** JavaScript's numbers have 53 bits. */
  @Test
  @ExtendWith(Chromium.Condition.class)
  void showsTimestampsThatAreNoDateAsTheyAre() throws Exception {
    long timestamp = (1L << 53) + 1;
    try (ClientTable shown =
        ClientTable.createIndexed(TestTable.describe("timestamps", 1), TestTable.byQ())) {
      shown.client().put(put("r", timestamp, "v"));
      String link = "/#table=" + shown.name() + "&index=by_q&kind=equal&value=v";
      assertThat(Chromium.page(dashboard.address() + link, "data-found=\"true\""))
          .contains("<td title=\"%1$d ms\" class=\"time\">%1$d</td>".formatted(timestamp));
    }
  }

  @Test
  @ExtendWith(Chromium.Condition.class)
  void showsIndexesAndHitsInABrowser() throws Exception {
    String value = URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8).replace("+", "%20");
    String link = "/#table=" + table.getNameAsString() + "&index=by_q&kind=equal&value=" + value;
    String page = Chromium.page(dashboard.address() + link, "data-found=\"true\"");
    assertThat(page)
        .contains("<td class=\"ACTIVE\">ACTIVE</td>")
        .contains("<td>" + table + "</td><td>by_q</td>")
        .contains("<td class=\"number\">25.0 %</td>")
        .contains("<td>r3</td><td>&lt;script&gt;document.title='taken'&lt;/script&gt;</td>")
        .containsPattern("<td title=\"\\d{13} ms\" class=\"time\">\\d{4}-\\d\\d-\\d\\d \\d\\d:")
        .contains("<td>" + table + "</td><td>by_q</td><td title=")
        .containsPattern("aria-label=\"last 25.0 %\"><polyline points=\"[\\d.]+,[\\d.]+")
        .contains("<title>DELI indexes</title>");
  }
}
