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
    try (Admin master = context.getEnvironment().getConnection().getAdmin()) {
      admit(master, restored);
      // Clients may go by what it says now until their lease is over.
      admit(master, master.getDescriptor(restored.getTableName()));
    }
  }

  /** To a new table, which may have the name of the one that the snapshot was taken of. */
  @Override
  public void preCloneSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> context,
      SnapshotDescription snapshot,
      TableDescriptor clone)
      throws IOException {
    try (Admin master = context.getEnvironment().getConnection().getAdmin()) {
      admit(master, clone);
    }
  }

  private static void admit(Admin master, TableDescriptor descriptor) throws IOException {
    Optional<String> refusal;
    try {
      RestoredTable table = RestoredTable.of(descriptor);
      refusal = table.refusal(usable(master, table.indexTables()));
    } catch (RuntimeException e) {
      // By any other exception the master would abort.
      throw new IOException("the state of the indexes is not known", e);
    }
    if (refusal.isPresent()) {
      throw new DoNotRetryIOException(refusal.get());
    }
  }

  private static Set<TableName> usable(Admin master, Collection<TableName> tables)
      throws IOException {
    Set<TableName> usable = new HashSet<>();
    for (TableName table : tables) {
      if (isUsable(master, table)) {
        usable.add(table);
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
