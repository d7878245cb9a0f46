package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.service.TimestampRefusal;
import io.deli.strategy.ColumnVersions;
import io.deli.strategy.IndexedVersion;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Draws new timestamps for operations that the base region refused, and deletes the entries of the
 * refused ones. Thread-safe.
 *
 * <p>The new timestamp exceeds the row's newest and follows the region server's clock: a little
 * ahead of it, and with each refusal drawn from a wider range, so that concurrent writers of the
 * row soon have a timestamp each. A refused timestamp a little ahead of that clock is only raised,
 * so that it cannot be admitted once the new one is.
 *
 * <p>The clock difference is remembered and added to the oracle's next timestamps.
 *
 * <p>An entry of a refused timestamp is not always garbage: an earlier request of the operation may
 * have been applied and its answer lost; and another client may have drawn the same timestamp for
 * the same value, and shares the entry. So the row is read in two steps: a condition that never
 * holds locks the row and so waits until all admitted writes are applied; then a raw scan of that
 * timestamp shows whether the version exists. It does not show whose it is: so an operation whose
 * first answer was lost is carried out again with another timestamp, like HBase's own retry of a
 * Put. Nor does it show cells with labels or permissions of their own to a writer who may not read
 * them: their entries are left to read repair, for which region servers look. So are those of
 * columns that the writer may not read: of a family of which he may read some, HBase would leave
 * out the others, so he first asks for each by itself, which it refuses. Where cells may grant
 * ({@code hbase.security.access.early_out}), it refuses nothing.
 *
 * <p>Neither is an entry deleted while its timestamp may yet be admitted, as one far ahead of the
 * region server's clock may once that gets there: by then another client may draw it for the same
 * value, or a late copy of the request arrive, and the tombstone would mask the entry of what is
 * applied. If nothing is, read repair deletes it.
 */
record TimestampRetries(Setup setup, IndexWriter indexWriter) {
  /** Refusals in a row after which the write fails. */
  private static final int MOST = 20;

  private static final long LEAST_LEAD_MILLIS = 2;

  /** A region server waits for no more; before that the client waits. */
  private static final long MOST_LEAD_MILLIS = 50;

  private static final long WIDEST_MILLIS = 1_000;

  /** A lead over the server's clock up to which a refused timestamp is raised. */
  private static final long RAISED_MILLIS = 1_000;

  /** A lead over the server's clock, which was set back, that no write waits for. */
  private static final long FAR_MILLIS = 60_000;

  /** Least clock difference that is remembered. */
  private static final long NOTED_MILLIS = 20;

  /**
   * Draws a new timestamp for a refused operation.
   *
   * @param last what was drawn for the operation before it in its row, which it follows
   * @throws RetriesExhaustedException if it was refused too often, or the next one would have to be
   *     waited for too long: the region server's clock was set back since others wrote the row
   */
  ClientTimestamp next(WritePlan plan, TimestampRefusal refusal, long last)
      throws RetriesExhaustedException {
    ClientTimestamp refused = plan.timestamp().orElseThrow();
    long least = least(refused, refusal, last);
    if (refused.refusals() >= MOST || least - refusal.clock() > FAR_MILLIS) {
      throw new RetriesExhaustedException(
          "table %s, row '%s': the write was not applied: its region refused %d timestamps in a row, the last one %d, since other writes of the row, or what decided its condition, were newer (%d) or the region server's clock is behind (%d). Try again."
              .formatted(
                  setup.table(),
                  Bytes.toStringBinary(plan.requested().getRow()),
                  Math.max(1, refused.refusals()),
                  refused.timestamp(),
                  refusal.newest(),
                  refusal.clock()));
    }
    return refused.then(least);
  }

  private long least(ClientTimestamp refused, TimestampRefusal refusal, long last) {
    long range = Math.min(LEAST_LEAD_MILLIS << refused.refusals(), WIDEST_MILLIS);
    long lead = LEAST_LEAD_MILLIS + setup.context().environment().below(range);
    long least = Math.max(Math.max(refusal.newest(), last) + 1, refusal.clock() + lead);
    return isRaised(refused.timestamp(), refusal)
        ? Math.max(least, refused.timestamp() + 1)
        : least;
  }

