package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.IndexedVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the versions that operations supersede or delete, before these reach the base table, and
 * deletes their entries afterwards. Thread-safe; never blocks.
 */
final class SupersededEntries {
  private static final Logger LOG = LoggerFactory.getLogger(SupersededEntries.class);

  private final TableName table;
  private final TableClients clients;

  /** A version that an operation supersedes or deletes. */
  record SupersededVersion(SupersededRange range, BaseVersion version) {
    /** Whether the row, as read after the operation, no longer shows the version. */
    boolean isGoneFrom(Result row) {
      return range.isGone(version.timestamp(), range.index().key().versions(row));
    }

    List<Delete> deletes() {
      try {
        return range.index().retract(version);
      } catch (RuntimeException | Error e) {
        // A tokenizer may be the user's own code; the write is applied and must not fail for it.
        LOG.warn(
            "Could not compute the entries of {} in index '{}': read repair will delete them",
            version,
            range.index().name(),
            e);
        return List.of();
      }
    }
  }

  SupersededEntries(Setup setup) {
    this.table = setup.table();
    this.clients = setup.clients();
  }

  /**
   * Reads the superseded versions of each plan, in order, by one Get for each plan that has any.
   * Notes a failure for each plan whose row cannot be read.
   */
  CompletableFuture<List<List<SupersededVersion>>> find(
      List<WritePlan> plans, IndexWriter.Results written) {
    List<WritePlan> looking = plans.stream().filter(plan -> !plan.superseded().isEmpty()).toList();
    if (looking.isEmpty()) {
      return CompletableFuture.completedFuture(Collections.nCopies(plans.size(), List.of()));
    }
    List<CompletableFuture<Result>> rows =
        clients.get(table, looking.stream().map(SupersededEntries::get).toList());
    return Futures.all(rows).handle((done, error) -> found(plans, rows, written));
  }

  private CompletableFuture<Result> look(WritePlan plan) {
    return clients.get(table, List.of(get(plan))).get(0);
  }

  private static Get get(WritePlan plan) {
    Set<Column> columns = new LinkedHashSet<>();
    byte[] row = null;
    int versions = 1;
    for (SupersededRange range : plan.superseded()) {
      row = range.row();
      columns.addAll(range.index().key().all());
      versions = Math.max(versions, range.versions());
    }
    Get get = new Get(row);
    columns.forEach(column -> get.addColumn(column.family(), column.qualifier()));
    try {
      return get.readVersions(versions);
    } catch (IOException e) {
      throw new IllegalStateException("a family keeps at least one version", e);
    }
  }

  /**
   * Returns the superseded versions; a plan may supersede a version of an earlier plan of its
   * batch.
   */
  private static List<List<SupersededVersion>> found(
      List<WritePlan> plans, List<CompletableFuture<Result>> rows, IndexWriter.Results written) {
    Map<ByteBuffer, List<IndexedVersion>> earlier = new HashMap<>();
    List<List<SupersededVersion>> found = new ArrayList<>(plans.size());
    int next = 0;
    for (WritePlan plan : plans) {
      List<SupersededVersion> versions = List.of();
      if (!plan.superseded().isEmpty()) {
        try {
          versions = superseded(plan, rows.get(next++).join(), earlier);
        } catch (CompletionException e) {
          written.failed(found.size(), e);
        }
      }
      for (IndexedVersion version : plan.versions()) {
        earlier
            .computeIfAbsent(ByteBuffer.wrap(version.version().key()), key -> new ArrayList<>())
            .add(version);
      }
      found.add(versions);
    }
    return found;
  }

  private static List<SupersededVersion> superseded(
      WritePlan plan, Result row, Map<ByteBuffer, List<IndexedVersion>> earlier) {
    List<SupersededVersion> versions = new ArrayList<>();
    for (SupersededRange range : plan.superseded()) {
      range.index().key().versions(row).stream()
          .limit(range.versions())
          .filter(cell -> range.includes(cell.getTimestamp()))
          .forEach(cell -> versions.add(new SupersededVersion(range, version(cell))));
      for (IndexedVersion version : earlier.getOrDefault(ByteBuffer.wrap(range.row()), List.of())) {
        if (version.index().equals(range.index())
            && range.includes(version.version().timestamp())) {
          versions.add(new SupersededVersion(range, version.version()));
        }
      }
    }
    return versions;
  }

  /** Clients do not see the write id that a cell may carry. */
  private static BaseVersion version(Cell cell) {
    return BaseVersion.of(cell, WriteId.NONE);
  }

  /**
   * Deletes the entries of superseded versions, after the operation was applied. Never fails:
   * entries that cannot be deleted are left to read repair and garbage collection.
   */
  CompletableFuture<Void> delete(WritePlan plan, List<SupersededVersion> versions) {
    return plan.looksAgain()
        ? look(plan)
            .thenCompose(
                row ->
                    deleteEntries(versions.stream().filter(each -> each.isGoneFrom(row)).toList()))
            .exceptionally(
                error -> {
                  LOG.debug("Could not read the row again: {}", plan, error);
                  return null;
                })
        : deleteEntries(versions);
  }

  private CompletableFuture<Void> deleteEntries(List<SupersededVersion> versions) {
    Map<TableName, List<Delete>> deletes = new HashMap<>();
    for (SupersededVersion each : versions) {
      deletes
          .computeIfAbsent(each.range().index().table(), index -> new ArrayList<>())
          .addAll(each.deletes());
    }
    return Futures.all(
        deletes.entrySet().stream()
            .map(
                share ->
                    clients
                        .index(share.getKey())
                        .send(share.getValue())
                        .handle(
                            (answers, error) -> {
                              LOG.debug(
                                  "Deleted superseded entries from {}: {}", share, answers, error);
                              return null;
                            }))
            .toList());
  }
}
