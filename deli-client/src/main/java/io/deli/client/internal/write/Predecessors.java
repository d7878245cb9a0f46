package io.deli.client.internal.write;

import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
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
 * Finds the versions whose entries are to go with operations, before these are carried out, and
 * takes the entries out after.
 */
final class Predecessors {
  private static final Logger LOG = LoggerFactory.getLogger(Predecessors.class);

  private final TableName table;
  private final Ports ports;

  Predecessors(TableName table, Ports ports) {
    this.table = table;
    this.ports = ports;
  }

  /**
   * The victims of each plan, in order: one Get for each plan that has any, sent together. A plan
   * whose row cannot be read has failed.
   */
  CompletableFuture<List<List<Obsolete>>> find(List<Plan> plans, Announced announced) {
    List<Plan> looking = plans.stream().filter(plan -> !plan.victims().isEmpty()).toList();
    if (looking.isEmpty()) {
      return CompletableFuture.completedFuture(Collections.nCopies(plans.size(), List.of()));
    }
    List<CompletableFuture<Result>> rows =
        ports.get(table, looking.stream().map(Predecessors::get).toList());
    return CompletableFuture.allOf(rows.toArray(CompletableFuture[]::new))
        .handle((done, error) -> found(plans, rows, announced));
  }

  private CompletableFuture<Result> look(Plan plan) {
    return ports.get(table, List.of(get(plan))).get(0);
  }

  private static Get get(Plan plan) {
    Set<Column> columns = new LinkedHashSet<>();
    byte[] row = null;
    int versions = 1;
    for (Victims victims : plan.victims()) {
      row = victims.row();
      columns.add(victims.index().column());
      versions = Math.max(versions, victims.versions());
    }
    Get get = new Get(row);
    columns.forEach(column -> get.addColumn(column.family(), column.qualifier()));
    try {
      return get.readVersions(versions);
    } catch (IOException e) {
      throw new IllegalStateException("a family keeps at least one version", e);
    }
  }

  /** Operations that go together follow one another, so that one's version is another's victim. */
  private static List<List<Obsolete>> found(
      List<Plan> plans, List<CompletableFuture<Result>> rows, Announced announced) {
    Map<ByteBuffer, List<IndexedVersion>> earlier = new HashMap<>();
    List<List<Obsolete>> found = new ArrayList<>(plans.size());
    int next = 0;
    for (Plan plan : plans) {
      List<Obsolete> obsolete = List.of();
      if (!plan.victims().isEmpty()) {
        try {
          obsolete = victims(plan, rows.get(next++).join(), earlier);
        } catch (CompletionException e) {
          announced.failed(found.size(), e);
        }
      }
      for (IndexedVersion version : plan.versions()) {
        earlier
            .computeIfAbsent(ByteBuffer.wrap(version.version().key()), key -> new ArrayList<>())
            .add(version);
      }
      found.add(obsolete);
    }
    return found;
  }

  private static List<Obsolete> victims(
      Plan plan, Result row, Map<ByteBuffer, List<IndexedVersion>> earlier) {
    List<Obsolete> obsolete = new ArrayList<>();
    for (Victims victims : plan.victims()) {
      cells(row, victims.index()).stream()
          .limit(victims.versions())
          .filter(cell -> victims.include(cell.getTimestamp()))
          .forEach(cell -> obsolete.add(new Obsolete(victims, version(cell))));
      for (IndexedVersion version :
          earlier.getOrDefault(ByteBuffer.wrap(victims.row()), List.of())) {
        if (version.index().equals(victims.index())
            && victims.include(version.version().timestamp())) {
          obsolete.add(new Obsolete(victims, version.version()));
        }
      }
    }
    return obsolete;
  }

  private static List<Cell> cells(Result row, Index index) {
    return row.getColumnCells(index.column().family(), index.column().qualifier());
  }

  /** The write id, if it has one, is the region server's secret. */
  private static BaseVersion version(Cell cell) {
    return BaseVersion.of(cell, WriteId.NONE);
  }

  /**
   * Follows an operation that has been carried out. Never fails: entries that cannot be taken out
   * are left to readers and collections.
   */
  CompletableFuture<Void> settle(Plan plan, List<Obsolete> obsolete) {
    return plan.looksAgain()
        ? look(plan)
            .thenCompose(
                row -> retract(obsolete.stream().filter(each -> each.isGoneFrom(row)).toList()))
            .exceptionally(
                error -> {
                  LOG.debug("Not seen again: {}", plan, error);
                  return null;
                })
        : retract(obsolete);
  }

  private CompletableFuture<Void> retract(List<Obsolete> obsolete) {
    Map<TableName, List<Delete>> deletes = new HashMap<>();
    for (Obsolete each : obsolete) {
      deletes
          .computeIfAbsent(each.index().table(), index -> new ArrayList<>())
          .addAll(each.deletes());
    }
    return CompletableFuture.allOf(
        deletes.entrySet().stream()
            .map(
                share ->
                    ports
                        .index(share.getKey())
                        .send(share.getValue())
                        .handle(
                            (answers, error) -> {
                              LOG.debug("Retracted from {}: {}", share, answers, error);
                              return null;
                            }))
            .toArray(CompletableFuture[]::new));
  }
}
