package io.deli.client.internal.build;

import io.deli.client.BuildEngine.Written;
import io.deli.client.BuildOptions;
import io.deli.client.EntryWriter;
import io.deli.client.internal.build.Build.Backfill;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;

/** Backfills an index by threads of this process. */
record ThreadedBackfill(BuildOptions options) implements Backfill {
  @Override
  public void requireFit(IndexDefinition definition) {
    options.writer().ifPresent(writer -> writer.requireFit(definition));
  }

  @Override
  public Written run(BuildContext context, List<BuildCheckpoint.Range> ranges) throws IOException {
    BuildCounters counters = new BuildCounters(context.lease(), options.rowsPerSecond());
    try (EntryWriter.Runs runs = open(context, counters)) {
      new WorkerPool(
              options.threads(),
              left -> new RangeBackfill(context, counters, runs.begin()).run(left),
              context::check,
              context.progress())
          .run(ranges, counters);
    }
    return counters.written();
  }

  /** Writes entries by Puts; holds nothing to close. */
  private record PutRuns(BuildContext context, BuildCounters counters) implements EntryWriter.Runs {
    @Override
    public EntryWriter.Run begin() {
      return new PutRun(context.connection(), context.index(), counters);
    }

    @Override
    public void close() {}
  }

  private EntryWriter.Runs open(BuildContext context, BuildCounters counters) throws IOException {
    if (options.writer().isEmpty()) {
      return new PutRuns(context, counters);
    }
    // Opening may delete files of an earlier builder.
    context.lease().confirm();
    return options.writer().get().open(context, options.threads());
  }
}
