package io.deli.lab.experiment.catalog;

import java.util.SplittableRandom;

/**
 * A mixed workload of LevelDB++ (Table 7b), in per cent of the operations.
 *
 * @param inserts PUTs of rows that are not there yet
 * @param gets GETs
 * @param lookups LOOKUPs; the rest are updates
 */
record Mix(String name, int inserts, int gets, int lookups) {
  static final String INSERT = "insert";
  static final String GET = "GET";
  static final String LOOKUP = "LOOKUP";
  static final String UPDATE = "update";

  private static final int ALL = 100;

  String draw(SplittableRandom random) {
    int drawn = random.nextInt(ALL);
    if (drawn < inserts) {
      return INSERT;
    }
    if (drawn < inserts + gets) {
      return GET;
    }
    return drawn < inserts + gets + lookups ? LOOKUP : UPDATE;
  }

  @Override
  public String toString() {
    return "%d %% inserts, %d %% GETs, %d %% LOOKUPs, %d %% updates"
        .formatted(inserts, gets, lookups, ALL - inserts - gets - lookups);
  }
}
