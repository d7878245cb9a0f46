package io.deli.lab.experiment;

/** The scale of a measurement. */
public enum Size {
  /** Seconds each: shows that an experiment runs, not what it finds. */
  TINY,
  /** Minutes each, on a laptop. */
  SMALL,
  /** As long as it takes for figures to be quoted. */
  FULL;

  /** Rounds ahead of which nothing is reported. */
  public int warmups() {
    return pick(0, 1, 1);
  }

  public int rounds() {
    return pick(1, 3, 5);
  }

  public int pick(int tiny, int small, int full) {
    return switch (this) {
      case TINY -> tiny;
      case SMALL -> small;
      case FULL -> full;
    };
  }
}
