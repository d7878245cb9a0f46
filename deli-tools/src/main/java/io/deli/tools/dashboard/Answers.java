package io.deli.tools.dashboard;

import io.deli.tools.Failure;
import io.deli.tools.Failures;
import io.deli.tools.Session;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/** Answers the page's requests in JSON. Thread-safe. */
final class Answers implements AutoCloseable {
  static final String ROOT = "/api/";

  private static final int WRONG = 400;
  private static final int MISSING = 404;
  private static final int BUSY = 503;

  /** Writes no character that HTML has a meaning for. */
  private static final Gson GSON = new Gson();

  private final Supplier<Session> sessions;
  private final Path directory;
  private final Semaphore counting = new Semaphore(1);
  private Session session;
  private IndexHistory history;

  /**
   * @param directory of the history
   */
  Answers(Supplier<Session> sessions, Path directory) {
    this.sessions = sessions;
    this.directory = directory;
  }

  record Answer(int status, byte[] json) {}

  static Answer error(int status, String message) {
    return answer(status, Map.of("error", message));
  }

  private static Answer answer(int status, Object content) {
    return new Answer(status, GSON.toJson(content).getBytes(StandardCharsets.UTF_8));
  }

  /** Never fails: what goes wrong is an answer, too. */
  Answer to(String path, String query) {
    try {
      Parameters asked = Parameters.of(query);
      return switch (path.substring(ROOT.length())) {
        case "tables" -> answer(200, overview().tables(asked));
        case "statistics" -> statistics(asked);
        case "regions" -> answer(200, overview().regions(asked));
        case "query" -> answer(200, overview().hits(asked));
        case "history" -> answer(200, overview().history(asked));
        default -> error(MISSING, "there is nothing here");
      };
    } catch (IOException | RuntimeException e) {
      return error(WRONG, Failures.explain(e).getMessage());
    }
  }

  /** One at a time, for it reads all of an index. */
  private Answer statistics(Parameters asked) throws IOException {
    if (!counting.tryAcquire()) {
      return error(BUSY, "another index is being counted: try again when that is done");
    }
    try {
      return answer(200, overview().statistics(asked));
    } finally {
      counting.release();
    }
  }

  private synchronized Overview overview() throws IOException {
    if (session == null) {
      session = sessions.get();
    }
    if (history == null) {
      try (Admin admin = session.connection().getAdmin()) {
        String cluster = admin.getClusterMetrics(EnumSet.of(Option.CLUSTER_ID)).getClusterId();
        history = IndexHistory.open(directory, cluster, InstantSource.system());
      }
    }
    return new Overview(session, history);
  }

  @Override
  public synchronized void close() throws IOException {
    if (history != null) {
      history.close();
    }
    if (session != null) {
      session.close();
    }
  }

  record Parameters(Map<String, String> values) {
    static Parameters of(String query) {
      Map<String, String> values = new TreeMap<>();
      Arrays.stream(query == null ? new String[0] : query.split("&"))
          .map(pair -> pair.split("=", 2))
          .filter(pair -> pair.length == 2)
          .forEach(pair -> values.put(decoded(pair[0]), decoded(pair[1])));
      return new Parameters(values);
    }

    private static String decoded(String text) {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    String get(String name) {
      String value = values.get(name);
      if (value == null) {
        throw Failure.usage("the request lacks '" + name + "'");
      }
      return value;
    }

    String get(String name, String fallback) {
      return values.getOrDefault(name, fallback);
    }
  }
}
