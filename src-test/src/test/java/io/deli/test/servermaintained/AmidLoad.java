package io.deli.test.servermaintained;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** What happens at the server while it loads a file of {@link ServedTable#FAMILY}. */
final class AmidLoad {
  private static final Map<TableName, AmidLoad> LOADS = new ConcurrentHashMap<>();

  private final Step beforeTaken;
  private final Step afterTaken;

  private AmidLoad(Step beforeTaken, Step afterTaken) {
    this.beforeTaken = beforeTaken;
    this.afterTaken = afterTaken;
  }

  /** May fail as HBase may. */
  interface Step {
    void take() throws IOException;
  }

  /**
   * Has that happen from now on.
   *
   * @param beforeTaken when the file is where HBase takes it from
   */
  static void happens(TableName table, Step beforeTaken, Step afterTaken) throws IOException {
    if (LOADS.put(table, new AmidLoad(beforeTaken, afterTaken)) == null) {
      try (Admin admin = MiniCluster.connection().getAdmin()) {
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
                .setCoprocessor(
                    CoprocessorDescriptorBuilder.newBuilder(Observer.class.getName())
                        .setPriority(Coprocessor.PRIORITY_HIGHEST)
                        .build())
                .build());
      }
    }
  }

  /** Loaded by the table's regions, and called before DELI. */
  public static final class Observer implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preCommitStoreFile(
        ObserverContext<RegionCoprocessorEnvironment> context,
        byte[] family,
        List<Pair<Path, Path>> files)
        throws IOException {
      if (Bytes.equals(family, ServedTable.FAMILY)) {
        of(context).beforeTaken.take();
      }
    }

    @Override
    public void postCommitStoreFile(
        ObserverContext<RegionCoprocessorEnvironment> context, byte[] family, Path from, Path to)
        throws IOException {
      if (Bytes.equals(family, ServedTable.FAMILY)) {
        of(context).afterTaken.take();
      }
    }

    private static AmidLoad of(ObserverContext<RegionCoprocessorEnvironment> context) {
      return LOADS.get(context.getEnvironment().getRegionInfo().getTable());
    }
  }
}
