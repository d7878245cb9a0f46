package io.deli.strategy.next;

import com.google.auto.service.AutoService;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.scanned.ScannedRows;

/** Keeps postings with the base table's files; lookups read the blocks that they name. */
@AutoService(IndexStrategy.class)
public final class NextStrategy extends ScannedRows {
  @Override
  public String name() {
    return "next";
  }

  @Override
  public FileIndexing fileIndexing() {
    return FileIndexing.POSTINGS;
  }
}
