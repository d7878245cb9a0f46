package io.deli.client;

import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Runs the long step of a build elsewhere than in threads of the builder: it reads the base table
 * and writes the entries. All other steps remain with the builder, so that the index is the same
 * whichever engine built it.
 */
public interface BuildEngine {
  /**
   * Called before anything is changed.
   *
   * @throws InvalidIndexException if it cannot build such an index
   */
  void requireFit(IndexDefinition definition);

  /**
   * Writes the entries of all versions that the scan shows ({@link
   * io.deli.strategy.VersionEntries}); they are there when it returns. After a failure it is called
   * again, by this process or another, for all or a part of the same rows.
   *
   * @param scan to run over the base table, in whole rows
   */
  Written run(BuildTask task, Scan scan, ProgressListener progress) throws IOException;

  /**
   * The work that was done.
   *
   * @param rows that have the indexed column
   * @param entries written, those that were there already among them
   * @param refused versions whose values the index does not take
   * @param refusal an example of these: a row, and why its value is refused
   */
  record Written(long rows, long entries, long refused, Optional<String> refusal) {}
}
