package io.deli.simulation;

import static io.deli.simulation.Worker.values;

import io.deli.lab.judge.CallHistory;
import io.deli.lab.judge.QueryCondition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with an index whose cells lie in stores of some kind, and a client of it, DELI's own. */
final class StoredTable {
  private static final int BASE = 0;
  private static final int INDEX = 1;

  private final World world = new World(Chance.of(1), Optional.empty(), false);
  private final ModelCluster cluster = new ModelCluster(world, new Courier(world, 0));
  private final CallHistory history = new CallHistory();
  private final Deployment deployment;
  private Worker client;

  StoredTable(Supplier<LogStructuredStore> stores, String strategy) {
    deployment = new Deployment(cluster, stores, strategy, IndexKind.PLAIN, 1, false);
    client = newClient();
  }

  private Worker newClient() {
    World.Node process = new World.Node("client", 0);
    return new Worker(cluster, process, deployment, history);
  }

  private void done(CompletableFuture<Void> call) {
    while (!call.isDone()) {
      world.step();
    }
  }

  private CompletableFuture<Void> calledPut(String row, String value) {
    return client.put(values(row, values(Worker.A, value)));
  }

  void put(String row, String value) {
    done(calledPut(row, value));
  }

  /** A put whose client crashes when the index table has its entry. */
  void beginPut(String row, String value) {
    int before = countEntries();
    var unused = calledPut(row, value);
    while (countEntries() == before) {
      world.step();
    }
    client.crash();
    client = newClient();
  }

  void delete(String row) {
    done(client.delete(row, Set.of()));
  }

  /** Deletes the newest version of a row and nothing else, past DELI. */
  void deleteNewest(String row) {
    ModelRegion base = region(BASE).region();
    Cell newest = versions(row).get(0);
    base.serve(
        List.of(
            new Delete(Bytes.toBytes(row))
                .addColumn(Worker.FAMILY, Bytes.toBytes("a"), newest.getTimestamp())));
  }

  /** The rows with a value in a range, and their values. */
  List<String> find(String low, String high) {
    done(client.query(new QueryCondition.Between(Worker.A, low, high)));
    var queries = history.queries();
    return queries.get(queries.size() - 1).hits().stream()
        .map(hit -> hit.row() + "=" + hit.value())
        .sorted()
        .toList();
  }

  private ObservedRegion region(int place) {
    return deployment.regions().get(place);
  }

  int countEntries() {
    return region(INDEX).region().store().living().size();
  }

  /** All cells of a row, whatever hides them. */
  List<Cell> versions(String row) {
    return region(BASE).region().store().all(Bytes.toBytes(row));
  }

  void run(long millis) {
    world.run(millis);
  }

  /** Has the server of the index crash, and be away for a while. */
  void crashIndex(long millis) {
    deployment.crash(INDEX, millis);
  }

  /** Has all servers crash and start again. */
  void restart() {
    for (int place = 0; place < deployment.regions().size(); place++) {
      deployment.crash(place, 1);
    }
    world.run(100);
  }

  /** Has the base table's region rewrite all that it holds. */
  void rewrite() throws IOException {
    region(BASE).flush();
    region(BASE).compact(0, region(BASE).region().store().countFiles());
    world.run(3_000);
  }

  /** The findings of all judges; none if nothing is wrong. */
  List<String> violations() {
    List<String> violations = new ArrayList<>(deployment.violations());
    violations.addAll(deployment.audit().missing());
    violations.addAll(history.ruling(1).violations());
    return violations;
  }
}
