package io.deli.strategy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hbase.thirdparty.com.google.common.collect.BoundType;
import org.apache.hbase.thirdparty.com.google.common.collect.TreeMultiset;

/**
 * The versions of a column in a row that deletes resurrect, which come one after the other. Used by
 * one thread; does no I/O.
 *
 * <p>A version is living, see {@link ColumnVersions}, if it is not hidden, and newer ones that last
 * as long as it or longer and are not hidden are fewer than the family shows. Deletes only lower
 * that number. So of the versions that do not end by themselves the living ones reach to a place
 * that only moves on, and a list of deletes walks them once. Those that do have a number each,
 * which is lowered with each newer one that is hidden.
 *
 * <p>There may be more than those: of versions that end by themselves no scan tells whether older
 * twins last, and the markers of labels hide some versions of a timestamp and not others.
 */
public final class ResurrectedVersions {
  private final ColumnVersions column;
  private final VersionRules rules;
  private final long now;
  private final List<Cell> latest;
  private final List<Cell> versions;
  private final long[] ends;
  private final BitSet hidden = new BitSet();
  private final BitSet known = new BitSet();

  /** The places of versions that pass and are not living, and how many newer ones cover each. */
  private final List<Integer> covered = new ArrayList<>(0);

  private final int[] covers;
  private final SortedMap<Integer, Cell> resurrected = new TreeMap<>();

  /** The place up to which all that last and are not hidden are living, and their number. */
  private int place;

  private int living;
  private int unstamped;

  /** The place from which all are hidden. */
  private int end;

  ResurrectedVersions(ColumnVersions column, VersionRules rules, int known, long now) {
    this.column = column;
    this.rules = rules.ofNewest(known);
    this.now = now;
    versions = rules.canResurrect() ? column.all() : List.of();
    ends = versions.stream().mapToLong(ColumnVersions::end).toArray();
    covers = new int[versions.size()];
    end = versions.size();
    latest = column.seen(rules, now);
    for (Cell seen : column.seen(this.rules, now)) {
      this.known.set(column.newerThan(seen.getTimestamp()));
    }
    hide(column.markers().stream().filter(marker -> !ColumnVersions.hasLabel(marker)).toList());
    cover();
  }

  private void cover() {
    TreeMultiset<Long> newer = TreeMultiset.create();
    for (int at = 0; at < end; at++) {
      if (!hidden.get(at)) {
        if (passes(at)) {
          covers[at] = newer.tailMultiset(ends[at], BoundType.CLOSED).size();
          covered.add(at);
        }
        newer.add(ends[at]);
      }
    }
  }

  private boolean passes(int at) {
    return ends[at] != Long.MAX_VALUE;
  }

  /**
   * Applies more deletes.
   *
   * @param deletes markers of the row and family; one without a timestamp, of this column, is of
   *     the latest version, and the second of the one before
   * @return the versions that are resurrected by now and not {@link #restored}, newest first
   */
  public List<Cell> under(Collection<Cell> deletes) {
    hide(deletes);
    for (; place < end && (passes(place) || hidden.get(place) || isShown(place, living)); place++) {
      if (!passes(place) && !hidden.get(place)) {
        living++;
        show(place);
      }
    }
    covered.removeIf(at -> hidden.get(at) || (isShown(at, covers[at]) && show(at)));
    return List.copyOf(resurrected.values());
  }

  private boolean isShown(int at, int newer) {
    return rules.show(versions.get(at).getTimestamp(), newer, now);
  }

  private boolean show(int at) {
    if (!known.get(at)) {
      resurrected.put(at, versions.get(at));
    }
    return true;
  }

  private void hide(Collection<Cell> markers) {
    for (Cell marker : markers) {
      long timestamp = marker.getTimestamp();
      if (timestamp != HConstants.LATEST_TIMESTAMP) {
        if (column.isConcernedBy(marker)) {
          hide(timestamp, ColumnVersions.hidesOlder(marker));
        }
      } else if (column.mayResurrect(marker) && unstamped < latest.size()) {
        hide(latest.get(unstamped).getTimestamp(), false);
        unstamped++;
      }
    }
  }

  private void hide(long timestamp, boolean older) {
    int first = column.newerThan(timestamp);
    if (older) {
      for (; end > first; end--) {
        hide(end - 1);
      }
    } else if (first < end && versions.get(first).getTimestamp() == timestamp) {
      hide(first);
    }
  }

  private void hide(int at) {
    if (!hidden.get(at)) {
      hidden.set(at);
      resurrected.remove(at);
      living -= at < place && !passes(at) ? 1 : 0;
      covered.forEach(older -> covers[older] -= older > at && ends[older] <= ends[at] ? 1 : 0);
    }
  }

  /** Records that those that were returned have their entries restored. */
  public void restored() {
    resurrected.clear();
  }
}
