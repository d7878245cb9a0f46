package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.Futures;
import io.deli.client.internal.metrics.WriteMeter;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.entry.WriteId;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.IndexedVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes and deletes the entries of writes in the index tables. Thread-safe; never blocks. */
final class IndexWriter {
  private static final Logger LOG = LoggerFactory.getLogger(IndexWriter.class);

  private final TableClients clients;
  private final WriteContext context;
  private final WriteMeter meter;

  IndexWriter(Setup setup) {
    this.clients = setup.clients();
    this.context = setup.context();
    this.meter = setup.meter();
  }

  /** The outcome of writing the entries of several plans: for each, its versions or its failure. */
  static final class Results {
    private final AtomicReferenceArray<List<IndexedVersion>> versions;
    private final AtomicReferenceArray<Throwable> failures;

    private Results(int plans) {
      versions = new AtomicReferenceArray<>(plans);
      failures = new AtomicReferenceArray<>(plans);
    }

    void failed(int plan, Throwable error) {
      failures.set(plan, Futures.unwrap(error));
    }

    /** Replaces the versions of a plan, or notes the failure to write them. */
    Void replace(int plan, List<IndexedVersion> written, Throwable error) {
      if (error == null) {
        versions.set(plan, written);
      } else {
        failed(plan, error);
      }
      return null;
    }

    List<IndexedVersion> versions(int plan) {
      return versions.get(plan);
    }

    /** Returns why the plan cannot be carried out, or null. */
    Throwable failure(int plan) {
      return failures.get(plan);
    }
  }

  /** The Puts to one index table, each with the position of its plan. */
  private record TablePuts(List<Put> puts, List<Integer> plans) {}

  /** Writes the entries of many plans, in one list for each index table. */
  CompletableFuture<Results> write(List<WritePlan> plans) {
    return writeVersions(plans.stream().map(WritePlan::versions).toList());
  }

  private CompletableFuture<Results> writeVersions(List<List<IndexedVersion>> byPlan) {
    Results results = new Results(byPlan.size());
    Map<TableName, TablePuts> byTable = new HashMap<>();
    for (int i = 0; i < byPlan.size(); i++) {
      results.versions.set(i, byPlan.get(i));
      for (IndexedVersion version : byPlan.get(i)) {
        TablePuts puts =
            byTable.computeIfAbsent(
                version.index().table(),
                table -> new TablePuts(new ArrayList<>(), new ArrayList<>()));
        puts.puts().addAll(version.puts());
        puts.plans().addAll(Collections.nCopies(version.puts().size(), i));
      }
    }
    return Futures.all(
            byTable.entrySet().stream()
                .map(each -> send(each.getKey(), each.getValue(), results))
                .toList())
        .thenApply(done -> results);
  }

  private CompletableFuture<Void> send(TableName table, TablePuts puts, Results results) {
    return clients
        .index(table)
        .send(puts.puts())
        .thenAccept(
            answers -> {
              for (int i = 0; i < answers.length; i++) {
                if (answers[i] instanceof Throwable error) {
                  results.failed(puts.plans().get(i), error);
                }
              }
            });
  }

  /** Writes the entries of a plan again, under a new write id. */
  CompletableFuture<List<IndexedVersion>> rewrite(WritePlan plan) {
    meter.late();
    WriteId id = context.newWriteId();
    List<IndexedVersion> versions = new ArrayList<>(plan.versions().size());
    try {
      for (IndexedVersion version : plan.versions()) {
        versions.add(version.withWriteId(id));
      }
    } catch (InvalidIndexException e) {
      return CompletableFuture.failedFuture(new WriteRefusedException(e.getMessage(), e));
    }
    return put(versions);
  }

  /** Writes entries; completes with their versions when all are acknowledged. */
  CompletableFuture<List<IndexedVersion>> put(List<IndexedVersion> versions) {
    return writeVersions(List.of(versions))
        .thenCompose(
            results ->
                results.failure(0) == null
                    ? CompletableFuture.completedFuture(versions)
                    : CompletableFuture.failedFuture(results.failure(0)));
  }

  /** Deletes entries in the background, once known. Failures are left to read repair. */
  void delete(CompletableFuture<List<IndexedVersion>> versions) {
    context.pendingDeletes().add(versions.thenCompose(this::deleted));
  }

  private CompletableFuture<Void> deleted(List<IndexedVersion> versions) {
    return Futures.all(
        versions.stream()
            .map(
                version ->
                    clients
                        .index(version.index().table())
                        .send(version.deletes())
                        .whenComplete(
                            (answers, error) ->
                                LOG.debug("Deleted entries of {}: {}", version, answers, error)))
            .toList());
  }
}
