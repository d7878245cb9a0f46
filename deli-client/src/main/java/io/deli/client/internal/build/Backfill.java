package io.deli.client.internal.build;

import io.deli.client.BuildEngine.Written;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;

/** Reads ranges of base rows and writes their entries: the long step of a build. */
interface Backfill {
  /**
   * Checks the index before anything is changed.
   *
   * @throws io.deli.index.InvalidIndexException if such an index cannot be backfilled
   */
  void requireFit(IndexDefinition definition);

  /** Processes the unfinished ranges and records each as done. */
  Written run(BuildContext context, List<BuildCheckpoint.Range> ranges) throws IOException;
}
