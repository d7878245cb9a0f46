package io.deli.test.cluster;

import io.deli.strategy.IndexDefinitions;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;

/**
 * Loaded by the mini cluster's master: refuses to alter the definitions of the tables a test names,
 * or is late.
 */
public final class VetoingMaster implements MasterCoprocessor, MasterObserver {
  private static final Set<TableName> VETOED = ConcurrentHashMap.newKeySet();
  private static final Map<TableName, CountDownLatch> LATE = new ConcurrentHashMap<>();

  /** From now on the master refuses to alter the table's definitions. */
  public static void refuseToAlter(TableName table) {
    VETOED.add(table);
  }

  /** From now on the master alters these only once the latch is counted down. */
  public static void alterLate(TableName table, CountDownLatch latch) {
    LATE.put(table, latch);
  }

  @Override
  public void preModifyTableAction(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName table,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    CountDownLatch latch = LATE.get(table);
    try {
      if (latch != null && isRedefined(current, changed)) {
        latch.await();
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
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
    if (VETOED.contains(table) && isRedefined(current, changed)) {
      throw new DoNotRetryIOException("vetoed: " + table);
    }
    return changed;
  }

  private static boolean isRedefined(TableDescriptor current, TableDescriptor changed) {
    return !IndexDefinitions.of(current).equals(IndexDefinitions.of(changed));
  }
}
