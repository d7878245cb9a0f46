package io.deli.test.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.Eventually;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A table with an index in several regions, on both region servers, and what must be in it: each
 * load that reported success.
 */
final class TweetsInContainers {
  private static final String INDEX = "by_user";

  /** Of strategy {@code none}: finds by scanning the table. */
  private static final String SCAN = "by_scan";

  private static final int BATCH = 200;

  private final ContainerCluster cluster;
  private final String table;
  private final Map<String, String> written = new TreeMap<>();
  private final AtomicInteger batches = new AtomicInteger();

  private TweetsInContainers(ContainerCluster cluster, String table) {
    this.cluster = cluster;
    this.table = table;
  }

  static TweetsInContainers create(ContainerCluster cluster, String table) throws Exception {
    cluster.deli("create-table", table, "d");
    cluster.deli("create-index", table, INDEX, "d:user", "--split", "u2,u4,u6,u8");
    cluster.deli("create-index", table, SCAN, "d:user", "--strategy", "none");
    TweetsInContainers tweets = new TweetsInContainers(cluster, table);
    tweets.load();
    return tweets;
  }

  /** New rows, and rows of the batch before with other values. */
  private void load() throws Exception {
    Map<String, String> rows = new TreeMap<>();
    int batch = batches.get();
    int first = batch * BATCH / 2;
    for (int row = first; row < first + BATCH; row++) {
      rows.put("t%05d".formatted(row), "u" + (row * 7 + batch) % 10);
    }
    String file = "/tmp/%s-%d.csv".formatted(table, batch);
    cluster.write(
        file,
        rows.entrySet().stream()
            .map(row -> row.getKey() + "," + row.getValue() + "\n")
            .collect(Collectors.joining("", "id,user\n", "")));
    assertThat(cluster.deli("load", table, file, "--key", "id"))
        .contains("loaded " + BATCH + " rows");
    written.putAll(rows);
    batches.incrementAndGet();
  }

  /** What happens to the cluster. */
  @FunctionalInterface
  interface Trouble {
    void befall(Progress progress) throws Exception;
  }

  /** How writers fare meanwhile. */
  @FunctionalInterface
  interface Progress {
    /** Waits until rows are acknowledged that were written after this call. */
    void await() throws Exception;
  }

  /** Writes batch after batch while that happens; each must be acknowledged. */
  void loadDuring(Trouble trouble) throws Exception {
    ExecutorService writer = Executors.newSingleThreadExecutor();
    AtomicBoolean over = new AtomicBoolean();
    try {
      Future<?> loads =
          writer.submit(
              () -> {
                while (!over.get()) {
                  load();
                }
                return null;
              });
      trouble.befall(() -> awaitBatches(loads));
      over.set(true);
      loads.get();
    } finally {
      writer.shutdownNow();
      assertThat(writer.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
    }
  }

  /** The one under way may have begun before; the next has not. */
  private void awaitBatches(Future<?> loads) throws Exception {
    int wanted = batches.get() + 2;
    Eventually.holdsElsewhere(
        () -> {
          if (loads.isDone()) {
            loads.get();
          }
          assertThat(batches.get()).isGreaterThanOrEqualTo(wanted);
        });
  }

  /** Whatever was acknowledged is there, is found by the index, and nothing else is in either. */
  void assertExact() throws Exception {
    Set<String> base = find(SCAN);
    assertThat(base.stream().map(hit -> hit.substring(0, hit.lastIndexOf(','))))
        .containsExactlyElementsOf(
            written.entrySet().stream().map(row -> row.getKey() + "," + row.getValue()).toList());
    assertThat(find(INDEX)).isEqualTo(base);
    cluster.awaitCollected(table, INDEX, written.size());
    cluster.deli("verify", table, INDEX);
  }

  /** Hits as {@code row,value,timestamp}. */
  private Set<String> find(String index) throws Exception {
    return cluster
        .deli("query", table, index, "--from", "", "--format", "csv")
        .lines()
        .skip(1)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
