package io.deli.test.read;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.wal.WALEdit;

/** Holds or denies the deletes that reach a table, at the server. */
final class DeleteGate {
  private static final Map<TableName, DeleteGate> GATES = new ConcurrentHashMap<>();

  private final CountDownLatch arrived = new CountDownLatch(1);
  private volatile CountDownLatch opened = new CountDownLatch(0);
  private volatile boolean denying;

  static DeleteGate on(TableName table) throws IOException {
    DeleteGate gate = new DeleteGate();
    GATES.put(table, gate);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setCoprocessor(Observer.class.getName())
              .build());
    }
    return gate;
  }

  void close() {
    opened = new CountDownLatch(1);
  }

  void open() {
    opened.countDown();
  }

  void deny() {
    denying = true;
  }

  void awaitArrival() throws InterruptedException {
    if (!arrived.await(20, TimeUnit.SECONDS)) {
      throw new AssertionError("no delete came");
    }
  }

  private void pass() throws IOException {
    arrived.countDown();
    if (denying) {
      throw new AccessDeniedException("no write permission");
    }
    try {
      if (!opened.await(20, TimeUnit.SECONDS)) {
        throw new IOException("nobody opened the gate");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Loaded by the index table's regions. */
  public static final class Observer implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preDelete(
        ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit)
        throws IOException {
      GATES.get(context.getEnvironment().getRegionInfo().getTable()).pass();
    }
  }
}
