package io.deli.strategy.inplace;

import com.google.auto.service.AutoService;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Retraction;
import io.deli.strategy.keyed.KeyedEntries;

/** Entries are put before the base version and deleted by the write that supersedes it. */
@AutoService(IndexStrategy.class)
public final class InPlaceStrategy extends KeyedEntries {
  public InPlaceStrategy() {
    super("in-place", "far more reads than writes", Retraction.AT_WRITE);
  }
}
