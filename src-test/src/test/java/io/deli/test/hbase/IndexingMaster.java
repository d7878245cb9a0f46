package io.deli.test.hbase;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.master.HMaster;

/**
 * A master that gives every new table an index, whatever coprocessors a test asks for. Named by
 * {@code hbase.master.impl}.
 */
public final class IndexingMaster extends HMaster {
  public IndexingMaster(Configuration configuration) throws IOException {
    super(withIndexing(PlainRegionServer.withoutDeliConnection(configuration)));
  }

  private static Configuration withIndexing(Configuration configuration) {
    String key = CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY;
    String[] asked = configuration.getStrings(key, new String[0]);
    String all = String.join(",", asked);
    configuration.set(
        key,
        all.isEmpty()
            ? IndexEveryTable.class.getName()
            : all + "," + IndexEveryTable.class.getName());
    return configuration;
  }
}
