package io.deli.coprocessor;

import io.deli.coprocessor.internal.restore.RestoredTable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;

/**
 * Refuses to bring a table back from a snapshot while one of its indexes is in use, which would
 * miss rows in silence. To be named in {@code hbase.coprocessor.master.classes}; a master that
 * cannot load it aborts.
 *
 * <p>It looks at the states of index tables by itself, whatever the user may see of them.
 */
public final class DeliMasterObserver implements MasterCoprocessor, MasterObserver {
  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  /** Of a table that is there: it gets the descriptor of the snapshot, too. */
  @Override
  public void preRestoreSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> context,
      SnapshotDescription snapshot,
      TableDescriptor restored)
      throws IOException {
    Connection master = context.getEnvironment().getConnection();
    admit(master, RestoredTable.of(restored));
    // Clients may go by what it says now until their lease is over.
    admit(master, RestoredTable.of(current(master, restored.getTableName())));
  }

  private static TableDescriptor current(Connection master, TableName table) throws IOException {
    try (Admin admin = master.getAdmin()) {
      return admin.getDescriptor(table);
    }
  }

  /** To a new table, which may have the name of the one that the snapshot was taken of. */
  @Override
  public void preCloneSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> context,
      SnapshotDescription snapshot,
      TableDescriptor clone)
      throws IOException {
    admit(context.getEnvironment().getConnection(), RestoredTable.of(clone));
  }

  private static void admit(Connection master, RestoredTable table) throws IOException {
    Optional<String> refusal;
    try {
      refusal = table.refusal(usable(master, table.indexTables()));
    } catch (RuntimeException e) {
      // By any other exception the master would abort.
      throw new IOException("the state of the indexes is not known", e);
    }
    if (refusal.isPresent()) {
      throw new DoNotRetryIOException(refusal.get());
    }
  }

  private static Set<TableName> usable(Connection master, Collection<TableName> tables)
      throws IOException {
    Set<TableName> usable = new HashSet<>();
    try (Admin admin = master.getAdmin()) {
      for (TableName table : tables) {
        if (isUsable(admin, table)) {
          usable.add(table);
        }
      }
    }
    return usable;
  }

  /** One that is being disabled may be used yet. */
  private static boolean isUsable(Admin admin, TableName table) throws IOException {
    try {
      return !admin.isTableDisabled(table);
    } catch (TableNotFoundException e) {
      return false;
    }
  }
}
