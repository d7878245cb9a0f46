package io.deli.client.internal.build;

import io.deli.client.BuildEngine.Written;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;

/** The step of a build that reads ranges of rows and writes their entries. */
interface Work {
  /** Throws if this cannot be done for such an index. */
  void requireFit(IndexDefinition definition);

  /** Does those that are not done, and writes that down. */
  Written run(Site site, List<KeyRange> ranges) throws IOException;
}
