package io.deli.lab.experiment;

/** The scale of a measurement. */
public enum Size {
  /** Seconds each: shows that an experiment runs, not what it finds. */
  TINY(0, 1),
  /** Minutes each, on a laptop. */
  SMALL(1, 3),
  /** As long as it takes for figures to be quoted. */
  FULL(1, 5);

  private final int warmups;
  private final int rounds;

  Size(int warmups, int rounds) {
    this.warmups = warmups;
    this.rounds = rounds;
  }

  /** Rounds ahead of which nothing is reported. */
  public int warmups() {
    return warmups;
  }

  public int rounds() {
    return rounds;
  }

  /** The value for this size. */
  public int pick(int tiny, int small, int full) {
    return switch (this) {
      case TINY -> tiny;
      case SMALL -> small;
      case FULL -> full;
    };
  }
}
