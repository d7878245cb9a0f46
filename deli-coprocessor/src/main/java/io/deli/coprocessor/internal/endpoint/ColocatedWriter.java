package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.internal.hbase.BatchShape;
import io.deli.service.ColocatedWrite;
import io.deli.service.ColocatedWrite.Batch;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.RSRpcServices;
import org.apache.hadoop.hbase.regionserver.wal.AsyncFSWAL;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * Writes entries, and then the rows that they are of, where the server has the regions of all. Each
 * batch is carried out by the call by which HBase serves one that comes as a request of its own:
 * with its hooks, quotas, limits and metrics, and for the same user.
 *
 * <p>Rows are begun when all of their entries are in memory and in the log, ahead of them: of one
 * log that keeps its order, whatever it survives that has the rows has the entries. With any other
 * log, they wait until the entries are synced.
 */
public final class ColocatedWriter {
  private final HRegionServer server;
  private final RSRpcServices requests;

  private ColocatedWriter(RegionCoprocessorEnvironment env) {
    server = (HRegionServer) env.getOnlineRegions();
    requests = server.getRSRpcServices();
  }

  /**
   * Writes entries and rows.
   *
   * @return the rows that were written, by their positions: none if an entry was not
   * @throws DoNotRetryIOException if that cannot be told: HBase's client is not to send the request
   *     again, but the rows and entries by requests of their own
   */
  public static BitSet write(RegionCoprocessorEnvironment env, ColocatedWrite asked)
      throws DoNotRetryIOException {
    try {
      return new ColocatedWriter(env).write(asked);
    } catch (IOException | ServiceException e) {
      throw new DoNotRetryIOException(e);
    }
  }

  private BitSet write(ColocatedWrite asked) throws IOException, ServiceException {
    Batch entries = asked.entries();
    if (!entries.isEmpty()) {
      if (entries.done(carryOut(entries)).cardinality() < entries.size()) {
        return new BitSet();
      }
      sync(entries, asked.rows());
    }
    return asked.rows().done(carryOut(asked.rows()));
  }

  private MultiResponse carryOut(Batch batch) throws ServiceException {
    return BatchShape.during(
        batch.request(),
        () -> requests.multi(new HBaseRpcControllerImpl(batch.scanner()), batch.request()));
  }

  /** Syncs the logs of entries, as far as syncing those of the rows does not see to that. */
  private void sync(Batch entries, Batch rows) throws IOException {
    Set<WAL> ofRows = new HashSet<>(2);
    for (RegionAction each : rows.request().getRegionActionList()) {
      HRegion region = region(each);
      ofRows.add(region == null ? null : region.getWAL());
    }
    Map<WAL, Boolean> ofEntries = new HashMap<>(2);
    for (RegionAction each : entries.request().getRegionActionList()) {
      HRegion region = region(each);
      // A region that has closed meanwhile has its entries in files.
      if (region != null) {
        boolean isForced = region.getTableDescriptor().getDurability() == Durability.FSYNC_WAL;
        if (isForced || !coversBefore(ofRows, region.getWAL())) {
          ofEntries.merge(region.getWAL(), isForced, Boolean::logicalOr);
        }
      }
    }
    for (Map.Entry<WAL, Boolean> each : ofEntries.entrySet()) {
      if (each.getValue()) {
        each.getKey().sync(true);
      } else {
        each.getKey().sync();
      }
    }
  }

  /**
   * Whether syncing some logs makes durable what was appended to another one before. HBase's
   * asynchronous log appends again, in order, what it could not write; the other kind goes on
   * without an append that failed.
   */
  static boolean coversBefore(Set<WAL> synced, WAL log) {
    return log instanceof AsyncFSWAL && synced.equals(Set.of(log));
  }

  /** Returns null if the server does not have the region any more. */
  private HRegion region(RegionAction action) {
    return server.getOnlineRegion(action.getRegion().getValue().toByteArray());
  }
}
