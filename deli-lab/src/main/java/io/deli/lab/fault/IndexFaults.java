package io.deli.lab.fault;

import io.deli.client.BuildOptions;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** Index DDL on indexes in use: dropped and created again, rebuilt, disabled for a while. */
public final class IndexFaults {
  private static final int TRIES = 5;

  private final Connection connection;
  private final TableName base;
  private final List<IndexDefinition> redefinable;

  /**
   * @param redefinable indexes whose queries may fail for a while
   */
  public IndexFaults(Connection connection, TableName base, List<IndexDefinition> redefinable) {
    this.connection = connection;
    this.base = base;
    this.redefinable = List.copyOf(redefinable);
  }

  /** Each of them. */
  public List<Fault> all() {
    return List.of(
        Fault.of("drop and re-creation of an index", this::recreate),
        Fault.of("rebuild of an index", this::rebuild));
  }

  private IndexDefinition any(Random random) {
    return redefinable.get(random.nextInt(redefinable.size()));
  }

  /** Tried again until there is an index, for other faults may get in the way. */
  private void recreate(Random random) throws IOException {
    IndexDefinition definition = any(random);
    String index = definition.name();
    DeliAdmin deli = DeliAdmin.of(connection);
    IOException refused = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        if (deli.list(base).stream().anyMatch(each -> each.name().equals(index))) {
          deli.dropIndex(base, index);
        }
        deli.createIndex(
            base, definition, CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
        if (deli.describe(base, index).state() != IndexState.ACTIVE) {
          deli.build(base, index, BuildOptions.DEFAULT, ProgressListener.NONE);
        }
        return;
      } catch (IOException e) {
        refused = e;
      }
    }
    throw new IllegalStateException(
        "index %s is gone after %d tries".formatted(index, TRIES), refused);
  }

  private void rebuild(Random random) throws IOException {
    DeliAdmin.of(connection)
        .build(base, any(random).name(), BuildOptions.DEFAULT, ProgressListener.NONE);
  }
}
