package io.deli.client.internal.read;

import io.deli.client.ValueHit;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.client.internal.read.HitPage.PositionedHit;
import io.deli.entry.Entry;
import io.deli.strategy.Lookup;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;

/**
 * Decides by what a base row has now, whichever of its entries led there.
 *
 * <p>An entry may be stale when its row is read, and the row a hit all the same: it was put again
 * with the same value, or moved within the range, or to another side of an {@code or}, after its
 * entries were read. So an entry is no more than a reason to look at a row. A row that satisfies
 * the query has one entry at which a scan of a table at rest meets it: of the first conjunction
 * that holds, of its first token there. If the scan
 *
 * <ul>
 *   <li>is at that entry, the row is a hit;
 *   <li>is behind it, the row moved, and is a hit unless it was one already;
 *   <li>has yet to come to it, the row will be a hit there. It may move again before, so it is
 *       remembered until then, and given at the end of the scan if it was not met.
 * </ul>
 *
 * <p>Where only the newest hits are kept, they come in any order, so a row is a hit when it is
 * first met, be its entry ahead or behind.
 *
 * <p>Where all entries of a row lie in one place, as for an equality {@code BY_KEY}, a row is met
 * once, and nothing is remembered. What a scan cannot meet at all, {@link CatchUpScan} finds.
 *
 * @param since the time that counts as the query's beginning: rows whose versions are all older
 *     have not changed since
 */
record RowDecision(
    QueryPlan plan, BaseRows rows, SeenRows memory, long since, boolean onePlacePerRow)
    implements Verifier.Decision {
  RowDecision(BaseRows rows, SeenRows memory, long since) {
    this(
        rows.plan(),
        rows,
        memory,
        since,
        rows.plan().meetsRowsOnce() && !rows.plan().looksNewestFirst());
  }

  /** The entry at which a scan of a quiescent table meets a row. */
  private record Standing(int conjunction, Entry entry, byte[] value) {}

  @Override
  public void decide(int conjunction, EntryGroup group, Result row, List<PositionedHit> hits) {
    Optional<Standing> standing = standing(row);
    if (onePlacePerRow) {
      standing.ifPresent(now -> hits.add(hit(now, row, group.end())));
    } else if (standing.isEmpty()) {
      if (group.entries().stream().anyMatch(entry -> entry.timestamp() >= since)) {
        memory.passed(group.entries().get(0).key());
      }
    } else if (!isBehind(plan.start(), standing.get())) {
      offer(conjunction, group, standing.get(), row).ifPresent(hits::add);
    }
  }

  private Optional<PositionedHit> offer(
      int conjunction, EntryGroup group, Standing standing, Result row) {
    PositionedHit hit = hit(standing, row, group.end());
    boolean changed = isChanged(row);
    boolean inAnyOrder = plan.looksNewestFirst();
    boolean met = inAnyOrder || isBehind(group.end(), standing);
    boolean first =
        met
            ? memory.give(hit, changed, inAnyOrder || isAt(conjunction, group, standing))
            : memory.postpone(
                new PositionedHit(hit.hit(), place(standing).orElse(group.end())), changed);
    return first ? Optional.of(hit) : Optional.empty();
  }

  /** A row that the scan may not have met at all, if it is a hit that was not given yet. */
  Optional<PositionedHit> late(Result row, Position end) {
    Optional<Standing> standing = standing(row).filter(now -> !isBehind(plan.start(), now));
    if (standing.isEmpty()) {
      return Optional.empty();
    }
    PositionedHit hit = hit(standing.get(), row, place(standing.get()).orElse(end));
    return memory.give(hit, isChanged(row), false) ? Optional.of(hit) : Optional.empty();
  }

  /** Behind its entry. */
  private Optional<Position> place(Standing standing) {
    return plan.conjunctions()
        .get(standing.conjunction())
        .group(standing.conjunction(), standing.entry())
        .map(EntryGroup::end);
  }

  private Optional<Standing> standing(Result row) {
    for (int i = 0; i < plan.conjunctions().size(); i++) {
      Conjunction conjunction = plan.conjunctions().get(i);
      if (conjunction.holds(row)) {
        Optional<Entry> entry = conjunction.entry(row, plan.options().reversed());
        if (entry.isPresent()) {
          Cell newest = conjunction.index().key().newest(row).orElseThrow();
          return Optional.of(
              new Standing(plan.scanOf(i), entry.get(), CellUtil.cloneValue(newest)));
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a scan that has come to a position is behind an entry. */
  private boolean isBehind(Position place, Standing standing) {
    return place.conjunction() == standing.conjunction()
        ? plan.conjunctions()
            .get(place.conjunction())
            .isBehind(place, standing.entry(), plan.options().reversed())
        : place.conjunction() > standing.conjunction();
  }

  private boolean isAt(int conjunction, EntryGroup group, Standing standing) {
    Conjunction scanned = plan.conjunctions().get(conjunction);
    return conjunction == standing.conjunction()
        && scanned.isIn(group.end().row(), standing.entry())
        && (scanned.lookup().rows() != Lookup.Rows.LISTS
            || standing.entry().timestamp() == group.entries().get(0).timestamp());
  }

  private boolean isChanged(Result row) {
    return Arrays.stream(row.rawCells()).anyMatch(cell -> cell.getTimestamp() >= since);
  }

  private PositionedHit hit(Standing standing, Result row, Position behind) {
    return new PositionedHit(
        new ValueHit(
            standing.entry().key(),
            standing.value(),
            standing.entry().timestamp(),
            rows.projected(row)),
        behind);
  }
}
