package io.deli.client.internal.build;

import io.deli.client.BuildEngine.Written;
import io.deli.client.BuildOptions;
import io.deli.client.EntryWriter;
import io.deli.client.internal.TaskQueue;
import io.deli.client.internal.build.Build.Backfill;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/** Backfills an index by threads of this process. */
record ThreadedBackfill(BuildOptions options) implements Backfill {
  @Override
  public void requireFit(IndexDefinition definition) {
    options.writer().ifPresent(writer -> writer.requireFit(definition));
  }

  @Override
  public Written run(BuildContext context, List<BuildCheckpoint.Range> ranges) throws IOException {
    BuildCounters counters = new BuildCounters(context.lease(), options.rowsPerSecond());
    Queue<BuildCheckpoint.Range> left = new ConcurrentLinkedQueue<>();
    ranges.stream().filter(range -> !range.done()).forEach(left::add);
    int done = ranges.size() - left.size();
    int working = Math.min(options.threads(), left.size());
    Runnable report =
        () ->
            context
                .progress()
                .progress("reading ranges of rows", done + counters.ranges(), ranges.size());
    try (EntryWriter.Runs runs = open(context, counters);
        TaskQueue tasks = new TaskQueue(options.threads())) {
      for (int i = 0; i < working; i++) {
        tasks.submit(() -> new RangeBackfill(context, counters, runs.begin()).run(left), () -> {});
      }
      supervise(tasks, left, context, report);
    }
    return counters.written();
  }

  /** Waits for all threads; a failure of one ends the others. */
  private static void supervise(
      TaskQueue threads, Queue<BuildCheckpoint.Range> left, BuildContext context, Runnable report)
      throws IOException {
    report.run();
    try {
      threads.settleAll(
          () -> {
            report.run();
            context.check();
            threads.throwFailure();
          });
    } catch (IOException | RuntimeException | Error e) {
      left.clear();
      ExceptionUtil.rethrowIfInterrupt(e);
      // A build that has to stop says so, not what came of it.
      context.check();
      throw e;
    }
    report.run();
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
