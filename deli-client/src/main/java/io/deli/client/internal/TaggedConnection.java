package io.deli.client.internal;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;

/**
 * Plain connections on which the tags of cells can be seen, and the write ids in them, by which
 * garbage collection names entries.
 */
public final class TaggedConnection {
  private static final String CONNECTION = "hbase.client.connection.impl";

  private TaggedConnection() {}

  /** A new one to the same cluster; the caller closes it. */
  public static Connection open(Connection like) throws IOException {
    Configuration tagged = new Configuration(like.getConfiguration());
    tagged.set(HConstants.RPC_CODEC_CONF_KEY, KeyValueCodecWithTags.class.getName());
    tagged.unset(CONNECTION);
    return ConnectionFactory.createConnection(tagged);
  }
}
