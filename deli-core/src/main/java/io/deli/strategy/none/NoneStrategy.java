package io.deli.strategy.none;

import com.google.auto.service.AutoService;
import io.deli.strategy.Cost;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Workload;
import io.deli.strategy.scanned.ScannedRows;
import java.util.Optional;

/** Keeps nothing; all of the base table is read. */
@AutoService(IndexStrategy.class)
public final class NoneStrategy extends ScannedRows {
  public NoneStrategy() {
    super("none", "small tables, columns hardly asked for");
  }

  @Override
  public boolean joinsColumns() {
    return true;
  }

  /** A scan, which goes from region to region. */
  @Override
  public Optional<Cost> cost(Workload work) {
    return Optional.of(
        new Cost(name(), 1, 0, 0, work.regions(), work.blocks(), work.blocks(), 0, 0));
  }
}
