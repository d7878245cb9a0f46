package io.deli.tools.advise;

import java.util.List;

/**
 * The strategy to choose.
 *
 * @param byTime whether its entries should be ordered by time
 * @param decisions the branches that led to it, in order
 * @param notes hints on its use
 */
public record Advice(
    String strategy, boolean byTime, List<Decision> decisions, List<String> notes) {
  /**
   * One branch that was taken.
   *
   * @param because the fact that answered the question
   * @param after the paper that asks it, or DELI's question in its place, with the reason
   */
  public record Decision(String question, boolean answer, String because, String after) {}
}
