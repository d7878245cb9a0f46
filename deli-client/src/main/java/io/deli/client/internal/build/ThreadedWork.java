package io.deli.client.internal.build;

import io.deli.client.BuildEngine.Written;
import io.deli.client.BuildOptions;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;

/** Done by threads of this process, which take ranges in turn. */
record ThreadedWork(BuildOptions options) implements Work {
  @Override
  public void requireFit(IndexDefinition definition) {
    // Each does.
  }

  @Override
  public Written run(Site site, List<KeyRange> ranges) throws IOException {
    Effort effort = new Effort(site.tenure(), options.rowsPerSecond());
    new Crew(
            options.threads(),
            left -> new RangeBuild(site, effort).run(left),
            site::requireUnchanged,
            site.progress())
        .run(ranges, effort);
    return new Written(effort.rows(), effort.entries(), effort.refused());
  }
}
