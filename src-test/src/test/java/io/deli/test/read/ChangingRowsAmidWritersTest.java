package io.deli.test.read;

import static io.deli.test.read.ChangingTable.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.test.cluster.Eventually;
import io.deli.test.read.ChangingTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that satisfy queries all the time come once while writers are at work. */
class ChangingRowsAmidWritersTest {
  private static final long MILLIS = 4_000;

  /** Queries that must find a row, each time once. */
  private static final Map<ValueQuery, String> QUERIES =
      Map.of(
          ValueQuery.on("a").equalTo(bytes("m5")), "same",
          ValueQuery.on("a").equalTo(bytes("x1")).or(ValueQuery.on("b").equalTo(bytes("x2"))), "or",
          ValueQuery.on("b").equalTo(bytes("x2")).or(ValueQuery.on("a").equalTo(bytes("x1"))), "or",
          ValueQuery.on("a").equalTo(bytes("l")).or(ValueQuery.on("b").equalTo(bytes("r"))),
              "sides",
          ValueQuery.on("a").between(bytes("v10"), bytes("v99")), "range",
          ValueQuery.on("a").between(bytes("v10"), bytes("v99")).reversed(), "range",
          ValueQuery.on("a").between(bytes("v10"), bytes("v99")).mostRecent(1), "range");

  private final AtomicBoolean ended = new AtomicBoolean();

  /** What one thread does again and again. */
  private interface Step {
    void run(ThreadLocalRandom random) throws Exception;
  }

  @ParameterizedTest
  @EnumSource(names = {"BY_KEY", "BY_TIME", "IN_PLACE", "LAZY", "EMBEDDED"})
  void everyQueryFindsItsRowOnce(Kind kind) throws Exception {
    Map<String, Integer> findings = Collections.synchronizedMap(new TreeMap<>());
    try (ChangingTable table = new ChangingTable(kind, 2)) {
      table.put("same", "a", "m5");
      table.putBoth("or", "x0", "x2");
      table.putBoth("sides", "l", "none");
      table.put("range", "a", "v50");
      for (int i = 10; i < 100; i += 10) {
        table.putLongAgo("fixed" + i, "a", "v" + i);
      }
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<?>> running = new ArrayList<>();
      running.add(threads.submit(() -> repeat(random -> table.put("same", "a", "m5"))));
      running.add(
          threads.submit(
              () -> repeat(random -> table.put("or", "a", random.nextBoolean() ? "x0" : "x1"))));
      running.add(threads.submit(() -> repeat(random -> changeSides(table, random))));
      running.add(
          threads.submit(
              () -> repeat(random -> table.put("range", "a", "v" + random.nextInt(10, 100)))));
      QUERIES.forEach(
          (query, row) ->
              running.add(
                  threads.submit(() -> repeat(random -> read(table, query, row, findings)))));
      end(running, findings);
      threads.shutdown();
    }
    assertThat(findings).hasSize(QUERIES.size());
    assertThat(findings.keySet()).allMatch(finding -> finding.startsWith("once"));
  }

  /** Ends all once each query was answered, or one has failed, whose failure it throws. */
  private void end(List<Future<?>> running, Map<String, Integer> findings) throws Exception {
    try {
      Thread.sleep(MILLIS);
      // On a busy machine it takes longer until each was answered.
      Eventually.holds(
          () ->
              assertThat(ended.get() || findings.size() >= QUERIES.size())
                  .as("answered: %s", findings)
                  .isTrue());
    } finally {
      ended.set(true);
    }
    for (Future<?> each : running) {
      each.get();
    }
  }

  private static void changeSides(ChangingTable table, ThreadLocalRandom random)
      throws IOException {
    if (random.nextBoolean()) {
      table.putBoth("sides", "l", "none");
    } else {
      table.putBoth("sides", "none", "r");
    }
  }

  private static void read(
      ChangingTable table, ValueQuery query, String row, Map<String, Integer> findings)
      throws Exception {
    int found = 0;
    try (ValueScanner scanner = table.open(query)) {
      for (var hit = scanner.next(); hit.isPresent(); hit = scanner.next()) {
        found += Bytes.toString(hit.get().row()).equals(row) ? 1 : 0;
        if (ThreadLocalRandom.current().nextInt(50) == 0) {
          Thread.sleep(20);
        }
      }
    }
    String finding = found == 1 ? "once" : found == 0 ? "missed" : "several times";
    findings.merge(finding + " by " + query, 1, Integer::sum);
  }

  private Optional<Void> repeat(Step step) throws Exception {
    try {
      while (!ended.get()) {
        step.run(ThreadLocalRandom.current());
      }
      return Optional.empty();
    } finally {
      // If one fails, the others need not go on.
      ended.set(true);
    }
  }
}
