package io.deli.client.internal;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;

/** HBase's own connection, to no cluster: nobody ever answers. */
public final class Unconnected {
  private Unconnected() {}

  /** Its caller closes it. */
  public static AsyncConnection open(Configuration configuration) throws Exception {
    ConnectionRegistry unused =
        (ConnectionRegistry)
            Proxy.newProxyInstance(
                ConnectionRegistry.class.getClassLoader(),
                new Class<?>[] {ConnectionRegistry.class},
                (self, method, arguments) ->
                    method.getReturnType() == CompletableFuture.class
                        ? new CompletableFuture<>()
                        : null);
    return HBaseCompat.connect(configuration, unused, "cluster", User.getCurrent(), Map.of());
  }
}
