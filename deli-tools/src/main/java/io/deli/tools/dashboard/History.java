package io.deli.tools.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * The facts of each index over the last 30 days, in a file that one dashboard at a time may keep.
 * Without that file it is empty, and says why. Thread-safe.
 */
final class History implements AutoCloseable {
  private static final Duration KEPT = Duration.ofDays(30);
  private static final int MOST = 500;
  private static final Gson GSON = new Gson();

  private final Clock clock;
  private final Optional<MVStore> store;
  private final String lack;

  private History(Clock clock, Optional<MVStore> store, String lack) {
    this.clock = clock;
    this.store = store;
    this.lack = lack;
  }

  /** Opens or begins the history of a cluster, of which nothing is lost by a crash but seconds. */
  static History open(Path directory, String cluster, Clock clock) {
    Path file = directory.resolve(cluster + ".history");
    try {
      Files.createDirectories(directory);
      MVStore store = new MVStore.Builder().fileName(file.toString()).compress().open();
      return new History(clock, Optional.of(store), "");
    } catch (IOException | MVStoreException e) {
      String why =
          e instanceof MVStoreException
              ? "another dashboard keeps it, or it is damaged"
              : e.getMessage();
      return new History(
          clock, Optional.empty(), "history %s cannot be used: %s".formatted(file, why));
    }
  }

  /** Adds facts of an index, of now; those of one moment are put together. */
  void note(String table, String index, Map<String, ?> facts) {
    store.ifPresent(
        open -> {
          MVMap<Long, String> points = points(open, table, index);
          long now = clock.millis();
          points.compute(
              now,
              (time, known) -> {
                JsonObject point =
                    known == null ? new JsonObject() : GSON.fromJson(known, JsonObject.class);
                facts.forEach((name, value) -> point.add(name, GSON.toJsonTree(value)));
                return point.toString();
              });
          for (Long first = points.firstKey();
              first != null && first < now - KEPT.toMillis();
              first = points.firstKey()) {
            points.remove(first);
          }
        });
  }

  /** The facts of an index in order of time, at most 500 of them, evenly chosen. */
  Map<String, Object> of(String table, String index) {
    List<JsonObject> chosen = new ArrayList<>();
    store.ifPresent(
        open -> {
          MVMap<Long, String> points = points(open, table, index);
          long step = points.sizeAsLong() / MOST + 1;
          long place = points.sizeAsLong();
          for (Map.Entry<Long, String> each : points.entrySet()) {
            // The last one is always told.
            if (--place % step == 0) {
              JsonObject point = GSON.fromJson(each.getValue(), JsonObject.class);
              point.addProperty("time", each.getKey());
              chosen.add(point);
            }
          }
        });
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("points", chosen);
    answer.put("lack", lack);
    return answer;
  }

  private static MVMap<Long, String> points(MVStore open, String table, String index) {
    return open.openMap(table + ' ' + index);
  }

  @Override
  public void close() {
    store.ifPresent(MVStore::close);
  }
}
