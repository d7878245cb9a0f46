package io.deli.client.internal.write;

import io.deli.service.TimestampRefusal;
import io.deli.strategy.IndexedVersion;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Draws anew for operations whose timestamps the base region refused, and takes back the entries of
 * the earlier draws. Thread-safe.
 *
 * <p>The new timestamp exceeds what the row was given, and follows the region server's clock rather
 * than this client's: a little ahead of it, and with each refusal drawn from a wider range, so that
 * those who write the row at once soon have a timestamp each. A timestamp a little ahead of that
 * clock is only raised, so that once the new one is admitted the refused one cannot be any more.
 *
 * <p>What differs between the two clocks is remembered, and added to what the oracle draws next.
 *
 * <p>An entry of a refused timestamp is not always garbage: an earlier request of the operation may
 * have been applied, its answer lost; and another client may have drawn the same timestamp for the
 * same value, and shares the entry. So the row is asked, in two steps: a condition that never holds
 * waits until all that was admitted before has been applied, for it locks the row; then a scan of
 * that one timestamp, deleted versions included, tells whether there is such a version. It does not
 * tell whose: so an operation whose first answer was lost is carried out once more, with another
 * timestamp, as HBase's own retry of a Put does.
 */
final class TimestampRetries {
  /** More refusals in a row than this, and the write fails. */
  private static final int MOST = 20;

  private static final long LEAST_LEAD_MILLIS = 2;

  /** A region server waits for no more; before that the client waits. */
  private static final long MOST_LEAD_MILLIS = 50;

  private static final long WIDEST_MILLIS = 1_000;

  /** A lead over the server's clock up to which a refused timestamp is raised. */
  private static final long RAISED_MILLIS = 1_000;

  /** Less of a difference between clocks is not worth remembering. */
  private static final long NOTED_MILLIS = 20;

  private final TableName table;
  private final TableClients clients;
  private final WriteContext context;
  private final IndexWriter indexWriter;

  TimestampRetries(
      TableName table, TableClients clients, WriteContext context, IndexWriter indexWriter) {
    this.table = table;
    this.clients = clients;
    this.context = context;
    this.indexWriter = indexWriter;
  }

  /**
   * Draws for an operation once more.
   *
   * @param last what was drawn for the operation before it in its row, which it follows
   * @throws RetriesExhaustedException if it was refused too often
   */
  ClientTimestamp next(WritePlan plan, TimestampRefusal refusal, long last)
      throws RetriesExhaustedException {
    ClientTimestamp refused = plan.timestamp().orElseThrow();
    if (refused.refusals() >= MOST) {
      throw new RetriesExhaustedException(
          "table %s, row '%s': the write was not done: its region refused %d timestamps in a row, the last one %d, since other writes of the row were newer (%d) or the region server's clock behind (%d); try again"
              .formatted(
                  table,
                  Bytes.toStringBinary(plan.requested().getRow()),
                  refused.refusals(),
                  refused.timestamp(),
                  refusal.newest(),
                  refusal.clock()));
    }
    long range = Math.min(LEAST_LEAD_MILLIS << refused.refusals(), WIDEST_MILLIS);
    long lead = LEAST_LEAD_MILLIS + context.environment().below(range);
    long least = Math.max(Math.max(refusal.newest(), last) + 1, refusal.clock() + lead);
    if (refused.timestamp() - refusal.clock() <= RAISED_MILLIS) {
      least = Math.max(least, refused.timestamp() + 1);
    }
    return refused.then(least);
  }

  /** Milliseconds to wait until the region server may take a timestamp. */
  static long delay(ClientTimestamp timestamp, TimestampRefusal refusal) {
    return timestamp.timestamp() - refusal.clock() - MOST_LEAD_MILLIS;
  }

  /** Sees by how much the clocks differ, if this is the first refusal of an operation. */
  void learn(WritePlan plan, TimestampRefusal refusal) {
    ClientTimestamp refused = plan.timestamp().orElseThrow();
    if (refused.refusals() > 0) {
      return;
    }
    long oracle = refused.timestamp() - refused.shift();
    long ahead = refusal.clock() - oracle;
    if (refused.timestamp() > refusal.clock()) {
      context.shift().accumulateAndGet(ahead, Math::min);
    } else {
      long since = TimeUnit.NANOSECONDS.toMillis(context.ticks() - plan.begun());
      if (ahead - since - refused.shift() > NOTED_MILLIS) {
        context.shift().accumulateAndGet(ahead - since, Math::max);
      }
    }
  }

  /**
   * Takes back the entries of a refused timestamp that no version has. Nobody waits; repair finds
   * what stays.
   *
   * @param isDone whether the operation was applied with a newer one
   */
  void deleteEntries(
      WritePlan plan, TimestampRefusal refusal, List<IndexedVersion> versions, boolean isDone) {
    long timestamp = plan.timestamp().orElseThrow().timestamp();
    List<IndexedVersion> drawn =
        versions.stream().filter(each -> each.version().timestamp() == timestamp).toList();
    if (drawn.isEmpty()) {
      return;
    }
    if (timestamp - refusal.clock() > RAISED_MILLIS) {
      // Nobody else has it yet.
      indexWriter.delete(drawn);
    } else if (isDone || timestamp <= refusal.newest()) {
      indexWriter.delete(
          look(plan, timestamp)
              .thenApply(
                  there ->
                      drawn.stream()
                          .filter(each -> there.stream().noneMatch(each::isIn))
                          .toList()));
    }
  }

  /** All cells of the operation's row at a timestamp that can be applied no more. */
  private CompletableFuture<List<Cell>> look(WritePlan plan, long timestamp) {
    byte[] row = plan.requested().getRow();
    return clients
        .plain(table)
        .send(never(plan, row))
        .thenCompose(locked -> clients.scan(table, at(row, timestamp)))
        .thenApply(
            rows ->
                rows.stream()
                    .flatMap(each -> each.listCells().stream())
                    .<Cell>map(c -> c)
                    .toList());
  }

  private static CheckAndMutate never(WritePlan plan, byte[] row) {
    byte[] family =
        mutations(plan.base())
            .flatMap(mutation -> mutation.getFamilyCellMap().keySet().stream())
            .findFirst()
            .orElseGet(() -> plan.known().descriptor().getColumnFamilyNames().iterator().next());
    return CheckAndMutate.newBuilder(row)
        .ifMatches(new RandomRowFilter(-1))
        .build(new Delete(row).addColumn(family, new byte[0], 0));
  }

  private static Scan at(byte[] row, long timestamp) {
    return new Scan()
        .withStartRow(row)
        .withStopRow(row, true)
        .setRaw(true)
        .readAllVersions()
        .setTimestamp(timestamp);
  }

  private static Stream<Mutation> mutations(Row operation) {
    if (operation instanceof RowMutations mutations) {
      return mutations.getMutations().stream();
    }
    return operation instanceof CheckAndMutate conditional
        ? mutations(conditional.getAction())
        : Stream.of((Mutation) operation);
  }
}
