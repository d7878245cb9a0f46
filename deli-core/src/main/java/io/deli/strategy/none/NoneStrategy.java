package io.deli.strategy.none;

import com.google.auto.service.AutoService;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.scanned.ScannedRows;

/** Keeps nothing; all of the base table is read. */
@AutoService(IndexStrategy.class)
public final class NoneStrategy extends ScannedRows {
  @Override
  public String name() {
    return "none";
  }
}
