package io.deli.simulation;

import com.google.protobuf.Message;
import io.deli.service.ColocatedWrite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/** Puts of rows and of their entries in one request, which takes effect at one moment. */
record ModelColocatedWrite(Map<TableName, List<Put>> entries, Map<TableName, List<Put>> rows) {
  private static final int FULL = 10;

  static ModelColocatedWrite of(Message request) {
    ColocatedWrite asked = ColocatedWrite.of(request);
    try {
      return new ModelColocatedWrite(puts(asked.entries()), puts(asked.rows()));
    } catch (IOException e) {
      throw new IllegalArgumentException("no Puts", e);
    }
  }

  private static Map<TableName, List<Put>> puts(ColocatedWrite.Batch batch) throws IOException {
    CellScanner cells = batch.scanner();
    Map<TableName, List<Put>> puts = new LinkedHashMap<>();
    for (RegionAction region : batch.request().getRegionActionList()) {
      TableName table = RegionInfo.getTable(region.getRegion().getValue().toByteArray());
      for (Action action : region.getActionList()) {
        puts.computeIfAbsent(table, any -> new ArrayList<>())
            .add(ProtobufUtil.toPut(action.getMutation(), cells));
      }
    }
    return puts;
  }

  /** Rows are not begun unless all entries are made, which an index region may be too full for. */
  Message carryOut(ModelCluster cluster) {
    World world = cluster.world();
    boolean made =
        !world.chance().oneIn(FULL) && carryOut(cluster, entries).cardinality() == size(entries);
    return ColocatedWrite.answer(
        made || world.has(Defect.ROWS_UNCHECKED) ? carryOut(cluster, rows) : new BitSet());
  }

  private static int size(Map<TableName, List<Put>> puts) {
    return puts.values().stream().mapToInt(List::size).sum();
  }

  private static BitSet carryOut(ModelCluster cluster, Map<TableName, List<Put>> byTable) {
    BitSet done = new BitSet();
    int place = 0;
    for (Map.Entry<TableName, List<Put>> each : byTable.entrySet()) {
      for (Object answer : cluster.region(each.getKey()).orElseThrow().serve(each.getValue())) {
        done.set(place++, !(answer instanceof IOException));
      }
    }
    return done;
  }
}
