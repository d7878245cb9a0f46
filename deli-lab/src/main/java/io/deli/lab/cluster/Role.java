package io.deli.lab.cluster;

import java.util.List;

public enum Role {
  ZOOKEEPER("org.apache.hadoop.hbase.zookeeper.HQuorumPeer", 96),
  NAMENODE("org.apache.hadoop.hdfs.server.namenode.NameNode", 160),
  DATANODE("org.apache.hadoop.hdfs.server.datanode.DataNode", 160),
  MASTER("org.apache.hadoop.hbase.master.HMaster", 320),
  REGION_SERVER("org.apache.hadoop.hbase.regionserver.HRegionServer", 448);

  private final String mainClass;
  private final int heapMegabytes;

  Role(String mainClass, int heapMegabytes) {
    this.mainClass = mainClass;
    this.heapMegabytes = heapMegabytes;
  }

  String mainClass() {
    return mainClass;
  }

  int heapMegabytes() {
    return heapMegabytes;
  }

  List<String> arguments() {
    return switch (this) {
      case MASTER, REGION_SERVER -> List.of("start");
      case ZOOKEEPER, NAMENODE, DATANODE -> List.of();
    };
  }

  /** The settings that name its ports; the first is where it serves, the second its web page. */
  List<String> portKeys() {
    return switch (this) {
      case ZOOKEEPER -> List.of("hbase.zookeeper.property.clientPort");
      case NAMENODE -> List.of("dfs.namenode.rpc-address", "dfs.namenode.http-address");
      case DATANODE ->
          List.of("dfs.datanode.address", "dfs.datanode.http.address", "dfs.datanode.ipc.address");
      case MASTER -> List.of("hbase.master.port", "hbase.master.info.port");
      case REGION_SERVER -> List.of("hbase.regionserver.port", "hbase.regionserver.info.port");
    };
  }
}
