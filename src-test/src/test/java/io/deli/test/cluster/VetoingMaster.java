package io.deli.test.cluster;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;

/** Loaded by the mini cluster's master: refuses to alter the tables a test names. */
public final class VetoingMaster implements MasterCoprocessor, MasterObserver {
  private static final Set<TableName> VETOED = ConcurrentHashMap.newKeySet();

  /** From now on the master refuses to alter the table. */
  public static void refuseToAlter(TableName table) {
    VETOED.add(table);
  }

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName table,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    if (VETOED.contains(table)) {
      throw new DoNotRetryIOException("vetoed: " + table);
    }
    return changed;
  }
}
