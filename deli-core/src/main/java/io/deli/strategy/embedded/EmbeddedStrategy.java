package io.deli.strategy.embedded;

import com.google.auto.service.AutoService;
import io.deli.config.Setting;
import io.deli.strategy.Cost;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Workload;
import io.deli.strategy.scanned.ScannedRows;
import java.util.List;
import java.util.Optional;

/** Keeps filters with the base table's files; lookups read the blocks that may match. */
@AutoService(IndexStrategy.class)
public final class EmbeddedStrategy extends ScannedRows {
  public static final Setting<Integer> BITS_PER_KEY =
      Setting.count(
          "deli.embedded.bits.per.key",
          10,
          1,
          "Bits per token in the Bloom filters of an embedded index, in files written from now on."
              + " The table descriptor may override it.");

  public EmbeddedStrategy() {
    super(
        "embedded", "seldom asked columns of large tables; values that follow time; many columns");
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(BITS_PER_KEY);
  }

  @Override
  public FileIndexing fileIndexing() {
    return FileIndexing.FILTERS;
  }

  /** The blocks with hits, and those for which a filter errs (LevelDB++, Table 3). */
  @Override
  public Optional<Cost> cost(Workload work) {
    int bits = BITS_PER_KEY.fallback();
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
