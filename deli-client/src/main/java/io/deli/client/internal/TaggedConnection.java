package io.deli.client.internal;

import io.deli.client.internal.connect.PlainConfiguration;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.security.User;

/**
 * Opens plain connections that show the tags of cells, and so the write ids by which garbage
 * collection names entries.
 */
public final class TaggedConnection {
  private TaggedConnection() {}

  /** Opens a connection to the same cluster for the same user; the caller closes it. */
  public static Connection open(Connection like) throws IOException {
    Configuration tagged = PlainConfiguration.of(like.getConfiguration());
    tagged.set(HConstants.RPC_CODEC_CONF_KEY, KeyValueCodecWithTags.class.getName());
    return ConnectionFactory.createConnection(tagged, user(like));
  }

  private static User user(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getConnection() instanceof ClusterConnection cluster
          ? cluster.getUser()
          : User.getCurrent();
    }
  }
}