  private static boolean isRaised(long refused, TimestampRefusal refusal) {
    return refused - refusal.clock() <= RAISED_MILLIS;
  }

  /** Milliseconds to wait until the region server may take a timestamp. */
  static long delay(ClientTimestamp timestamp, TimestampRefusal refusal) {
    return timestamp.timestamp() - refusal.clock() - MOST_LEAD_MILLIS;
  }

  /** Learns the clock difference from the first refusal of an operation. */
  void learn(WritePlan plan, TimestampRefusal refusal) {
    ClientTimestamp refused = plan.timestamp().orElseThrow();
    if (refused.refusals() > 0) {
      return;
    }
    long oracle = refused.timestamp() - refused.shift();
    long ahead = refusal.clock() - oracle;
    if (refused.timestamp() > refusal.clock()) {
      setup.context().shift().accumulateAndGet(ahead, Math::min);
    } else {
      long since = TimeUnit.NANOSECONDS.toMillis(setup.context().ticks() - plan.begun());
      if (ahead - since - refused.shift() > NOTED_MILLIS) {
        setup.context().shift().accumulateAndGet(ahead - since, Math::max);
      }
    }
  }

  /**
   * Deletes the entries of a refused timestamp that no version has, in the background, if it cannot
   * be admitted any more. Failures are left to read repair.
   *
   * @param isDone whether the operation was applied with another one
   */
  void deleteEntries(
      WritePlan plan, TimestampRefusal refusal, List<IndexedVersion> versions, boolean isDone) {
    long timestamp = plan.timestamp().orElseThrow().timestamp();
    List<IndexedVersion> drawn =
        versions.stream().filter(each -> each.version().timestamp() == timestamp).toList();
    if (drawn.isEmpty() || mayBeHidden(plan.requested())) {
      return;
    }
    if (timestamp <= refusal.newest() || (isDone && isRaised(timestamp, refusal))) {
      byte[] row = plan.requested().getRow();
      CompletableFuture<Object> locked =
          setup.clients().plain(setup.table()).send(never(plan, row));
      drawn.forEach(
          version -> indexWriter.delete(locked.thenCompose(done -> missing(version, row))));
    }
  }

  private static boolean mayBeHidden(Row operation) {
    return Call.mutations(operation)
        .anyMatch(
            mutation ->
                mutation.getACL() != null
                    || mutation.getAttribute(VisibilityConstants.VISIBILITY_LABELS_ATTR_KEY)
                        != null);
  }

  /** Returns the version, which can no longer be applied, unless the row has it. */
  private CompletableFuture<List<IndexedVersion>> missing(IndexedVersion version, byte[] row) {
    List<Get> columns =
        version.index().columns().stream()
            .map(each -> new Get(row).addColumn(each.family(), each.qualifier()))
            .map(get -> get.setCheckExistenceOnly(true))
            .toList();
    return Futures.all(setup.clients().get(setup.table(), columns))
        .thenCompose(readable -> setup.clients().scan(setup.table(), at(version, row)))
        .thenApply(
            rows -> {
              List<Cell> cells = rows.stream().flatMap(each -> each.listCells().stream()).toList();
              return version.isIn(cells) ? List.of() : List.of(version);
            });
  }

  private static CheckAndMutate never(WritePlan plan, byte[] row) {
    byte[] family =
        Call.mutations(plan.base())
            .flatMap(mutation -> mutation.getFamilyCellMap().keySet().stream())
            .findFirst()
            .orElseGet(() -> plan.known().descriptor().getColumnFamilyNames().iterator().next());
    return CheckAndMutate.newBuilder(row)
        .ifMatches(new RandomRowFilter(-1))
        .build(new Delete(row).addColumn(family, new byte[0], 0));
  }

  private static Scan at(IndexedVersion version, byte[] row) {
    return ColumnVersions.scan(version.index().key(), row)
        .setTimestamp(version.version().timestamp());
  }
}
