package io.deli.fileindex.internal.blocks;

import io.deli.query.Box;
import io.deli.query.TokenRange;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.index.strtree.STRtree;

/**
 * Leads a lookup past the files of a store, and the parts of their indexes, that cannot have a
 * token: the ranges of all of them in one structure, an interval tree, or an R-tree if they are of
 * points. Immutable; made anew of what the files carry when there are others, or when the cache of
 * indexes dropped it.
 *
 * <p>NEXT, section 3.2, whose intervals are in an R-tree of one dimension: that takes numbers,
 * where tokens are bytes. It is recovered in the same way when a region opens, so that it needs no
 * log (there, section 3.3).
 */
final class GlobalIndex implements Weighed {
  private static final Envelope EVERYWHERE =
      new Envelope(-Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE, Double.MAX_VALUE);

  // With its place in a tree.
  private static final int ZONE = 240;

  /** Weak, for what the cache of indexes drops must not stay for this. */
  private final Map<Path, WeakReference<FileIndex>> files = new HashMap<>();

  private final IntervalTree<Place> intervals;
  private final STRtree rectangles = new STRtree();
  private final long weight;

  private record Place(Path file, FileIndex.Zone zone) {}

  /**
   * @param files by path
   */
  GlobalIndex(Map<Path, FileIndex> files) {
    files.forEach((file, index) -> this.files.put(file, new WeakReference<>(index)));
    List<Place> places = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<Path, FileIndex> file : files.entrySet()) {
      for (FileIndex.Zone zone : file.getValue().zones()) {
        add(new Place(file.getKey(), zone), places);
        bytes += ZONE + 2L * zone.tokens().first().length;
      }
    }
    weight = bytes;
    intervals = new IntervalTree<>(places, place -> place.zone().tokens());
    rectangles.build();
    // The tree completes itself at its first use, and not for several threads at once.
    rectangles.query(EVERYWHERE, place -> {});
  }

  private void add(Place place, List<Place> withoutRectangle) {
    Optional<Box> box = place.zone().tokens().box();
    if (box.isPresent()) {
      rectangles.insert(envelope(box.get()), place);
    } else {
      withoutRectangle.add(place);
    }
  }

  private static Envelope envelope(Box box) {
    return new Envelope(box.low().x(), box.high().x(), box.low().y(), box.high().y());
  }

  /** With the zones, which it shares with the files' indexes, as long as there are these. */
  @Override
  public long weight() {
    return weight;
  }

  /** Whether it is made of these. */
  boolean isOf(Map<Path, FileIndex> others) {
    for (Map.Entry<Path, FileIndex> other : others.entrySet()) {
      WeakReference<FileIndex> own = files.get(other.getKey());
      if (own == null || !own.refersTo(other.getValue())) {
        return false;
      }
    }
    return files.size() == others.size();
  }

  /** The indexes that it is made of, by path; empty if one of them is gone. */
  Optional<Map<Path, FileIndex>> files() {
    Map<Path, FileIndex> present = new HashMap<>();
    for (Map.Entry<Path, WeakReference<FileIndex>> file : files.entrySet()) {
      FileIndex index = file.getValue().get();
      if (index == null) {
        return Optional.empty();
      }
      present.put(file.getKey(), index);
    }
    return Optional.of(present);
  }

  /**
   * Whether a file may have a token, as far as memory tells; certain if not.
   *
   * @param token its {@link TokenBloom#hash}
   */
  boolean mayHold(long token) {
    for (WeakReference<FileIndex> file : files.values()) {
      FileIndex index = file.get();
      if (index == null || index.mayHold(token)) {
        return true;
      }
    }
    return false;
  }

  /** How many blocks hold rows of a range, as far as the files' indexes are still there. */
  int blocksWithin(byte[] start, byte[] end) {
    int blocks = 0;
    for (WeakReference<FileIndex> file : files.values()) {
      FileIndex index = file.get();
      blocks += index == null ? 0 : index.blocks().countWithin(start, end);
    }
    return blocks;
  }

  /** The parts of files' indexes that may have such tokens; files without any are not there. */
  Map<Path, BitSet> find(TokenRange tokens) {
    Map<Path, BitSet> found = new HashMap<>();
    Consumer<Place> add =
        place -> found.computeIfAbsent(place.file(), name -> new BitSet()).set(place.zone().part());
    intervals.overlapping(tokens, add);
    Envelope searched = tokens.box().map(GlobalIndex::envelope).orElse(EVERYWHERE);
    rectangles.query(searched, place -> add.accept((Place) place));
    return found;
  }
}
