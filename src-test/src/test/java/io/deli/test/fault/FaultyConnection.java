package io.deli.test.fault;

import io.deli.client.DeliConnection;
import io.deli.client.TimestampOracle;
import io.deli.client.internal.connect.Wiring;
import io.deli.client.internal.write.WriteContext;
import io.deli.entry.RowClock;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** A connection whose ports and clocks the test holds. */
public final class FaultyConnection extends DeliConnection {
  /** More than it takes others to answer. */
  private static final Duration DELAY = Duration.ofMillis(20);

  private final Ways ways;
  private final AtomicLong leap;

  /** Of the connection and of each mutator, and what all of them suffer. */
  private static final class Ways {
    private final List<FaultyTableClients> all = new CopyOnWriteArrayList<>();
    private volatile Faults faults = Faults.NONE;

    private FaultyTableClients add(FaultyTableClients ports) {
      ports.suffer(faults);
      all.add(ports);
      return ports;
    }

    private void suffer(Faults next) {
      faults = next;
      all.forEach(ports -> ports.suffer(next));
    }
  }

  private FaultyConnection(
      Configuration configuration,
      TimestampOracle oracle,
      Duration delay,
      Ways ways,
      AtomicLong leap)
      throws IOException {
    super(
        ConnectionFactory.createConnection(configuration),
        new Wiring(
            new WriteContext(oracle, InstantSource.system(), () -> System.nanoTime() + leap.get()),
            real -> ways.add(new FaultyTableClients(real, delay, pause(configuration)))));
    this.ways = ways;
    this.leap = leap;
  }

  private static Duration pause(Configuration configuration) {
    return Duration.ofMillis(
        configuration.getLong(
            HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE));
  }

  public static FaultyConnection open() throws IOException {
    return open(MiniCluster.configuration());
  }

  public static FaultyConnection open(Configuration configuration) throws IOException {
    return open(configuration, new RowClock(InstantSource.system())::next, DELAY);
  }

  /**
   * Opens a connection on which all goes well at first.
   *
   * @param delay of what is late
   */
  public static FaultyConnection open(
      Configuration configuration, TimestampOracle oracle, Duration delay) throws IOException {
    return new FaultyConnection(configuration, oracle, delay, new Ways(), new AtomicLong());
  }

  /** What all ways suffer from now on, those of mutators to come as well. */
  public FaultyConnection suffering(Faults faults) {
    ways.suffer(faults);
    return this;
  }

  /** Waits for all that is still on its way. */
  public void awaitQuiet() {
    ways.all.forEach(FaultyTableClients::awaitQuiet);
  }

  /** The ports of all tables; open a table first. */
  public FaultyTableClients ports() {
    return ways.all.get(0);
  }

  /** The ports of the mutator that was opened last. */
  public FaultyTableClients mutatorPorts() {
    return ways.all.get(ways.all.size() - 1);
  }

  /** The time that writes measure goes on by so much. */
  public void leap(long nanos) {
    leap.addAndGet(nanos);
  }
}
