package io.deli.strategy.eager;

import com.google.auto.service.AutoService;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.MergeTime;
import io.deli.strategy.postings.PostingLists;

/** A posting goes into its list as it is written. */
@AutoService(IndexStrategy.class)
public final class EagerStrategy extends PostingLists {
  public EagerStrategy() {
    super("eager", "comparison; values seldom written, often read", MergeTime.AT_WRITE);
  }
}
