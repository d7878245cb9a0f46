package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.BatchShape;
import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.coprocessor.internal.servermaintained.RestoredVersions.Version;
import io.deli.coprocessor.spi.Contained;
import io.deli.entry.WriteId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;

/**
 * The deletes of a region that HBase has shown and not applied yet, which may expose versions: has
 * those restored, as {@link Restoration} says, ahead of row locks. Thread-safe.
 */
final class ExposingDeletes {
  private final Region region;
  private final RunningBatches batches;
  private final List<ForgetfulColumn> columns;
  private final BlockingEntrySender sender;
  private final Function<Throwable, IOException> failure;
  private final ConcurrentMap<Mutation, RestoredVersions> restored =
      new MapMaker().weakKeys().makeMap();

  /**
   * @param failure makes of anything that is thrown why a delete cannot be restored
   */
  ExposingDeletes(
      Region region,
      RunningBatches batches,
      List<ForgetfulColumn> columns,
      BlockingEntrySender sender,
      Function<Throwable, IOException> failure) {
    this.region = region;
    this.batches = batches;
    this.columns = columns;
    this.sender = sender;
    this.failure = failure;
  }

  /** The deletes of a batch that HBase has shown so far. Used by one thread. */
  static final class Unsent {
    final BatchShape shape;
    final Map<ByteBuffer, ExposedRow> rows = new TreeMap<>();
    final List<RestoredVersions> restored = new ArrayList<>();
    int met;
    long bytes;
    private ExposedRow latest;

    Unsent(BatchShape shape) {
      this.shape = shape;
    }

    /**
     * The row of the deletes so far, and of one more. What was read of another is forgotten: HBase
     * shows the mutations of one row after the other, unless several are atomic.
     */
    ExposedRow row(Delete delete) {
      ExposedRow row =
          rows.computeIfAbsent(
              ByteBuffer.wrap(delete.getRow()), key -> new ExposedRow(delete.getRow()));
      if (latest != null && latest != row) {
        latest.forget();
      }
      latest = row;
      row.add(delete);
      return row;
    }
  }

  /** Whether a mutation may expose a version. */
  boolean isExposing(Mutation mutation) {
    return mutation instanceof Delete
        && columns.stream().anyMatch(column -> column.isExposedBy(column.family(mutation)));
  }

  /** Whether a mutation may write in the place of a version that a delete exposes. */
  boolean mayReplace(Mutation mutation) {
    return mutation instanceof Put
        && columns.stream()
            .anyMatch(each -> each.family(mutation).stream().anyMatch(each.column()::matches));
  }

  /** As {@link Restoration#met}. */
  void met(Delete delete) throws IOException {
    Contained.run(() -> restore(delete, batches.deletes(delete.getRow())), failure);
  }

  private void restore(Delete delete, Unsent unsent) throws IOException {
    ExposedRow row = unsent.row(delete);
    if (isExposing(delete)) {
      RestoredVersions its = new RestoredVersions(unsent.shape.ofEach());
      restored.put(delete, its);
      try {
        Contained.run(() -> restore(delete, row, its), failure);
        unsent.restored.add(its);
        unsent.bytes += IndexPut.heapSize(its.puts());
      } catch (IOException e) {
        its.fail(e);
      }
    }
    unsent.met++;
    if (unsent.met >= unsent.shape.deletes() || unsent.bytes >= sender.bufferBytes()) {
      send(unsent);
    }
  }

  /** Restores what earlier deletes of the row have not: these are applied with it or before. */
  private void restore(Delete delete, ExposedRow row, RestoredVersions its) throws IOException {
    WriteId id = ServerMaintainedWrites.fresh();
    List<ForgetfulColumn> exposing =
        columns.stream().filter(column -> column.isExposedBy(column.family(delete))).toList();
    for (ForgetfulColumn column : exposing) {
      for (Cell exposed : row.exposed(column, region)) {
        List<IndexPut> entries = column.entries(exposed, id, delete);
        if (!entries.isEmpty()) {
          its.add(new Version(column, exposed, id), entries);
        }
      }
    }
    exposing.forEach(row::restored);
  }

  private void send(Unsent unsent) throws IOException {
    List<IndexPut> puts = unsent.restored.stream().flatMap(each -> each.puts().stream()).toList();
    Map<TableName, IOException> failures =
        unsent.shape.conditional() ? sender.sendLocked(puts) : sender.send(puts);
    for (RestoredVersions each : unsent.restored) {
      IOException reason = BlockingEntrySender.among(failures, each.puts());
      if (reason == null) {
        each.acknowledge();
      } else {
        each.fail(reason);
      }
    }
    unsent.restored.clear();
    unsent.bytes = 0;
  }

  /** Takes what was restored for a delete; null if HBase did not show it. */
  RestoredVersions take(Mutation delete) {
    RestoredVersions its = restored.remove(delete);
    if (its == null || (!its.isAcknowledged() && its.failure() == null)) {
      batches.differ();
    }
    return its;
  }

  /** Forgets a delete, and returns the versions restored for it, unless they were taken. */
  List<Version> forget(Mutation delete) {
    RestoredVersions its = restored.remove(delete);
    return its == null ? List.of() : its.versions();
  }
}
