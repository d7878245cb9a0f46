package io.deli.coprocessor.internal.servermaintained;

import java.io.IOException;
import java.lang.ref.WeakReference;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** The conditional write that each thread has begun last. Thread-safe. */
final class Conditions {
  private final RegionPlace place;

  @SuppressWarnings("ThreadLocalUsage") // of this region; weak, and replaced by the next
  private final ThreadLocal<WeakReference<CheckAndMutate>> last = new ThreadLocal<>();

  Conditions(RegionPlace place) {
    this.place = place;
  }

  /** Begins a conditional write, with its row locked. */
  void begin(CheckAndMutate conditional) {
    last.set(new WeakReference<>(conditional));
  }

  /**
   * The timestamp of a value that would hide a Put of this timestamp, and does not hide it in
   * HBase, which gives it at least that of what its condition reads; 0 if there is none. The row of
   * the Put is still locked.
   */
  long hiding(MiniBatchOperationInProgress<Mutation> batch, Mutation mutation, long timestamp)
      throws IOException {
    WeakReference<CheckAndMutate> begun = last.get();
    CheckAndMutate conditional = begun == null ? null : begun.get();
    if (!(mutation instanceof Put)
        || conditional == null
        || !isOf(batch, conditional)
        || place.newest(read(conditional)) <= timestamp) {
      return 0;
    }
    long newest = place.newest(written(mutation));
    return newest > timestamp ? newest : 0;
  }

  /** By identity of the first: another write of the row may be equal, and have no condition. */
  private static boolean isOf(
      MiniBatchOperationInProgress<Mutation> batch, CheckAndMutate conditional) {
    return RowWrite.mutations(conditional).stream()
        .limit(1)
        .anyMatch(first -> first == batch.getOperation(0));
  }

  private static Get read(CheckAndMutate conditional) throws IOException {
    TimeRange range = conditional.getTimeRange();
    Get get = new Get(conditional.getRow()).setTimeRange(range.getMin(), range.getMax());
    return conditional.hasFilter()
        ? get.setFilter(conditional.getFilter())
        : get.addColumn(conditional.getFamily(), conditional.getQualifier());
  }

  private static Get written(Mutation mutation) {
    Get get = new Get(mutation.getRow());
    mutation
        .getFamilyCellMap()
        .forEach(
            (family, cells) -> {
              for (Cell cell : cells) {
                get.addColumn(family, CellUtil.cloneQualifier(cell));
              }
            });
    return get;
  }
}
