package io.deli.strategy.lazy;

import com.google.auto.service.AutoService;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.MergeTime;
import io.deli.strategy.postings.PostingLists;

/** A posting is appended, and goes into a list when the index table is compacted. */
@AutoService(IndexStrategy.class)
public final class LazyStrategy extends PostingLists {
  @Override
  public String name() {
    return "lazy";
  }

  @Override
  public String purpose() {
    return "few values with many rows, the newest asked for";
  }

  @Override
  public MergeTime mergeTime() {
    return MergeTime.AT_COMPACTION;
  }
}
