package io.deli.client.internal.build;

import io.deli.client.BuildEngine;
import io.deli.client.BuildEngine.Written;
import io.deli.client.internal.build.Build.Backfill;
import io.deli.client.internal.verify.BaseTableReader;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/** Backfills an index by the caller's engine, from the first unfinished range to the last. */
record EngineBackfill(BuildEngine engine) implements Backfill {
  @Override
  public void requireFit(IndexDefinition definition) {
    engine.requireFit(definition);
  }

  @Override
  public Written run(BuildContext context, List<BuildCheckpoint.Range> ranges) throws IOException {
    List<BuildCheckpoint.Range> left = ranges.stream().filter(range -> !range.done()).toList();
    if (left.isEmpty()) {
      return new Written(0, 0, 0, Optional.empty());
    }
    Scan scan =
        BaseTableReader.stored(context.index())
            .withStartRow(left.get(0).rest().start())
            .withStopRow(left.get(left.size() - 1).rest().stop());
    // The engine may delete files of an earlier builder.
    context.lease().confirm();
    Written written = engine.run(context, scan, context.progress());
    context.lease().confirm();
    context.checkpoint().done(context.layout(), left);
    return written;
  }
}
