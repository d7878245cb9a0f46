package io.deli.fileindex.internal.next;

import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Divides the tokens of a posting block into zones, so that the widest gaps between them are in
 * none.
 *
 * <p>NEXT, section 4, splits where the range grows by more than a threshold, in the unit of the
 * attribute, and finds that each data set needs another one (section 6.4). Tokens of strings have
 * no unit, and there is nobody to choose it for each column. So the threshold here is a multiple of
 * the mean gap between the different tokens of the block: it means the same in blocks of any data,
 * dense or sparse. Of evenly drawn tokens, whose gaps are distributed exponentially, those above c
 * times the mean are one in e<sup>c</sup>, and together (1 + c) / e<sup>c</sup> of the range. A
 * share of the block's range, as in the paper's unit, would divide such tokens nowhere, since no
 * gap among a thousand comes near a tenth of all.
 *
 * <p>The paper has no bound on zones, and a global index larger than the postings (section 6.4,
 * Figure 10c). Zones stay in memory, so there is one here, and gaps are left out from the widest
 * on. Nor do they take more than some bytes of a block, since bounds of long tokens are long.
 *
 * @param factor how many times the mean gap one must exceed to be in no zone
 * @param most zones of a block, at least one
 * @param mostBytes of memory for the zones of a file; where they need more, each block has one
 */
record ZoneSplit(int factor, int most, long mostBytes) {
  /** A range that holds some tokens, given in their order. */
  @FunctionalInterface
  interface Bounds {
    TokenRange of(List<TokenRange> tokens);
  }

  /**
   * Divides.
   *
   * @param tokens ascending, at least one; a range of each that is known but in part
   * @param bytes that the bounds of zones may take, about; one zone is made in any case
   */
  List<TokenRange> divide(List<TokenRange> tokens, int bytes, Bounds bounds) {
    double[] gaps = gaps(tokens);
    int fit = bytes / (2 * tokens.get(0).first().length + 1);
    double widestWithin = widestWithin(gaps, Math.max(1, Math.min(most, fit)));
    List<TokenRange> zones = new ArrayList<>();
    int first = 0;
    for (int i = 0; i < gaps.length; i++) {
      if (gaps[i] > widestWithin) {
        zones.add(bounds.of(tokens.subList(first, i + 1)));
        first = i + 1;
      }
    }
    zones.add(bounds.of(tokens.subList(first, tokens.size())));
    return zones;
  }

  /** The widest gap that a zone may have; of equals at the bound, all stay in. */
  private double widestWithin(double[] gaps, int zones) {
    // Postings of one token would make the mean that of rows, not of tokens.
    double[] different = Arrays.stream(gaps).filter(gap -> gap > 0).sorted().toArray();
    double mean = Arrays.stream(different).average().orElse(0);
    double atBound = different.length < zones ? 0 : different[different.length - zones];
    return Math.max(factor * mean, atBound);
  }

  /** Of each token but the last, how far behind it the next one is. */
  private static double[] gaps(List<TokenRange> tokens) {
    byte[] least = tokens.get(0).first();
    byte[] last = tokens.get(tokens.size() - 1).first();
    int common = Bytes.findCommonPrefix(least, last, least.length, last.length, 0, 0);
    double[] gaps = new double[tokens.size() - 1];
    double before = number(least, common);
    for (int i = 0; i < gaps.length; i++) {
      double next = number(tokens.get(i + 1).first(), common);
      gaps[i] = next - before;
      before = next;
    }
    return gaps;
  }

  /**
   * A token's place between its neighbours, from the eight bytes behind what all have in common.
   */
  private static double number(byte[] token, int offset) {
    double number = 0;
    for (int i = offset; i < offset + Long.BYTES; i++) {
      number = number * 256 + (i < token.length ? token[i] & 0xFF : 0);
    }
    return number;
  }
}
