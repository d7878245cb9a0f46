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
    TokenRange of(List<byte[]> tokens);
  }

  /**
   * Divides.
   *
   * @param tokens ascending, at least one
   */
  List<TokenRange> divide(List<byte[]> tokens, Bounds bounds) {
    byte[] last = tokens.get(tokens.size() - 1);
    int common =
        Bytes.findCommonPrefix(tokens.get(0), last, tokens.get(0).length, last.length, 0, 0);
    double widest = threshold * (number(last, common) - number(tokens.get(0), common));
    List<TokenRange> zones = new ArrayList<>();
    int first = 0;
    for (int i = 1; i < tokens.size(); i++) {
      if (number(tokens.get(i), common) - number(tokens.get(i - 1), common) > widest) {
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
