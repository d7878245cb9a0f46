package io.deli.tools.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * The facts of each index over the last 30 days, in a file that one dashboard at a time may keep.
 * Without that file it is empty, and says why. Thread-safe.
 */
final class IndexHistory implements AutoCloseable {
  private static final Duration KEPT = Duration.ofDays(30);
  private static final int MOST = 500;
  private static final Gson GSON = new Gson();

  private final InstantSource clock;
  private final Optional<MVStore> store;
  private volatile String lack;

  private IndexHistory(InstantSource clock, Optional<MVStore> store, String lack) {
    this.clock = clock;
    this.store = store;
    this.lack = lack;
  }

  /** Opens or begins the history of a cluster, of which nothing is lost by a crash but seconds. */
  static IndexHistory open(Path directory, String cluster, InstantSource clock) {
    Path file = directory.resolve(cluster + ".history");
    try {
      Files.createDirectories(directory);
      MVStore store = new MVStore.Builder().fileName(file.toString()).compress().open();
      return new IndexHistory(clock, Optional.of(store), "");
    } catch (IOException | MVStoreException e) {
      String why =
          e instanceof MVStoreException
              ? "another dashboard keeps it, or it is damaged"
              : e.getMessage();
      return new IndexHistory(
          clock, Optional.empty(), "history %s cannot be used: %s".formatted(file, why));
    }
  }

  /** Adds facts of an index, of now. */
  void note(String table, String index, Map<String, ?> facts) {
    use(open -> note(open.openMap(name(table, index)), GSON.toJson(facts)));
  }

  private synchronized void note(MVMap<Long, String> points, String point) {
    long now = clock.millis();
    // Facts of one moment do not take each other's place.
    points.put(Math.max(now, points.isEmpty() ? 0 : points.lastKey() + 1), point);
    for (Long first = points.firstKey();
        first != null && first < now - KEPT.toMillis();
        first = points.firstKey()) {
      points.remove(first);
    }
  }

  /**
   * Returns the facts of an index in order of time, put together to at most 500 points, of which
   * each has the latest of each kind.
   */
  Map<String, Object> of(String table, String index) {
    List<JsonObject> told = new ArrayList<>();
    use(
        open -> {
          if (open.hasMap(name(table, index))) {
            told.addAll(together(open.openMap(name(table, index))));
          }
        });
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("points", told);
    answer.put("lack", lack);
    return answer;
  }

  private static List<JsonObject> together(MVMap<Long, String> points) {
    List<JsonObject> told = new ArrayList<>();
    long left = points.sizeAsLong();
    long step = left / MOST + 1;
    JsonObject gathered = new JsonObject();
    for (Map.Entry<Long, String> each : points.entrySet()) {
      JsonObject facts = GSON.fromJson(each.getValue(), JsonObject.class);
      for (Map.Entry<String, JsonElement> fact : facts.entrySet()) {
        gathered.add(fact.getKey(), fact.getValue());
      }
      gathered.addProperty("time", each.getKey());
      // The last one is always told.
      if (--left % step == 0) {
        told.add(gathered);
        gathered = new JsonObject();
      }
    }
    return told;
  }

  /** Uses the file; a failure is told as the lack, and leaves the rest of the page. */
  private void use(Consumer<MVStore> work) {
    store.ifPresent(
        open -> {
          try {
            work.accept(open);
          } catch (MVStoreException e) {
            lack = "history cannot be used: " + e.getMessage();
          }
        });
  }

  private static String name(String table, String index) {
    return table + ' ' + index;
  }

  @Override
  public void close() {
    use(MVStore::close);
  }
}
