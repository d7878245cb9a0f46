package io.deli.tools.embedded;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** What makes HBase small and quick to start; a deli-site.xml on the class path may overrule it. */
final class EmbeddedSettings {
  private EmbeddedSettings() {}

  static Configuration create() {
    Configuration conf = HBaseConfiguration.create();
    // A resource as they are: what is set in a configuration prevails over all of its resources.
    conf.addResource(defaults());
    conf.addResource("deli-site.xml");
    return conf;
  }

  private static Configuration defaults() {
    Configuration conf = new Configuration(false);
    conf.setBoolean("hbase.cluster.distributed", false);
    conf.set("hbase.coprocessor.master.classes", EmbeddedHBase.MASTER_OBSERVER);
    // Ours runs instead: it stops master, region server and ZooKeeper in the right order.
    conf.setBoolean("hbase.shutdown.hook", false);
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 1);
    conf.setInt("hbase.regionserver.handler.count", 12);
    conf.setInt("hbase.regionserver.metahandler.count", 4);
    conf.setInt("hbase.master.procedure.threads", 4);
    conf.setFloat("hfile.block.cache.size", 0.25f);
    conf.setFloat("hbase.regionserver.global.memstore.size", 0.35f);
    conf.setLong("hbase.hregion.memstore.flush.size", 32L << 20);
    conf.setInt("hbase.regionserver.maxlogs", 8);
    // A laptop that slept must not lose its server.
    conf.setInt("zookeeper.session.timeout", 600_000);
    conf.setInt("hbase.zookeeper.property.maxSessionTimeout", 600_000);
    conf.setInt("hbase.master.start.timeout.localHBaseCluster", 300_000);
    return conf;
  }
}
