package io.deli.tools.advise;

import io.deli.tools.advise.Sample.Stretch;
import io.deli.tools.advise.Sample.Value;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A column, as a sample shows it.
 *
 * @param rows in the sample
 * @param values rows in the sample that have a current value
 * @param distinct values among these
 * @param once of the distinct values, those that only one stretch has
 * @param twice of the distinct values, those that two stretches have
 * @param keyBytes of an average row key
 * @param valueBytes of an average value
 * @param timeCorrelation Spearman's rank correlation of values and timestamps, from -1 to 1
 * @param boundsShare of the stretches, the share whose bounds hold a value found elsewhere, on
 *     average: what zone maps do not exclude
 * @param superseded share of the versions that are replaced or deleted
 */
public record ColumnFacts(
    long rows,
    long values,
    long distinct,
    long once,
    long twice,
    double keyBytes,
    double valueBytes,
    double timeCorrelation,
    double boundsShare,
    double superseded) {

  /** The facts of a sample that has values. */
  static ColumnFacts of(Sample sample) {
    List<int[]> stretches = ranks(sample);
    long values = sample.values();
    int distinct = 1 + stretches.stream().flatMapToInt(Arrays::stream).max().orElse(-1);
    int[] occurrences = occurrences(stretches, distinct);
    return new ColumnFacts(
        sample.rows(),
        values,
        distinct,
        Arrays.stream(occurrences).filter(times -> times == 1).count(),
        Arrays.stream(occurrences).filter(times -> times == 2).count(),
        (double) sample.sum(Stretch::keyBytes) / sample.rows(),
        values(sample).mapToInt(value -> value.ordered().length).average().orElse(0),
        timeCorrelation(stretches, sample),
        boundsShare(stretches, values),
        1 - (double) values / sample.sum(Stretch::versions));
  }

  private static Stream<Value> values(Sample sample) {
    return sample.stretches().stream().flatMap(stretch -> stretch.values().stream());
  }

  /** Values as their places in the order of all distinct ones. */
  private static List<int[]> ranks(Sample sample) {
    Set<byte[]> sorted = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    values(sample).forEach(value -> sorted.add(value.ordered()));
    NavigableMap<byte[], Integer> ranks = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    sorted.forEach(value -> ranks.put(value, ranks.size()));
    return sample.stretches().stream()
        .map(
            stretch ->
                stretch.values().stream().mapToInt(value -> ranks.get(value.ordered())).toArray())
        .filter(stretch -> stretch.length > 0)
        .toList();
  }

  /** In how many stretches each value is. */
  private static int[] occurrences(List<int[]> stretches, int distinct) {
    int[] occurrences = new int[distinct];
    for (int[] stretch : stretches) {
      Arrays.stream(stretch).distinct().forEach(rank -> occurrences[rank]++);
    }
    return occurrences;
  }

  /** None where all values, or all timestamps, are the same. */
  private static double timeCorrelation(List<int[]> stretches, Sample sample) {
    double[] ranks = stretches.stream().flatMapToInt(Arrays::stream).asDoubleStream().toArray();
    double[] times = values(sample).mapToDouble(Value::timestamp).toArray();
    if (ranks.length < 2) {
      return 0;
    }
    double correlation = new SpearmansCorrelation().correlation(ranks, times);
    return Double.isNaN(correlation) ? 0 : correlation;
  }

  private static double boundsShare(List<int[]> stretches, long values) {
    double sum = 0;
    for (int[] stretch : stretches) {
      int least = Arrays.stream(stretch).min().orElseThrow();
      int greatest = Arrays.stream(stretch).max().orElseThrow();
      long within =
          stretches.stream()
              .flatMapToInt(Arrays::stream)
              .filter(rank -> least <= rank && rank <= greatest)
              .count();
      long others = values - stretch.length;
      sum += others == 0 ? 1 : (double) (within - stretch.length) / others;
    }
    return sum / stretches.size();
  }

  /** Share of the rows that have a value. */
  public double share() {
    return (double) values / rows;
  }

  /**
   * The number of distinct values that so many rows have: Chao's estimate (1987) from those that
   * few stretches have, a lower bound in expectation. Stretches, not rows, are the sampling units,
   * for neighbours may have the same value. It does not exceed what it would be if new values kept
   * coming as often as in the sample.
   */
  double distinctIn(double indexedRows) {
    double unseen = once * (once - 1.0) / (2 * (twice + 1.0));
    return Math.min(distinct + unseen, distinct * Math.max(1, indexedRows / values));
  }
}
