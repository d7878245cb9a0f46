package io.deli.client.internal.build;

import io.deli.client.BuildTask;
import io.deli.client.ProgressListener;
import io.deli.client.internal.admin.Schema;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The parts of a running build that its threads share.
 *
 * @param connection one that shows the tags of cells
 * @param published what the base table says of the index
 * @param index with the table to be filled
 * @param layout of the ranges
 */
record BuildContext(
    Connection connection,
    Schema schema,
    IndexDefinition published,
    Index index,
    BuildCheckpoint checkpoint,
    String layout,
    BuildLease lease,
    ProgressListener progress)
    implements BuildTask {
  /** Throws if the definition has changed or another process has taken over the build. */
  @Override
  public void check() throws IOException {
    schema.requireUnchanged(index.baseTable(), published);
    lease.confirm();
  }
}
