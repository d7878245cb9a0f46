package io.deli.client.internal.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.JmxReporter;
import com.codahale.metrics.MetricRegistry;
import io.deli.config.DeliSettings;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of one connection, by the library that HBase's client uses. Thread-safe.
 *
 * <p>Published by JMX while open, with a number for the connection, as {@code
 * io.deli.client:connection=1,name=query} or, of one index, {@code
 * io.deli.client:connection=1,table="ns:t",index=i,name=query}.
 */
public final class ClientMetrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClientMetrics.class);

  private static final String DOMAIN = "io.deli.client";

  /** Separates a metric's name, table and index, none of which can contain it. */
  private static final String SEPARATOR = " ";

  private static final AtomicInteger CONNECTIONS = new AtomicInteger();
  private static final ClientMetrics OFF = new ClientMetrics(false);

  private final MetricRegistry registry = new MetricRegistry();
  private final ReadMeter reads;
  private final WriteMeter writes;
  private final Optional<JmxReporter> publisher;

  private ClientMetrics(boolean on) {
    this.reads = new ReadMeter(registry, on);
    this.writes = new WriteMeter(registry, on);
    this.publisher = on ? publish(registry) : Optional.empty();
  }

  /**
   * Creates the metrics of a new connection, if the configuration enables them; close them with it.
   */
  public static ClientMetrics of(Configuration configuration) {
    return DeliSettings.CLIENT_METRICS.get(configuration) ? new ClientMetrics(true) : OFF;
  }

  /** Metrics that measure nothing; they are one for all connections. */
  public static ClientMetrics off() {
    return OFF;
  }

  private static Optional<JmxReporter> publish(MetricRegistry registry) {
    try {
      int connection = CONNECTIONS.incrementAndGet();
      JmxReporter reporter =
          JmxReporter.forRegistry(registry)
              .inDomain(DOMAIN)
              .createsObjectNamesWith((type, domain, name) -> name(domain, connection, name))
              .build();
      reporter.start();
      return Optional.of(reporter);
    } catch (LinkageError e) {
      // The application's own version of the library comes first, and has no such class.
      LOG.warn("Metrics are not published by JMX: metrics-core 3 is not on the class path", e);
      return Optional.empty();
    }
  }

  private static ObjectName name(String domain, int connection, String name) {
    String[] parts = name.split(SEPARATOR, -1);
    String index =
        parts.length > 1 ? "table=%s,index=%s,".formatted(quoted(parts[1]), parts[2]) : "";
    try {
      return new ObjectName(
          "%s:connection=%d,%sname=%s".formatted(domain, connection, index, parts[0]));
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException("not a name for JMX: " + name, e);
    }
  }

  private static String quoted(String table) {
    return ObjectName.quote(table);
  }

  static String name(String metric, String table, String index) {
    return String.join(SEPARATOR, metric, table, index);
  }

  public ReadMeter reads() {
    return reads;
  }

  public WriteMeter writes() {
    return writes;
  }

  /** Registers a value that is counted elsewhere. */
  public void gauge(String name, LongSupplier value) {
    if (reads.isOn()) {
      registry.register(name, (Gauge<Long>) value::getAsLong);
    }
  }

  /** Ends publication. */
  @Override
  public void close() {
    publisher.ifPresent(JmxReporter::stop);
  }
}
