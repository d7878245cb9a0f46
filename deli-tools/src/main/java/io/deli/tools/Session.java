package io.deli.tools;

import com.google.protobuf.ServiceException;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.service.RegionService;
import io.deli.tools.embedded.DataDirectory;
import io.deli.tools.embedded.DataDirectory.Lock;
import io.deli.tools.embedded.DataDirectory.Running;
import io.deli.tools.embedded.EmbeddedHBase;
import io.deli.tools.embedded.Ports;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** A connection to HBase for the time of one command, and the embedded HBase if it needs one. */
public final class Session implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration GLANCE = Duration.ofMillis(100);

  private final Connection plain;
  private final DeliConnection connection;
  private final Optional<EmbeddedHBase> embedded;

  private Session(Connection plain, Optional<EmbeddedHBase> embedded) throws IOException {
    this.plain = plain;
    this.connection = DeliConnection.wrap(plain);
    this.embedded = embedded;
  }

  /**
   * Connects to a cluster, to the embedded HBase that runs, or to one that it starts.
   *
   * @param settings of the client, beyond those of the target
   * @throws Failure with {@link ExitCode#UNAVAILABLE} if there is none
   */
  static Session open(Target target, Terminal terminal, Map<String, String> settings) {
    return target.isCluster()
        ? connect(ClientSettings.of(target), settings, Optional.empty())
        : embedded(target.data(), terminal, settings);
  }

  private static Session embedded(
      DataDirectory data, Terminal terminal, Map<String, String> settings) {
    Instant deadline = Instant.now().plus(PATIENCE);
    boolean told = false;
    while (Instant.now().isBefore(deadline)) {
      Optional<Lock> lock = data.tryLock();
      if (lock.isPresent()) {
        return start(data, lock.get(), terminal, settings);
      }
      Optional<Running> running = data.running();
      if (running.isPresent() && running.get().stays()) {
        return connect(
            ClientSettings.at(running.get().zookeeper(), data), settings, Optional.empty());
      }
      if (!told) {
        terminal.say("waiting for another deli process that uses " + data);
        told = true;
      }
      LockSupport.parkNanos(GLANCE.toNanos());
    }
    throw new Failure(
        ExitCode.UNAVAILABLE,
        "another process has used %s for more than %d minutes: wait for it, or choose another with --data"
            .formatted(data, PATIENCE.toMinutes()));
  }

  private static Session start(
      DataDirectory data, Lock lock, Terminal terminal, Map<String, String> settings) {
    terminal.say("starting embedded HBase on " + data);
    Logs.toFile(data.log());
    EmbeddedHBase hbase = EmbeddedHBase.start(data, lock, Ports.ANY, "localhost", false);
    try {
      return connect(ClientSettings.at(hbase.zookeeper(), data), settings, Optional.of(hbase));
    } catch (RuntimeException e) {
      hbase.close();
      throw e;
    }
  }

  private static Session connect(
      Configuration conf, Map<String, String> settings, Optional<EmbeddedHBase> embedded) {
    settings.forEach(conf::set);
    try {
      return new Session(ConnectionFactory.createConnection(conf), embedded);
    } catch (IOException e) {
      throw new Failure(ExitCode.UNAVAILABLE, "cannot connect to HBase: " + e.getMessage(), e);
    }
  }

  /** A plain connection, which knows of no index. */
  public Connection connection() {
    return plain;
  }

  /** A connection that keeps indexes. */
  public DeliConnection indexed() {
    return connection;
  }

  /**
   * The descriptor of a table. A user whom the master refuses it gets what regions tell anybody, if
   * the table has indexes: families and definitions.
   */
  public TableDescriptor table(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getDescriptor(name);
    } catch (AccessDeniedException e) {
      return described(name).orElseThrow(() -> e);
    }
  }

  private Optional<TableDescriptor> described(TableName name) throws IOException {
    try (Table table = plain.getTable(name)) {
      return Optional.of(
          RegionService.description(
              table
                  .coprocessorService(HConstants.EMPTY_START_ROW)
                  .callBlockingMethod(
                      RegionService.DESCRIBE,
                      null,
                      RegionService.NOTHING,
                      RegionService.prototype(RegionService.DESCRIBE.getOutputType()))));
    } catch (ServiceException | DeserializationException e) {
      // What the master said tells more.
      return Optional.empty();
    }
  }

  /** Address of the web page, if this session started its HBase. */
  public Optional<String> ui() {
    return embedded.map(EmbeddedHBase::ui);
  }

  public DeliAdmin admin() {
    return DeliAdmin.of(connection);
  }

  /** Closes the connection and, if this session started it, stops the embedded HBase. */
  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } finally {
      embedded.ifPresent(EmbeddedHBase::close);
    }
  }
}
