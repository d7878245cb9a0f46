package io.deli.simulation;

import io.deli.client.WriteRefusedException;
import io.deli.lab.judge.CallHistory;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowQuery;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The end of a history, when all clients are done: whatever may be collected or repaired, is.
 *
 * @param isCalm whether nothing could be lost, so that no call fails but writes that are refused
 * @param isCollected whether compactions alone must leave no garbage
 */
record Ending(
    World world,
    Deployment deployment,
    Worker reader,
    CallHistory history,
    boolean isCalm,
    boolean isCollected) {
  /** Queries of which one is answered. */
  private static final int ATTEMPTS = 10;

  /** Tells what is missing or left in base and indexes. */
  void judge(List<String> violations) throws IOException {
    Audit audit = deployment.audit();
    violations.addAll(audit.missing());
    for (int round = 0; round < 3 && (round == 0 || !audit.garbage().isEmpty()); round++) {
      deployment.flushAll();
      for (ObservedRegion region : deployment.regions()) {
        region.compact(0, region.region().store().countFiles());
      }
      world.run(3_000);
      if (isCollected) {
        // Nothing failed, was late or met another, so that there is nothing that only readers find.
        violations.addAll(audit.garbage());
      }
      for (Index index : audit.indexes()) {
        query(index, audit.valued(index), violations);
      }
    }
    violations.addAll(audit.missing());
    violations.addAll(audit.garbage());
    violations.addAll(deployment.violations());
    deployment.failures().stream()
        .filter(
            each -> !(isCalm ? each instanceof WriteRefusedException : each instanceof IOException))
        .forEach(each -> violations.add("a client was told of " + each));
  }

  /** Asks for all rows of an index, and has the entries repaired that the query meets. */
  private void query(Index index, Set<String> rows, List<String> violations) {
    int before = history.queries().size();
    for (int i = 0; i < ATTEMPTS && history.queries().size() == before; i++) {
      CompletableFuture<Void> asked =
          reader.query(new QueryCondition.Between(index.column().toString(), "m0", "m9"));
      do {
        world.run(Deployment.GRACE_MILLIS);
      } while (!asked.isDone());
    }
    List<String> found =
        history.queries().stream()
            .skip(before)
            .flatMap(answer -> answer.hits().stream())
            .map(RowQuery.Hit::row)
            .sorted()
            .toList();
    if (!found.equals(List.copyOf(rows))) {
      violations.add("index %s finds %s, the table has %s".formatted(index.name(), found, rows));
    }
  }
}
