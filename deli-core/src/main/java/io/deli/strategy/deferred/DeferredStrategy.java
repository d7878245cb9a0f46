package io.deli.strategy.deferred;

import com.google.auto.service.AutoService;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Retraction;
import io.deli.strategy.keyed.KeyedEntries;

/** Entries are put before the base version and deleted by the compaction that drops it. */
@AutoService(IndexStrategy.class)
public final class DeferredStrategy extends KeyedEntries {
  public DeferredStrategy() {
    super("deferred", "many writes and updates", Retraction.AT_REWRITE);
  }
}
