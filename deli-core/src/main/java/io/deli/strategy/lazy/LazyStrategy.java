package io.deli.strategy.lazy;

import com.google.auto.service.AutoService;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.MergeTime;
import io.deli.strategy.postings.PostingLists;

/** A posting is appended, and goes into a list when the index table is compacted. */
@AutoService(IndexStrategy.class)
public final class LazyStrategy extends PostingLists {
  public LazyStrategy() {
    super("lazy", "few values with many rows, the newest asked for", MergeTime.AT_COMPACTION);
  }
}
