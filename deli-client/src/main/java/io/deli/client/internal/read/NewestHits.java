package io.deli.client.internal.read;

import io.deli.client.internal.read.HitPage.PositionedHit;
import io.deli.entry.Entry;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

/** The newest of the hits found so far, as many as are asked for. Not thread-safe. */
final class NewestHits {
  private final int most;
  private final boolean onePerRow;
  private final NavigableMap<Rank, PositionedHit> hits = new TreeMap<>();
  private final Map<byte[], Rank> byRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /**
   * @param onePerRow whether a row has one hit, its newest
   */
  NewestHits(int most, boolean onePerRow) {
    this.most = most;
    this.onePerRow = onePerRow;
  }

  /** Returns a place for the most recent hits of a plan; for any number if it asks for all. */
  static NewestHits of(QueryPlan plan) {
    boolean all = plan.options().mostRecent().isEmpty();
    return new NewestHits(
        all ? Integer.MAX_VALUE : plan.most().orElseThrow(), plan.options().versions() == 1);
  }

  /** The order of the most recent hits, and of entries: newest first, ties by base row key. */
  record Rank(long timestamp, byte[] key) implements Comparable<Rank> {
    /** Ahead of whatever has a key. */
    static final Rank FIRST = new Rank(Long.MAX_VALUE - 1, HConstants.EMPTY_BYTE_ARRAY);

    /** Behind all others. */
    static final Rank LAST = new Rank(-1, HConstants.EMPTY_BYTE_ARRAY);

    static Rank of(Entry entry) {
      return new Rank(entry.timestamp(), entry.key());
    }

    @Override
    public int compareTo(Rank other) {
      int order = Long.compare(other.timestamp, timestamp);
      return order != 0 ? order : Bytes.compareTo(key, other.key);
    }
  }

  /** Adds a hit; the same version once, and of one row the newest where it has but one. */
  void add(PositionedHit hit) {
    Rank rank = new Rank(hit.hit().timestamp(), hit.hit().row());
    Rank before = onePerRow ? byRow.get(rank.key()) : null;
    if (before != null && before.compareTo(rank) < 0) {
      return;
    }
    if (onePerRow) {
      byRow.put(rank.key(), rank);
    }
    if (before != null) {
      hits.remove(before);
    }
    hits.put(rank, hit);
    if (hits.size() > most) {
      byRow.remove(hits.pollLastEntry().getKey().key());
    }
  }

  /** Returns how many more hits it would take that none behind a rank is among the newest. */
  int missing(Rank place) {
    // To count those up to a place takes as long as there are.
    boolean all = hits.isEmpty() || hits.lastKey().compareTo(place) <= 0;
    return most - (all ? hits.size() : hits.headMap(place, true).size());
  }

  /** Returns the timestamp below which a hit is none of the newest; 0 while all are. */
  long since() {
    return hits.size() < most ? 0 : hits.lastKey().timestamp();
  }

  List<PositionedHit> newestFirst() {
    return List.copyOf(hits.values());
  }
}
