package io.deli.lab.experiment;

import java.util.Locale;

/**
 * Whether what a paper found holds here: a figure and the bound that it must keep.
 *
 * @param claim what must hold
 * @param found the figure; not a number if it was not measured
 * @param bound that it is compared with
 * @param atLeast whether the bound is the least that will do, or the greatest
 */
public record Check(String claim, double found, double bound, boolean atLeast) {
  public boolean measured() {
    return !Double.isNaN(found);
  }

  /** False, too, for what was not measured. */
  public boolean holds() {
    return atLeast ? found >= bound : found <= bound;
  }

  /** In one word. */
  public String verdict() {
    return measured() ? holds() ? "yes" : "no" : "not measured";
  }

  /** The bound, for a person. */
  public String wanted() {
    return (atLeast ? "at least " : "at most ") + String.format(Locale.ROOT, "%.2f", bound);
  }
}
