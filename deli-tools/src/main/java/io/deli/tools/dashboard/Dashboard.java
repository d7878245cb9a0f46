package io.deli.tools.dashboard;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/**
 * A web page about the tables with indexes of one HBase, on the loopback address. It reads only;
 * what it saw of indexes, every five minutes and when a page is loaded, it keeps for 30 days.
 *
 * <p>Requests must name a local host, so that no other site's page can reach it under a name of its
 * own, and must not come from another site's page. What it answers loads nothing from elsewhere.
 */
public final class Dashboard implements AutoCloseable {
  /** Another site's page cannot send it unless a preflight allows it, which none does. */
  public static final String OWN_HEADER = "X-Deli-Dashboard";

  private static final int THREADS = 4;
  private static final int NOTED_MINUTES = 5;
  private static final int NOT_ALLOWED = 405;
  private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final Map<String, String> FILES =
      Map.of(
          "/", "index.html",
          "/dashboard.js", "dashboard.js",
          "/dashboard.css", "dashboard.css");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "json", "application/json; charset=utf-8");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, Dashboard::thread);
  private final Timer noting = new Timer("deli-history", true);
  private final Answers answers;

  private Dashboard(HttpServer server, Answers answers) {
    this.server = server;
    this.answers = answers;
  }

  /**
   * Starts to serve.
   *
   * @param port 0 takes any free one
   * @param home where it keeps its {@code history}
   * @param conf says by HBase's keys whether who asks must show a Kerberos ticket
   * @param sessions opens the session that the page reads by, when it is first needed
   * @throws Failure if the port is taken, or no ticket can be checked
   */
  public static Dashboard start(
      int port, Path home, Configuration conf, Supplier<Session> sessions) {
    Optional<Authenticator> guard = Spnego.of(conf);
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "port %d is not free: stop what uses it, or choose another for the dashboard (0 takes any free port)"
              .formatted(port),
          e);
    }
    Dashboard dashboard = new Dashboard(server, new Answers(sessions, home.resolve("history")));
    server.setExecutor(dashboard.threads);
    HttpContext page = server.createContext("/", dashboard::serve);
    guard.ifPresent(page::setAuthenticator);
    server.start();
    dashboard.noting.schedule(
        new TimerTask() {
          @Override
          public void run() {
            dashboard.answers.to(Answers.ROOT + "tables", "");
          }
        },
        TimeUnit.MINUTES.toMillis(1),
        TimeUnit.MINUTES.toMillis(NOTED_MINUTES));
    return dashboard;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "deli-dashboard");
    thread.setDaemon(true);
    return thread;
  }

  public String address() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (!isLocal(exchange.getRequestHeaders().getFirst("Host"))) {
        refuse(exchange, 403, "this page answers to localhost only");
      } else if (!isOwn(exchange.getRequestHeaders().getFirst("Sec-Fetch-Site"))) {
        refuse(exchange, 403, "this page answers no other site");
      } else if (!exchange.getRequestMethod().equals("GET")) {
        refuse(exchange, NOT_ALLOWED, "this page only reads: GET");
      } else if (FILES.containsKey(path)) {
        file(exchange, FILES.get(path));
      } else if (path.startsWith(Answers.ROOT)
          && !exchange.getRequestHeaders().containsKey(OWN_HEADER)) {
        refuse(exchange, 403, "only this page's own script asks here, by the header " + OWN_HEADER);
      } else if (path.startsWith(Answers.ROOT)) {
        Answers.Answer answer = answers.to(path, exchange.getRequestURI().getRawQuery());
        send(exchange, answer.status(), "json", answer.json());
      } else {
        refuse(exchange, 404, "there is nothing here");
      }
    }
  }

  private static boolean isLocal(String host) {
    return host != null && HOSTS.contains(host.replaceFirst(":[0-9]+$", ""));
  }

  /** Browsers say where a request comes from; a person's own is from nowhere. */
  private static boolean isOwn(String site) {
    return site == null || site.equals("same-origin") || site.equals("none");
  }

  private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
    send(exchange, status, "json", Answers.error(status, why).json());
  }

  private static void file(HttpExchange exchange, String name) throws IOException {
    try (InputStream file = Dashboard.class.getResourceAsStream(name)) {
      send(exchange, 200, name.substring(name.indexOf('.') + 1), file.readAllBytes());
    }
  }

  private static void send(HttpExchange exchange, int status, String kind, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", TYPES.get(kind));
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
    exchange
        .getResponseHeaders()
        .set(
            "Content-Security-Policy",
            "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src"
                + " 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /** Stops at once; answers under way are lost. */
  @Override
  public void close() throws IOException {
    server.stop(0);
    noting.cancel();
    threads.shutdownNow();
    answers.close();
  }
}
