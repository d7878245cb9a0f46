package io.deli.strategy.embedded;

import com.google.auto.service.AutoService;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.scanned.ScannedRows;

/** Keeps filters with the base table's files; lookups read the blocks that may match. */
@AutoService(IndexStrategy.class)
public final class EmbeddedStrategy extends ScannedRows {
  @Override
  public String name() {
    return "embedded";
  }

  @Override
  public FileIndexing fileIndexing() {
    return FileIndexing.FILTERS;
  }
}
