package io.deli.fileindex.internal.next;

import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Divides the tokens of a posting block into zones, so that the wide gaps between them are in none.
 *
 * <p>NEXT, section 4, splits where the range grows by more than a threshold, in the unit of the
 * attribute. Tokens of strings have no unit: here the threshold is a share of the range of the
 * whole block, which also bounds the number of zones.
 *
 * @param threshold between 0 and 1; at 1 a block has one zone
 */
record ZoneSplit(double threshold) {
  /** A range that holds some tokens, given in their order. */
  @FunctionalInterface
  interface Bounds {
    TokenRange of(List<TokenRange> tokens);
  }

  /**
   * Divides.
   *
   * @param tokens ascending, at least one; a range of each that is known but in part
   */
  List<TokenRange> divide(List<TokenRange> tokens, Bounds bounds) {
    byte[] least = tokens.get(0).first();
    byte[] last = tokens.get(tokens.size() - 1).first();
    int common = Bytes.findCommonPrefix(least, last, least.length, last.length, 0, 0);
    double[] numbers = tokens.stream().mapToDouble(each -> number(each.first(), common)).toArray();
    double widest = threshold * (numbers[numbers.length - 1] - numbers[0]);
    List<TokenRange> zones = new ArrayList<>();
    int first = 0;
    for (int i = 1; i < numbers.length; i++) {
      if (numbers[i] - numbers[i - 1] > widest) {
        zones.add(bounds.of(tokens.subList(first, i)));
        first = i;
      }
    }
    zones.add(bounds.of(tokens.subList(first, tokens.size())));
    return zones;
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
