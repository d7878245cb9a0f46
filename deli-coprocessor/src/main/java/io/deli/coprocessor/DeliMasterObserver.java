package io.deli.coprocessor;

import io.deli.coprocessor.internal.masterobserver.TableOperationGuard;
import io.deli.coprocessor.spi.Contained;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;

/**
 * Refuses what would make an index in use miss rows in silence: to bring its table back from a
 * snapshot, to empty, replace or weaken the table that holds it, and to have one read that was not
 * in use. To be named in {@code hbase.coprocessor.master.classes}; a master that cannot load it
 * aborts.
 *
 * <p>It looks at tables by itself, whatever the user may see of them; at none that can have nothing
 * to do with an index.
 */
public final class DeliMasterObserver implements MasterCoprocessor, MasterObserver {
  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  /** A check of an operation. */
  private interface Check {
    void by(TableOperationGuard guard) throws IOException;
  }

  /** Checks; anything but an {@link IOException} would abort the master. */
  private static void ask(ObserverContext<MasterCoprocessorEnvironment> context, Check check)
      throws IOException {
    Contained.run(
        () -> check.by(TableOperationGuard.of(context.getEnvironment().getConnection())),
        e -> new IOException("the state of the indexes is not known: " + e, e));
  }

  /** Checks an existing table, which gets the descriptor of the snapshot, too. */
  @Override
  public void preRestoreSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> context,
      SnapshotDescription snapshot,
      TableDescriptor restored)
      throws IOException {
    ask(context, guard -> guard.restore(restored));
  }

  /** Checks a new table, which may have the name of the one that the snapshot was taken of. */
  @Override
  public void preCloneSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> context,
      SnapshotDescription snapshot,
      TableDescriptor clone)
      throws IOException {
    ask(context, guard -> guard.cloneOf(clone));
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableDescriptor table,
      RegionInfo[] regions)
      throws IOException {
    ask(context, guard -> guard.create(table.getTableName()));
  }

  @Override
  public void preTruncateTable(
      ObserverContext<MasterCoprocessorEnvironment> context, TableName table) throws IOException {
    ask(context, guard -> guard.empty(table));
  }

  /** A hook of HBase 2.6; 2.5 has neither the operation nor the hook. */
  @SuppressWarnings("MissingOverride")
  public void preTruncateRegion(
      ObserverContext<MasterCoprocessorEnvironment> context, RegionInfo region) {
    try {
      ask(context, guard -> guard.empty(region.getTable()));
    } catch (IOException e) {
      DeliMasterObserver.<RuntimeException>refuse(e);
    }
  }

  /** The hook declares no exception, but HBase, which calls it, takes one to its client. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> void refuse(IOException e) throws E {
    throw (E) e;
  }

  /**
   * Checks any of the operations that alter tables or families. HBase calls this with the table's
   * lock, and thus with the descriptor that is replaced; ahead of the lock, where {@code
   * preModifyTable} is called, another operation may alter the table yet.
   */
  @Override
  public void preModifyTableAction(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName table,
      TableDescriptor present,
      TableDescriptor altered)
      throws IOException {
    ask(context, guard -> guard.alter(present, altered));
  }
}
