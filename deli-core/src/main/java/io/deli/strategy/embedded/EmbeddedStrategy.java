package io.deli.strategy.embedded;

import com.google.auto.service.AutoService;
import io.deli.config.DeliSettings;
import io.deli.strategy.Cost;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Workload;
import io.deli.strategy.scanned.ScannedRows;
import java.util.Optional;

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

  /** The blocks with hits, and those for which a filter errs (LevelDB++, Table 3). */
  @Override
  public Optional<Cost> cost(Workload work) {
    int bits = DeliSettings.EMBEDDED_BITS.fallback();
    double errs = Math.pow(0.5, bits * Math.log(2));
    double tokens = Math.min(work.distinct(), work.rows() / work.blocks());
    double filter = tokens * bits / 8 + 2 * work.valueBytes() + 2 * Long.BYTES;
    double withinBounds = work.blocks() * Math.min(1, work.boundsShare() + work.range());
    return Optional.of(
        work.inFiles(
            name(),
            work.files() * work.blocksWith(work.hits()) + errs * work.candidates(),
            withinBounds + (work.files() - 1) * work.blocksWith(work.rows() * work.range()),
            work.blocks() * filter));
  }
}
