package io.deli.client.internal.write;

import io.deli.client.internal.KnownIndexes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;

/**
 * Operations on one table, planned by one view of its definitions.
 *
 * @param indexed whether the table has an index to maintain; if not, operations go as they are, and
 *     share no request with those of others
 * @param alone whether they share none though the table has an index
 * @param replanned whether the definitions were read anew since an index table was missing
 * @param caller done when nobody waits for the batch any more
 */
public record WriteBatch(
    boolean indexed, boolean alone, List<WritePlan> plans, boolean replanned, Future<?> caller) {
  /** A caller who waits for the end. */
  static final Future<?> PATIENT = new CompletableFuture<>();

  /** Returns the same batch for a caller who may go. */
  WriteBatch awaitedBy(Future<?> other) {
    return with(plans, other);
  }

  /** Returns a batch of other plans, or of some of these. */
  WriteBatch with(List<WritePlan> others) {
    return with(others, caller);
  }

  private WriteBatch with(List<WritePlan> others, Future<?> other) {
    return new WriteBatch(indexed, alone, others, replanned, other);
  }

  /** Takes a step, unless nobody waits for the batch any more. */
  <T> CompletableFuture<T> ifAwaited(Supplier<CompletableFuture<T>> step) {
    return caller.isDone()
        ? CompletableFuture.failedFuture(
            new CancellationException("nobody waits for the write any more"))
        : step.get();
  }

  public int size() {
    return plans.size();
  }

  /** The definitions that it was planned by; not of a batch of none. */
  KnownIndexes known() {
    return plans.get(0).known();
  }

  List<Row> requested() {
    return plans.stream().map(WritePlan::requested).toList();
  }

  /** Splits the batch into parts of at most a size, in order. */
  List<WriteBatch> parts(int size) {
    return Lists.partition(plans, size).stream().map(this::with).toList();
  }

  /** Reorders positions so that those of one row are adjacent and travel together. */
  List<Integer> byRow(List<Integer> places) {
    Set<ByteBuffer> rows = new HashSet<>(places.size() * 2);
    return places.size() == 1 || places.stream().allMatch(place -> rows.add(row(place)))
        ? places
        : rows(places).values().stream().flatMap(List::stream).toList();
  }

  Map<ByteBuffer, List<Integer>> rows(List<Integer> places) {
    return places.stream()
        .collect(Collectors.groupingBy(this::row, LinkedHashMap::new, Collectors.toList()));
  }

  private ByteBuffer row(int place) {
    return ByteBuffer.wrap(plans.get(place).requested().getRow());
  }

  /** The answers if all of them failed. */
  Object[] failed(Throwable error) {
    Object[] answers = new Object[size()];
    Arrays.fill(answers, error);
    return answers;
  }
}
