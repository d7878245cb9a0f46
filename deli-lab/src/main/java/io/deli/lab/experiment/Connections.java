package io.deli.lab.experiment;

import io.deli.client.DeliConnection;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * The connections of an experiment to HBase; none shares sockets with another.
 *
 * @param plain HBase's own
 * @param administration asks at short intervals whether a table is created, flushed or gone
 */
record Connections(Connection plain, DeliConnection deli, DeliConnection administration)
    implements AutoCloseable {
  private static final int PAUSE_MILLIS = 10;

  static Connections open(Configuration configuration) throws IOException {
    Configuration impatient = new Configuration(configuration);
    impatient.setInt(HConstants.HBASE_CLIENT_PAUSE, PAUSE_MILLIS);
    Connection plain = ConnectionFactory.createConnection(configuration);
    return new Connections(
        plain,
        DeliConnection.wrap(ConnectionFactory.createConnection(configuration)),
        DeliConnection.wrap(ConnectionFactory.createConnection(impatient)));
  }

  @Override
  public void close() throws IOException {
    try (plain;
        deli) {
      administration.close();
    }
  }
}
