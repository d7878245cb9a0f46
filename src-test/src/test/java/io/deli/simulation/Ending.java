package io.deli.simulation;

import io.deli.lab.judge.QueryCondition;
import java.io.IOException;
import java.util.List;

/**
 * The end of a history, when all clients are done: whatever may be collected or repaired, is.
 *
 * @param isCollected whether compactions alone must leave no garbage
 */
record Ending(World world, Deployment deployment, Worker reader, boolean isCollected) {
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
      for (String column : List.of(Worker.A, Worker.B)) {
        var unused = reader.query(new QueryCondition.Between(column, "m0", "m9"));
        world.run(Deployment.GRACE_MILLIS);
      }
    }
    violations.addAll(audit.missing());
    violations.addAll(audit.garbage());
    violations.addAll(deployment.violations());
  }
}
