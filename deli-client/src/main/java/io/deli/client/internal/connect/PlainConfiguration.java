package io.deli.client.internal.connect;

import io.deli.client.DeliAsyncConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A client's configuration by which {@link ConnectionFactory} makes no connection of DELI's: that
 * of the connections which one of DELI's stands on.
 */
public final class PlainConfiguration {
  private static final String BLOCKING = "hbase.client.connection.impl";
  private static final String ASYNCHRONOUS = "hbase.client.async.connection.impl";

  private PlainConfiguration() {}

  /** A copy; an asynchronous connection of somebody else's that it names stays named. */
  public static Configuration of(Configuration configuration) {
    Configuration plain = new Configuration(configuration);
    plain.unset(BLOCKING);
    String named = plain.get(ASYNCHRONOUS, "");
    Class<?> asynchronous = named.isEmpty() ? null : plain.getClassByNameOrNull(named);
    if (asynchronous != null && DeliAsyncConnection.class.isAssignableFrom(asynchronous)) {
      plain.unset(ASYNCHRONOUS);
    }
    return plain;
  }
}
