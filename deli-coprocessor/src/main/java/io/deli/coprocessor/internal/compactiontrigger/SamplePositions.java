package io.deli.coprocessor.internal.compactiontrigger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** Chooses sample positions, evenly among cells. */
final class SamplePositions {
  private SamplePositions() {}

  /**
   * A part of a file.
   *
   * @param row in which it begins
   * @param cells that it has, about
   */
  record Part(byte[] row, double cells) {}

  /**
   * The rows in which the parts begin that hold every so-manieth cell, in order; a part with many
   * cells comes several times.
   *
   * @param count how many
   * @param phase where between the first two to begin, from 0 to less than 1
   */
  static List<byte[]> choose(List<Part> parts, int count, double phase) {
    List<Part> ordered =
        parts.stream().sorted(Comparator.comparing(Part::row, Bytes.BYTES_COMPARATOR)).toList();
    double step = ordered.stream().mapToDouble(Part::cells).sum() / count;
    List<byte[]> places = new ArrayList<>(count);
    double passed = 0;
    for (Part part : ordered) {
      passed += part.cells();
      while (places.size() < count && (phase + places.size()) * step < passed) {
        places.add(part.row());
      }
    }
    return places;
  }
}
