package io.deli.client.internal.build;

import io.deli.client.BuildEngine;
import io.deli.client.BuildEngine.Written;
import io.deli.client.ProgressListener;
import io.deli.index.Index;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;

/** Done by an engine of the caller's, from the first range that is not done to the last. */
record EngineWork(BuildEngine engine) implements Work {
  @Override
  public void requireFit(IndexDefinition definition) {
    engine.requireFit(definition);
  }

  @Override
  public Written run(Site site, List<KeyRange> ranges) throws IOException {
    List<KeyRange> left = ranges.stream().filter(range -> !range.done()).toList();
    if (left.isEmpty()) {
      return new Written(0, 0, 0, Optional.empty());
    }
    Scan scan =
        RangeBuild.scan(site.index())
            .withStartRow(left.get(0).next())
            .withStopRow(left.get(left.size() - 1).end());
    // It clears away what others left.
    site.tenure().confirm();
    Written written = engine.run(new SiteTask(site, scan));
    site.tenure().confirm();
    site.ledger().done(site.layout(), left);
    return written;
  }

  private record SiteTask(Site site, Scan scan) implements BuildEngine.Task {
    @Override
    public Index index() {
      return site.index();
    }

    @Override
    public Connection connection() {
      return site.connection();
    }

    @Override
    public ProgressListener progress() {
      return site.progress();
    }

    @Override
    public void check() throws IOException {
      site.check();
    }
  }
}
