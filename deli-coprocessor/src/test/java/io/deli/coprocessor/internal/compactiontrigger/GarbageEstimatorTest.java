package io.deli.coprocessor.internal.compactiontrigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.deli.coprocessor.internal.compactiontrigger.GarbageEstimator.Sample;
import io.deli.coprocessor.internal.compactiontrigger.GarbageEstimator.Sample.Stretch;
import io.deli.coprocessor.internal.compactiontrigger.SamplePositions.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The estimate of garbage, and its error. */
class GarbageEstimatorTest {
  private static final int PLACES = 32;
  private static final int PARTS = 1_000;
  private static final int CELLS = 200;

  private final Random random = new Random(7);

  @Test
  void whereNothingDiesItIsNothing() {
    assertThat(new Sample(List.of()).ratio()).isZero();
    assertThat(new Sample(List.of(new Stretch(0, 0, 0))).ratio()).isZero();
    assertThat(new Sample(List.of(new Stretch(9, 0, 0), new Stretch(9, 9, 0))).ratio()).isZero();
  }

  @Test
  void whatIsReadWholeIsExact() {
    assertThat(new Sample(List.of(new Stretch(1_000, 300, 75))).ratio()).isEqualTo(0.25);
  }

  @Test
  void rowsWithManyVersionsDoNotCountTwice() {
    // Half of the cells are in a few long rows, all but dead; the others are alive.
    Stretch longRow = new Stretch(1_000, 1_000, 1_000);
    Stretch living = new Stretch(CELLS, CELLS, 0);
    List<Stretch> stretches = new ArrayList<>(Collections.nCopies(PLACES / 2, longRow));
    stretches.addAll(Collections.nCopies(PLACES / 2, living));
    assertThat(new Sample(stretches).ratio()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void itIsTheShareWhenEveryCellIsAPlace() {
    List<Stretch> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      int versions = random.nextInt(40);
      rows.add(
          new Stretch(1 + versions + random.nextInt(40), versions, random.nextInt(versions + 1)));
    }
    List<Part> parts =
        IntStream.range(0, rows.size())
            .mapToObj(i -> new Part(Bytes.toBytes(i), rows.get(i).cells()))
            .toList();
    int cells = rows.stream().mapToInt(row -> (int) row.cells()).sum();
    Sample sample =
        new Sample(
            SamplePositions.choose(parts, cells, 0.5).stream()
                .map(place -> rows.get(Bytes.toInt(place)))
                .toList());
    double versions = rows.stream().mapToLong(Stretch::versions).sum();
    double dying = rows.stream().mapToLong(Stretch::dying).sum();
    assertThat(sample.ratio()).isCloseTo(dying / versions, within(1e-9));
  }

  @Test
  void stretchesThatAreGarbageThroughoutOrNotAtAllAreTheWorst() {
    double error =
        deviation(0.5, part -> new Stretch(CELLS, CELLS, random.nextBoolean() ? CELLS : 0));
    assertThat(error).isBetween(0.084, 0.0925);
  }

  @Test
  void versionsThatDieIndependentlyAreEstimatedWell() {
    double error =
        deviation(
            0.5,
            part ->
                new Stretch(
                    CELLS,
                    CELLS / 2,
                    IntStream.range(0, CELLS / 2).filter(i -> random.nextBoolean()).count()));
    assertThat(error).isLessThan(0.011);
  }

  /** How far samples are off, on average of squares. */
  private double deviation(double truth, IntFunction<Stretch> stretches) {
    List<Part> parts =
        IntStream.range(0, PARTS).mapToObj(i -> new Part(Bytes.toBytes(i), CELLS)).toList();
    double squares = 0;
    int times = 5_000;
    for (int i = 0; i < times; i++) {
      Sample sample =
          new Sample(
              SamplePositions.choose(parts, PLACES, random.nextDouble()).stream()
                  .map(place -> stretches.apply(Bytes.toInt(place)))
                  .toList());
      squares += Math.pow(sample.ratio() - truth, 2);
    }
    return Math.sqrt(squares / times);
  }
}
