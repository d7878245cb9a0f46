package io.deli.test.servermaintained;

import io.deli.test.cluster.MiniCluster;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.thrift.Constants;
import org.apache.hadoop.hbase.thrift.ImplType;
import org.apache.hadoop.hbase.thrift2.ThriftServer;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransportFactory;
import org.apache.thrift.transport.layered.TFramedTransport;

/** HBase's own Thrift 2 server in front of the mini cluster. It knows nothing of DELI. */
final class ThriftGateway {
  private static final int MOST_SECONDS = 120;

  private final Server server = new Server(configuration());
  private final Thread thread = new Thread(server::serve, "thrift-gateway");

  /** Starts it at a free port. */
  ThriftGateway() {
    thread.start();
  }

  private static Configuration configuration() {
    Configuration configuration = MiniCluster.configuration();
    configuration.set(Constants.BIND_CONF_KEY, InetAddress.getLoopbackAddress().getHostAddress());
    configuration.setInt(Constants.PORT_CONF_KEY, 0);
    configuration.setInt(Constants.THRIFT_INFO_SERVER_PORT, -1);
    // The one that takes several connections and tells its port.
    configuration.set(Constants.SERVER_TYPE_CONF_KEY, ImplType.THREADED_SELECTOR.getOption());
    return configuration;
  }

  /** A new connection, to be closed by its transport. */
  TProtocol connect() throws Exception {
    TSocket socket =
        new TSocket(
            new TConfiguration(),
            InetAddress.getLoopbackAddress().getHostAddress(),
            server.port.get(MOST_SECONDS, TimeUnit.SECONDS),
            (int) TimeUnit.SECONDS.toMillis(MOST_SECONDS));
    TProtocol protocol = new TBinaryProtocol(new TFramedTransport(socket));
    protocol.getTransport().open();
    return protocol;
  }

  void stop() throws InterruptedException {
    server.stop();
    thread.join(TimeUnit.SECONDS.toMillis(MOST_SECONDS));
  }

  private static final class Server extends ThriftServer {
    /** Connections are accepted once it is known. */
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    private Server(Configuration configuration) {
      super(configuration);
    }

    @SuppressWarnings("CatchingUnchecked")
    private void serve() {
      try {
        run();
      } catch (Exception e) {
        port.completeExceptionally(e);
      }
    }

    @Override
    protected TServer getTThreadedSelectorServer(
        TNonblockingServerTransport transport,
        TProtocolFactory protocols,
        TProcessor processor,
        TTransportFactory transports,
        InetSocketAddress address) {
      TServer threaded =
          super.getTThreadedSelectorServer(transport, protocols, processor, transports, address);
      port.complete(((TNonblockingServerSocket) transport).getPort());
      return threaded;
    }
  }
}
