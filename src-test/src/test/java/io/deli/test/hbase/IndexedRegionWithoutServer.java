package io.deli.test.hbase;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.EnvironmentEdge;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WAL;

/**
 * A region of an indexed table for tests that make regions themselves, without a server, for which
 * HBase loads no coprocessor. Named by {@code hbase.hregion.impl}.
 *
 * <p>Its index tables exist nowhere, so that the cluster to which collection turns acknowledges
 * every delete, and versions leave the files when HBase says so. Not final, for there are tests
 * that spy on a region.
 */
public class IndexedRegionWithoutServer extends HRegion {
  @SuppressWarnings("deprecation") // what HRegion.newHRegion calls
  public IndexedRegionWithoutServer(
      Path directory,
      WAL log,
      FileSystem files,
      Configuration configuration,
      RegionInfo region,
      TableDescriptor table,
      RegionServerServices server) {
    super(
        directory,
        log,
        files,
        configuration,
        region,
        isOfTest(table, server) ? IndexEveryTable.indexed(table) : table,
        server);
    if (isOfTest(table, server)) {
      setCoprocessorHost(new RegionCoprocessorHost(this, null, cluster()));
      requireObserver();
    }
  }

  /** HBase goes on without an observer that fails to start; the tests would prove nothing. */
  private void requireObserver() {
    if (!IndexDefinitions.of(getTableDescriptor()).isEmpty()
        && getCoprocessorHost().findCoprocessor(DeliRegionObserver.class) == null) {
      throw new IllegalStateException("no observer on " + getTableDescriptor().getTableName());
    }
  }

  /** A master has a region without a server, too; that of the cluster, say. */
  private static boolean isOfTest(TableDescriptor table, RegionServerServices server) {
    return server == null
        && table
            .getTableName()
            .getNamespaceAsString()
            .equals(NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR);
  }

  /** Starts with the real clock: on a clock that a test sets, no cluster comes up. */
  private static synchronized Configuration cluster() {
    EnvironmentEdge clock = EnvironmentEdgeManager.getDelegate();
    EnvironmentEdgeManager.reset();
    try {
      Configuration cluster = MiniCluster.configuration();
      cluster.unset(HConstants.REGION_IMPL);
      return cluster;
    } finally {
      EnvironmentEdgeManager.injectEdge(clock);
    }
  }
}
