package io.deli.test.toy;

import com.google.auto.service.AutoService;
import io.deli.config.Setting;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.MergeTime;
import io.deli.strategy.postings.PostingLists;

/**
 * A strategy with a setting of its own: posting lists as those of {@code lazy}, but short ones.
 * Nothing outside of this package knows that there is one.
 */
@AutoService(IndexStrategy.class)
public final class ToyStrategy extends PostingLists {
  static final String NAME = "toy";

  static final Setting<Integer> CELL_BYTES =
      Setting.count(
          "deli.toy.cell.bytes", 512, 1, "Bytes of one cell of a toy list, above which it is cut.");

  public ToyStrategy() {
    super(NAME, "lists of which short parts are read", MergeTime.AT_COMPACTION);
  }

  @Override
  public Setting<Integer> mergedBytes() {
    return CELL_BYTES;
  }
}
