package io.deli.client.internal.build;

import io.deli.client.BuildEngine.Written;
import io.deli.client.BuildOptions;
import io.deli.client.EntryWriter;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;

/** Done by threads of this process, which take ranges in turn. */
record ThreadedWork(BuildOptions options) implements Work {
  @Override
  public void requireFit(IndexDefinition definition) {
    options.writer().ifPresent(writer -> writer.requireFit(definition));
  }

  @Override
  public Written run(Site site, List<KeyRange> ranges) throws IOException {
    Effort effort = new Effort(site.tenure(), options.rowsPerSecond());
    try (EntryWriter.Runs runs = open(site, effort)) {
      new Crew(
              options.threads(),
              left -> new RangeBuild(site, effort, runs.begin()).run(left),
              site::check,
              site.progress())
          .run(ranges, effort);
    }
    return new Written(effort.rows(), effort.entries(), effort.refused(), effort.refusal());
  }

  private EntryWriter.Runs open(Site site, Effort effort) throws IOException {
    if (options.writer().isEmpty()) {
      return new PutRuns(site, effort);
    }
    // A writer may clear away what others left.
    site.tenure().confirm();
    return options.writer().get().open(site, options.threads());
  }
}
