package io.deli.test.servermaintained;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/** Holds the entries that reach an index table, at the server. */
final class EntryGate {
  private static final int MOST_SECONDS = 60;
  private static final Map<TableName, EntryGate> GATES = new ConcurrentHashMap<>();

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  private final byte[] within;

  private EntryGate(byte[] within) {
    this.within = within;
  }

  /** Closes one, for good once it is opened. */
  static EntryGate closed(TableName index) throws IOException {
    return closed(index, new byte[0]);
  }

  /** Closes one that lets entries pass whose rows do not have that in them. */
  static EntryGate closed(TableName index, byte[] within) throws IOException {
    EntryGate gate = new EntryGate(within);
    GATES.put(index, gate);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(index))
              .setCoprocessor(Observer.class.getName())
              .build());
    }
    return gate;
  }

  void awaitArrival() throws InterruptedException {
    if (!arrived.await(MOST_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("no entry came");
    }
  }

  void open() {
    opened.countDown();
  }

  private void pass(Put entry) throws IOException {
    if (!Bytes.contains(entry.getRow(), within)) {
      return;
    }
    arrived.countDown();
    try {
      if (!opened.await(MOST_SECONDS, TimeUnit.SECONDS)) {
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
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
        throws IOException {
      GATES.get(context.getEnvironment().getRegionInfo().getTable()).pass(put);
    }
  }
}
