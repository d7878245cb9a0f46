package io.deli.strategy.composite;

import com.google.auto.service.AutoService;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Retraction;
import io.deli.strategy.keyed.KeyedEntries;

/** Entries are put before the base version; only a delete of the version deletes them. */
@AutoService(IndexStrategy.class)
public final class CompositeStrategy extends KeyedEntries {
  public CompositeStrategy() {
    super("composite", "values that are written once, such as events", Retraction.AT_DELETE);
  }
}
