package io.deli.client;

import java.util.List;

/**
 * Options for creating an index.
 *
 * @param splits values, in the column's encoding, at which the index table, or each of its buckets,
 *     is split from the start
 * @param existingRows what to do if the table has rows
 * @param regions how many the index table has from the start, at most, if the index is to be built:
 *     a sample of the rows tells where to split it. Each bucket has one at least, and all have as
 *     many
 */
public record CreateIndexOptions(List<byte[]> splits, ExistingRows existingRows, int regions) {
  /** One region; a table with rows is refused. */
  public static final CreateIndexOptions DEFAULT =
      new CreateIndexOptions(List.of(), ExistingRows.REFUSE, 1);

  public CreateIndexOptions {
    splits = List.copyOf(splits);
    if (regions < 1) {
      throw new IllegalArgumentException(regions + " regions: give at least 1");
    }
  }

  public CreateIndexOptions withSplits(List<byte[]> values) {
    return new CreateIndexOptions(values, existingRows, regions);
  }

  public CreateIndexOptions withExistingRows(ExistingRows choice) {
    return new CreateIndexOptions(splits, choice, regions);
  }

  public CreateIndexOptions withRegions(int number) {
    return new CreateIndexOptions(splits, existingRows, number);
  }
}
