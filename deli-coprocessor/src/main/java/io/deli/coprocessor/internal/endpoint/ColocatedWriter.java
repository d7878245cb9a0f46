package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.internal.hbase.BatchShape;
import io.deli.service.ColocatedWrite;
import io.deli.service.ColocatedWrite.Batch;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.RegionInfo;
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
   * Returns what became of the rows; without results if an entry was not written, and they were not
   * begun.
   *
   * @throws DoNotRetryIOException if that cannot be told; HBase's client would send the request
   *     again and again, where another one tells what is wrong
   */
  public static MultiResponse write(RegionCoprocessorEnvironment env, ColocatedWrite asked)
      throws DoNotRetryIOException {
    try {
      return new ColocatedWriter(env).write(asked);
    } catch (IOException e) {
      throw new DoNotRetryIOException(e);
    }
  }

  private MultiResponse write(ColocatedWrite asked) throws IOException {
    if (!asked.entries().isDone(carryOut(asked.entries()))) {
      return MultiResponse.getDefaultInstance();
    }
    secure(asked);
    return carryOut(asked.rows());
  }

  private MultiResponse carryOut(Batch batch) throws IOException {
    try {
      return BatchShape.during(
          batch.request(),
          () -> requests.multi(new HBaseRpcControllerImpl(batch.scanner()), batch.request()));
    } catch (ServiceException e) {
      throw new IOException(e);
    }
  }

  /** Syncs the entries' logs, as far as syncing the rows will not see to that. */
  private void secure(ColocatedWrite asked) throws IOException {
    Set<WAL> logs = new HashSet<>(2);
    for (RegionAction rows : asked.rows().request().getRegionActionList()) {
      logs.add(region(rows).getWAL());
    }
    Set<WAL> unsynced = new HashSet<>(0);
    for (RegionAction entries : asked.entries().request().getRegionActionList()) {
      HRegion region = region(entries);
      WAL log = region.getWAL();
      if (region.getTableDescriptor().getDurability() == Durability.FSYNC_WAL) {
        log.sync(true);
      } else if (!coversBefore(logs, log) && unsynced.add(log)) {
        log.sync();
      }
    }
  }

  /**
   * Whether syncing any of some logs syncs what was appended to another before: HBase's
   * asynchronous log writes again what it could not, in order, while the other goes on without what
   * it failed to append.
   */
  static boolean coversBefore(Set<WAL> synced, WAL log) {
    return log instanceof AsyncFSWAL && synced.equals(Set.of(log));
  }

  private HRegion region(RegionAction action) throws IOException {
    byte[] name = action.getRegion().getValue().toByteArray();
    return server.getRegionByEncodedName(RegionInfo.encodeRegionName(name));
  }
}
