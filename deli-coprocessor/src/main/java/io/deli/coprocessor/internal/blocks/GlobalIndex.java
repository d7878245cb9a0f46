package io.deli.coprocessor.internal.blocks;

import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leads a lookup past the files of a store, and the parts of their indexes, that cannot have a
 * token: the ranges of all of them in one structure. Immutable; made anew of what the files carry
 * when there are others.
 *
 * <p>NEXT, section 3.2. It is recovered in the same way when a region opens, so that it needs no
 * log (there, section 3.3).
 */
final class GlobalIndex {
  private final Map<String, FileIndex> files;
  private final IntervalTree<Place> zones;

  private record Place(String file, FileIndex.Zone zone) {}

  /**
   * @param files by name
   */
  GlobalIndex(Map<String, FileIndex> files) {
    this.files = Map.copyOf(files);
    List<Place> places = new ArrayList<>();
    files.forEach(
        (file, index) -> index.zones().forEach(zone -> places.add(new Place(file, zone))));
    zones = new IntervalTree<>(places, place -> place.zone().tokens());
  }

  /** Whether it is made of these. */
  boolean isOf(Map<String, FileIndex> others) {
    return files.equals(others);
  }

  /** The parts of files' indexes that may have such tokens; files without any are not there. */
  Map<String, BitSet> find(TokenRange tokens) {
    Map<String, BitSet> found = new HashMap<>();
    zones.overlapping(
        tokens,
        place ->
            found.computeIfAbsent(place.file(), name -> new BitSet()).set(place.zone().part()));
    return found;
  }
}
