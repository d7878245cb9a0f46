package io.deli.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Covers a rectangle with stretches of the Z-order curve.
 *
 * <p>The plane is halved again and again, as Orenstein and Merrett (1984) do, the cell with the
 * most room beside the rectangle first; then stretches are joined across the least of the gaps.
 * Room is that of the numbers, up to a distance from the axes: to a curve over their bits all
 * numbers of less than one are half of the plane, and there would be no end of halving them.
 */
final class CurveCover {
  /** Points are thought to be up to so many times as far from the axes as the rectangle. */
  private static final double FAR = 16;

  private static final int MOST_CELLS = 500;

  private static final Comparator<Piece> ALONG_THE_CURVE =
      Comparator.comparing(piece -> piece.cell().firstToken(), Bytes.BYTES_COMPARATOR);

  private final CurveCell rectangle;
  private final double distance;
  private final List<Piece> beside = new ArrayList<>();

  private CurveCover(Box box) {
    rectangle = CurveCell.of(box);
    DoubleSummaryStatistics ends =
        DoubleStream.of(box.low().x(), box.low().y(), box.high().x(), box.high().y())
            .map(Math::abs)
            .summaryStatistics();
    distance = ends.getMax() == 0 ? 1 : Math.min(Double.MAX_VALUE, FAR * ends.getMax());
  }

  /** A cell, and its room beside the rectangle. */
  private record Piece(CurveCell cell, double room) {}

  /**
   * Ranges that hold the tokens of all points in a rectangle, in the order of the curve.
   *
   * @param most how many there may be
   */
  static List<TokenRange> of(Box box, int most) {
    CurveCover cover = new CurveCover(box);
    return cover.join(cover.cells(), most);
  }

  /** Small ones that hold all of the rectangle. */
  private List<Piece> cells() {
    PriorityQueue<Piece> cells =
        new PriorityQueue<>(Comparator.comparingDouble(Piece::room).reversed());
    cells.add(piece(CurveCell.PLANE));
    while (cells.size() < MOST_CELLS && cells.element().room() > 0) {
      for (CurveCell half : cells.remove().cell().halves()) {
        if (half.meets(rectangle)) {
          cells.add(piece(half));
        } else {
          beside.add(new Piece(half, half.area(distance)));
        }
      }
    }
    return new ArrayList<>(cells);
  }

  private Piece piece(CurveCell cell) {
    return new Piece(cell, cell.area(distance) - cell.common(rectangle).area(distance));
  }

  /** Joins neighbours, but across the widest gaps. */
  private List<TokenRange> join(List<Piece> cells, int most) {
    cells.sort(ALONG_THE_CURVE);
    double[] gaps = gapsAhead(cells);
    int[] starts =
        IntStream.concat(
                IntStream.of(0),
                IntStream.range(1, cells.size())
                    .filter(i -> gaps[i] > 0)
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer i) -> gaps[i]).reversed())
                    .limit(most - 1)
                    .mapToInt(i -> i))
            .sorted()
            .toArray();
    List<TokenRange> ranges = new ArrayList<>(starts.length);
    for (int i = 0; i < starts.length; i++) {
      int end = i + 1 < starts.length ? starts[i + 1] : cells.size();
      byte[] last = cells.get(end - 1).cell().lastToken();
      ranges.add(
          TokenRange.of(
              cells.get(starts[i]).cell().firstToken(), Optional.of(TokenRange.successor(last))));
    }
    return ranges;
  }

  /** The room between each cell and the one ahead of it. */
  private double[] gapsAhead(List<Piece> cells) {
    beside.sort(ALONG_THE_CURVE);
    double[] gaps = new double[cells.size()];
    int next = 0;
    for (int i = 0; i < gaps.length; i++) {
      while (next < beside.size() && ALONG_THE_CURVE.compare(beside.get(next), cells.get(i)) < 0) {
        gaps[i] += beside.get(next).room();
        next++;
      }
    }
    return gaps;
  }
}
