package io.deli.client;

import java.util.List;

/**
 * How to create an index.
 *
 * @param splits values, in the column's encoding, at which the index table is split from the start
 * @param existingRows what to do if the table has rows
 */
public record CreateIndexOptions(List<byte[]> splits, ExistingRows existingRows) {
  /** One region; refuses a table with rows. */
  public static final CreateIndexOptions DEFAULT =
      new CreateIndexOptions(List.of(), ExistingRows.REFUSE);

  public CreateIndexOptions {
    splits = List.copyOf(splits);
  }

  public CreateIndexOptions withSplits(List<byte[]> values) {
    return new CreateIndexOptions(values, existingRows);
  }

  public CreateIndexOptions withExistingRows(ExistingRows choice) {
    return new CreateIndexOptions(splits, choice);
  }
}
