package io.deli.test.model;

import io.deli.client.DeliConnection;
import io.deli.client.internal.connect.Wiring;
import io.deli.client.internal.write.WriteContext;
import io.deli.config.DeliSettings;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** A DELI connection whose clock the test moves. */
final class TestConnection extends DeliConnection {
  /** By the clock of the test; no write takes half as long by any other. */
  static final long GRACE_MILLIS = 120_000;

  private TestConnection(Connection connection, Wiring wiring) throws IOException {
    super(connection, wiring);
  }

  static DeliConnection open(TestTime time, int page) throws IOException {
    Configuration configuration = MiniCluster.configuration();
    configuration.setInt(DeliSettings.READ_PAGE.key(), page);
    configuration.setLong(DeliSettings.REPAIR_GRACE.key(), GRACE_MILLIS);
    // By this clock no write takes long: what a slow one leaves to readers is not to depend on the
    // machine. No answer is lost here.
    WriteContext identities = new WriteContext(time, time, () -> 0);
    return new TestConnection(
        ConnectionFactory.createConnection(configuration),
        new Wiring(identities, UnaryOperator.identity()));
  }
}
